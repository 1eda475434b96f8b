import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from '@playwright/test';
import { ensureBrowser } from '../../scripts/browser.ts';
import { expect, test } from './recordedRuns.ts';

/** What a page says and asks for while it is opened from the disk. */
async function openFromDisk(file: string): Promise<{ heard: string[]; text: string }> {
  const browser = await chromium.launch({ executablePath: await ensureBrowser() });
  try {
    const page = await browser.newPage();
    const heard: string[] = [];
    page.on('console', (message) => heard.push(message.text()));
    page.on('pageerror', (error) => heard.push(String(error)));
    page.on('request', (request) => heard.push(request.url()));
    await page.goto(pathToFileURL(file).href);
    await expect(page.locator('svg[role=img]').first()).toBeVisible();
    return { heard, text: (await page.locator('body').textContent()) ?? '' };
  } finally {
    await browser.close();
  }
}

const report = `pgbench (15.18)
transaction type: <builtin: TPC-B (sort of)>
number of clients: 10
number of threads: 2
duration: 3600 s
number of transactions actually processed: 772292
latency average = 46.614 ms
latency stddev = 875.019 ms
tps = 214.523484 (without initial connection time)
`;

test('a run is shared as a page, an old report is imported, and a published benchmark is run', async ({
  page,
  dataFolder,
  frontDoor,
}) => {
  test.setTimeout(180_000);
  const rail = page.getByRole('navigation', { name: 'Main' });
  await rail.getByRole('link', { name: 'Runs' }).click();
  await page.getByRole('link', { name: 'First look' }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Web page' }).click();
  const file = join(dataFolder, 'report.html');
  await (await download).saveAs(file);
  expect((await download).suggestedFilename()).toMatch(/^first-look-on-null-\w+\.html$/);
  const { heard, text } = await openFromDisk(file);
  expect(heard).toEqual([pathToFileURL(file).href]);
  expect(text).toContain('First look on null');
  expect(await readFile(file, 'utf8')).not.toContain(dataFolder);

  await rail.getByRole('link', { name: 'Runs' }).click();
  await page.getByRole('button', { name: 'Import…' }).click();
  await page.getByRole('textbox', { name: 'What is to be imported' }).fill('not a report');
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await expect(page.getByText('This is nothing that can be imported')).toBeVisible();
  await page.getByRole('textbox', { name: 'What is to be imported' }).fill(report);
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^pgbench, <builtin: TPC-B/);
  await expect(page.getByRole('button', { name: /^Verdict: Imported/ })).toBeVisible();
  await expect(page.getByRole('cell', { name: '772,292' })).toBeVisible();
  await expect(page.getByText('Percentiles of the latency')).toBeVisible();

  await rail.getByRole('link', { name: 'Home' }).click();
  const gallery = page.getByRole('region', { name: 'Published benchmarks' });
  await gallery.getByRole('link', { name: 'TSBS load, loader on a laptop' }).click();
  await expect(page.getByRole('button', { name: /^Verdict: Published/ })).toBeVisible();
  await expect(
    page.getByText('The Pi itself').or(page.getByText('A laptop over Wi-Fi')).first(),
  ).toBeVisible();
  // What follows is the same through every door, and takes a server: once is enough.
  if (frontDoor !== 'serve') return;
  await page.getByRole('button', { name: /on my Pi$/ }).click();
  await page.getByRole('button', { name: 'Run on sandbox' }).click();
  // The run itself is not waited for: that it is on, and what it is held against, is the flow.
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    /Raspberry Pi 3 \(2021\), load on sandbox$/,
    {
      timeout: 60_000,
    },
  );
  await page.getByRole('button', { name: 'Stop' }).first().click();
  const beside = page.getByRole('region', { name: 'Published figures' });
  await expect(beside.getByText('TSBS load, loader on the Pi itself')).toBeVisible({ timeout: 60_000 });
});
