import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { chromium, type Page } from 'playwright-core';
import { ensureBrowser } from '../../scripts/browser.ts';
import { buildIfStale } from '../../scripts/build.ts';
import { createApp } from '../../src-main/app/createApp.ts';
import { memorySecrets } from '../../src-main/app/secrets.ts';
import { startServe } from '../../src-main/serve/startServe.ts';
import { type BenchResult, median, type Suite } from './bench.ts';
import { manyRuns, recordManyRuns } from './manyRuns.ts';

const repeats = 5;
/** How long the field waits for more keys. */
const debounceMs = 150;

/** How the list of runs copes with very many: opening it, and searching in it. */
export const listSuite: Suite = {
  name: 'list',
  about: `the list of ${manyRuns.toLocaleString('en-US')} runs on the screen`,
  async run(log) {
    await buildIfStale('renderer');
    const folder = await mkdtemp(path.join(os.tmpdir(), 'benchberry-list-'));
    try {
      log('recording');
      recordManyRuns(folder);
      return await measure(folder, log);
    } finally {
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    }
  },
};

async function measure(folder: string, log: (line: string) => void): Promise<BenchResult> {
  const app = await createApp({ dataFolder: folder, secrets: memorySecrets() });
  const serving = await startServe({ app: { handlers: app.handlers, events: app.events }, port: 0 });
  const browser = await chromium.launch({ executablePath: await ensureBrowser() });
  try {
    const page = await browser.newPage({ viewport: { width: 1920, height: 1080 } });
    await page.goto(serving.url);
    await page.waitForURL(new URL('/', serving.url).href);
    await page.getByRole('heading', { level: 1 }).waitFor();
    log(`opening and searching ${repeats} times, after once to warm up`);
    const opening: number[] = [];
    const searching: number[] = [];
    for (let i = 0; i <= repeats; i += 1) {
      await page.evaluate(() => {
        window.location.hash = '#/settings';
      });
      await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
      const opened = await openMs(page);
      const field = page.getByRole('textbox', { name: 'Search runs' });
      await field.fill('');
      await rows(page, 100);
      const searched = await searchMs(page, `"run ${9000 + i}"`);
      await field.fill('');
      await rows(page, 100);
      if (i === 0) continue;
      opening.push(opened);
      searching.push(searched - debounceMs);
    }
    return {
      goals: [
        {
          name: 'from the last key to the rows on the screen, less the wait for more keys',
          value: median(searching),
          unit: 'ms',
          must: 'at-most',
          limit: 100,
        },
      ],
      facts: [{ name: 'the screen opened with its first 100 rows', value: median(opening), unit: 'ms' }],
    };
  } finally {
    await browser.close();
    await serving.close();
    await app.close();
  }
}

async function rows(page: Page, count: number): Promise<void> {
  await page.waitForFunction(
    (wanted) => document.querySelectorAll('tbody a[data-row]').length === wanted,
    count,
  );
}

/** From the change of the address until the frame after the rows are there, ms. */
function openMs(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const start = performance.now();
        const look = (): void => {
          if (document.querySelectorAll('tbody a[data-row]').length === 0) requestAnimationFrame(look);
          else requestAnimationFrame(() => resolve(performance.now() - start));
        };
        window.location.hash = '#/runs';
        requestAnimationFrame(look);
      }),
  );
}

/** From a text in the field until the frame after only the run it finds is there, ms. */
function searchMs(page: Page, text: string): Promise<number> {
  const found = page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let start = Number.NaN;
        const look = (): void => {
          if (document.querySelectorAll('tbody a[data-row]').length !== 1) requestAnimationFrame(look);
          else requestAnimationFrame(() => resolve(performance.now() - start));
        };
        document.addEventListener(
          'input',
          () => {
            start = performance.now();
            requestAnimationFrame(look);
          },
          { once: true },
        );
      }),
  );
  return page
    .getByRole('textbox', { name: 'Search runs' })
    .fill(text)
    .then(() => found);
}
