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

const ticks = 3600;
const operations = 6;
const runs = 10_000;
const repeats = 5;
const hour = 'hour';

/** What the core does for a screen that opens: from the file to checked objects on the other side of a channel. */
export const openSuite: Suite = {
  name: 'open',
  about: `a run of ${ticks.toLocaleString('en-US')} seconds with ${operations} operations, among ${runs.toLocaleString('en-US')} runs`,
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
  const store = openStore(folder);
  const owner = { pid: 1, startedAt: 1 };
  const verdicts = [
    { code: 'valid' as const, reason: 'Nothing speaks against these figures. '.repeat(3), advice: '' },
  ];
  for (let i = 0; i < runs - 1; i += 1) {
    const startedAt = new Date(Date.UTC(2026, 0, 1) + i * 60_000).toISOString();
    const tags = i % 10 === 0 ? ['nightly'] : [];
    const notes = 'A note about the card and the cooling of this board. '.repeat(4);
    store.runs.create(
      makeRun({
        id: `run-${i}`,
        name: `Run ${i}`,
        status: 'finished',
        startedAt,
        endedAt: startedAt,
        tags,
        notes,
        verdicts,
      }),
      owner,
    );
  }
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
        goal(`a list of 1,000 of ${runs.toLocaleString('en-US')} runs`, await listMs(api, {}, 1000), 100),
        goal(
          `a search among ${runs.toLocaleString('en-US')} runs`,
          await listMs(api, { filter: 'run 9998 card' }, 1),
          100,
        ),
        goal(
          `a tag among ${runs.toLocaleString('en-US')} runs`,
          await listMs(api, { filter: 'tag:nightly' }, 1000),
          100,
        ),
      ],
      facts: [
        {
          name: `all ${runs.toLocaleString('en-US')} runs listed`,
          value: await listMs(api, { limit: runs }, runs),
          unit: 'ms',
        },
      ],
    };
  } finally {
    port2.close();
    await app.close();
  }
}

function listMs(api: Api, filter: { filter?: string; limit?: number }, expected: number): Promise<number> {
  return medianMs(async () => (await api.call('runs.list', filter)).length, expected);
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
