import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { chromium, type Page } from 'playwright-core';
import { ensureBrowser } from '../../scripts/browser.ts';
import { buildIfStale } from '../../scripts/build.ts';
import { createApp } from '../../src-main/app/createApp.ts';
import { memorySecrets } from '../../src-main/app/secrets.ts';
import { currentOwner } from '../../src-main/runs/owner.ts';
import { startServe } from '../../src-main/serve/startServe.ts';
import { openStore } from '../../src-main/store/openStore.ts';
import type { EventData, EventName } from '../../src-shared/contract/commands.ts';
import type { EventSource } from '../../src-shared/contract/server.ts';
import { type BenchResult, median, type Suite } from './bench.ts';
import { hourSeconds, recordHour, secondOf } from './hourOfTicks.ts';

const opens = 5;
const liveSeconds = 40;
/** Ticks come that much faster than in a real run: more work per second, not less. */
const livePaceMs = 500;
const panels = 6;

/** How the page copes with an hour of seconds in six charts: opening it, and standing beside it while more come. */
export const rendererSuite: Suite = {
  name: 'renderer',
  about: `a run of ${hourSeconds.toLocaleString('en-US')} seconds in ${panels} charts, saved and live`,
  async run(log) {
    await buildIfStale('renderer');
    const folder = await mkdtemp(path.join(os.tmpdir(), 'benchberry-bench-'));
    try {
      return await benchRenderer(folder, log);
    } finally {
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    }
  },
};

async function benchRenderer(folder: string, log: (line: string) => void): Promise<BenchResult> {
  log('recording two runs of an hour, one of them still on');
  const store = openStore(folder);
  recordHour(store.runs, currentOwner(), { id: 'saved', active: false });
  recordHour(store.runs, currentOwner(), { id: 'live', active: true });
  store.close();
  const app = await createApp({ dataFolder: folder, secrets: memorySecrets() });
  const { source, emit } = withOwnEvents(app.events);
  const serving = await startServe({ app: { handlers: app.handlers, events: source }, port: 0 });
  const browser = await chromium.launch({ executablePath: await ensureBrowser() });
  try {
    const page = await browser.newPage({ viewport: { width: 1920, height: 1080 } });
    await page.goto(serving.url);
    await page.waitForURL(new URL('/', serving.url).href);
    await page.getByRole('heading', { level: 1 }).waitFor();

    log(`opening the saved run ${opens} times`);
    const times: number[] = [];
    for (let i = 0; i < opens; i += 1) {
      await show(page, '#/settings');
      await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
      times.push(await openMs(page, '#/runs/saved'));
    }

    log(`${liveSeconds} further seconds while the run is on`);
    await show(page, '#/settings');
    await openMs(page, '#/runs/live');
    await page.evaluate(watchLongTasks);
    for (let i = 0; i < liveSeconds; i += 1) {
      emit('run.tick', secondOf('live', hourSeconds + i));
      await wait(livePaceMs);
    }
    const tasks = await page.evaluate(longTasks);
    const seconds = (liveSeconds * livePaceMs) / 1000;
    return {
      goals: [
        {
          name: 'opening an hour, slowest',
          value: Math.max(...times),
          unit: 'ms',
          must: 'at-most',
          limit: 1000,
        },
        {
          name: 'longest task while live',
          value: Math.max(0, ...tasks),
          unit: 'ms',
          must: 'at-most',
          limit: 100,
        },
      ],
      facts: [
        { name: 'opening an hour, median', value: median(times), unit: 'ms' },
        { name: 'tasks over 50 ms while live', value: tasks.length / seconds, unit: 'per second' },
      ],
    };
  } finally {
    await browser.close();
    await serving.close();
    await app.close();
  }
}

/** The core's events and, through the same channel, those of the bench: a run that is on without a server behind it. */
function withOwnEvents(events: EventSource) {
  const listeners = new Map<EventName, Set<(data: never) => void>>();
  const source: EventSource = {
    on(name, listener) {
      const set = listeners.get(name) ?? new Set();
      listeners.set(name, set.add(listener));
      const off = events.on(name, listener);
      return () => {
        set.delete(listener);
        off();
      };
    },
  };
  function emit<N extends EventName>(name: N, data: EventData<N>): void {
    for (const listener of listeners.get(name) ?? []) listener(data as never);
  }
  return { source, emit };
}

function show(page: Page, hash: string): Promise<void> {
  return page.evaluate((to) => {
    window.location.hash = to;
  }, hash);
}

/** From the change of the address until the frame after all panels have their lines, ms. */
function openMs(page: Page, hash: string): Promise<number> {
  return page.evaluate(
    ({ to, expected }) =>
      new Promise<number>((resolve) => {
        const start = performance.now();
        const look = (): void => {
          const drawn = [...document.querySelectorAll('[data-panel]')].filter((panel) =>
            panel.querySelector('path.recharts-line-curve'),
          );
          if (drawn.length < expected) requestAnimationFrame(look);
          else requestAnimationFrame(() => resolve(performance.now() - start));
        };
        window.location.hash = to;
        requestAnimationFrame(look);
      }),
    { to: hash, expected: panels },
  );
}

function watchLongTasks(): void {
  performance.clearMarks('long');
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) performance.mark('long', { detail: duration });
  }).observe({ type: 'longtask' });
}

function longTasks(): number[] {
  return performance
    .getEntriesByName('long')
    .flatMap((mark) =>
      mark instanceof PerformanceMark && typeof mark.detail === 'number' ? [mark.detail] : [],
    );
}
