import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { createApp } from '../../src-main/app/createApp.ts';
import { memorySecrets } from '../../src-main/app/secrets.ts';
import { openStore } from '../../src-main/store/openStore.ts';
import { makeOperation, makeRun, makeTick } from '../../src-main/store/testRun.ts';
import type { Api } from '../../src-shared/contract/api.ts';
import type { Channel } from '../../src-shared/contract/channel.ts';
import { connectApi } from '../../src-shared/contract/client.ts';
import { serveApi } from '../../src-shared/contract/server.ts';
import type { Tick } from '../../src-shared/model/tick.ts';
import { type BenchResult, median, type Suite } from './bench.ts';
import { manyRuns, nightly, recordManyRuns } from './manyRuns.ts';

const ticks = 3600;
const operations = 6;
const repeats = 5;
const hour = 'hour';

/** What the core does for a screen that opens: from the file to checked objects on the other side of a channel. */
export const openSuite: Suite = {
  name: 'open',
  about: `a run of ${ticks.toLocaleString('en-US')} seconds with ${operations} operations, among ${manyRuns.toLocaleString('en-US')} runs`,
  async run(log) {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'benchberry-open-'));
    try {
      log('recording');
      seed(folder);
      return await measure(folder, log);
    } finally {
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    }
  },
};

function seed(folder: string): void {
  recordManyRuns(folder);
  const store = openStore(folder);
  const owner = { pid: 1, startedAt: 1 };
  const verdicts = [{ code: 'valid' as const, reason: 'Nothing speaks against these figures.', advice: '' }];
  store.runs.create(makeRun({ id: hour, name: 'An hour', status: 'finished', verdicts }), owner);
  for (let seq = 0; seq < ticks; seq += 1) store.runs.appendTick(secondOf(seq), []);
  store.close();
}

/** Digits as long as measured ones have them: a tick of zeros would be read faster. */
function secondOf(seq: number): Tick {
  const wave = 1 + Math.sin(seq / 40) / 3 + ((seq * 7919) % 101) / 400;
  const us = (factor: number) => 10_000 * wave * factor;
  const latency = {
    count: Math.round(120 * wave),
    min: Math.round(us(0.4)),
    mean: us(1) / 3,
    p50: Math.round(us(0.9)),
    p90: Math.round(us(2)),
    p95: Math.round(us(3)),
    p99: Math.round(us(6)),
    p999: Math.round(us(9)),
    max: Math.round(us(10)),
    stddev: us(0.8) / 3,
    sum: Math.round(us(120)),
  };
  return makeTick({
    runId: hour,
    seq,
    operations: Array.from({ length: operations }, (_, i) =>
      makeOperation({
        name: `query-type-${i}`,
        latencyUs: latency,
        serviceUs: latency,
        rows: Math.round(us(1)),
      }),
    ),
  });
}

async function measure(folder: string, log: (line: string) => void): Promise<BenchResult> {
  const app = await createApp({ dataFolder: folder, secrets: memorySecrets() });
  const { port1, port2 } = new MessageChannel();
  serveApi(portChannel(port1), app.handlers, app.events);
  const api = connectApi(portChannel(port2), () => undefined);
  try {
    log(`each ${repeats} times, after once to warm up`);
    const open = await medianMs(async () => {
      const [run, series] = await Promise.all([
        api.call('runs.get', { id: hour }),
        api.call('runs.series', { id: hour }),
      ]);
      if (run.id !== hour) throw new Error('another run');
      return series.ticks.length;
    }, ticks);
    const goal = (name: string, value: number, limit: number) => ({
      name,
      value,
      unit: 'ms',
      must: 'at-most' as const,
      limit,
    });
    return {
      goals: [
        // The screen has a second for this and for drawing.
        goal('runs.get and runs.series of an hour', open, 500),
        ...(await listGoals(api)).map(([name, ms]) => goal(`${name} among ${all}`, ms, 100)),
      ],
      facts: [
        {
          name: `all ${all} listed`,
          value: await listMs(api, '', manyRuns, manyRuns),
          unit: 'ms',
        },
      ],
    };
  } finally {
    port2.close();
    await app.close();
  }
}

/** What the screen asks for as one types: a page of the list for each kind of filter, and what there is to choose from. */
async function listGoals(api: Api): Promise<[name: string, ms: number][]> {
  const found: [name: string, ms: number][] = [];
  for (const [name, filter, expected] of [
    ['a page of the list', '', page],
    ['words', '"Run 9998" card', 1],
    ['a tag', `tag:${nightly}`, page],
    ['a model of the Pi', 'pi:"pi 5"', page],
    ['engine, version, verdict and date', 'engine:questdb version:16 -verdict:valid since:2024-06-01', page],
    ['what no run has', 'tag:none pi:5 words', 0],
  ] as const)
    found.push([name, await listMs(api, filter, expected, page)]);
  const choices = () => api.call('runs.facets', { filter: 'pi:5' }).then(({ facets }) => facets.length);
  found.push(['counts, and all values to choose from,', await medianMs(choices, await choices())]);
  return found;
}

/** As many as the screen fetches at once. */
const page = 100;
const all = `${manyRuns.toLocaleString('en-US')} runs`;

function listMs(api: Api, filter: string, expected: number, limit: number): Promise<number> {
  return medianMs(async () => (await api.call('runs.list', { filter, limit })).length, expected);
}

/** @throws Error where the work does not give what is expected: a wrong answer is not fast */
async function medianMs(work: () => Promise<number>, expected: number): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i <= repeats; i += 1) {
    const start = performance.now();
    const got = await work();
    if (i > 0) times.push(performance.now() - start);
    if (got !== expected) throw new Error(`${got} in place of ${expected}`);
  }
  return median(times);
}

function portChannel(port: MessagePort): Channel {
  return {
    send: (text) => port.postMessage(text),
    listen(onMessage, onClose) {
      port.on('message', (data) => onMessage(String(data)));
      port.once('close', onClose);
    },
    close: () => port.close(),
  };
}
