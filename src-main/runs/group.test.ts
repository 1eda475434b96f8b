import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { RunHead } from '../../src-shared/model/run.ts';
import type { RunRequest } from './runner.ts';
import { fakeTarget, loadPhase, queriesPhase, refused, request, testBench } from './testBench.ts';

let bench: ReturnType<typeof testBench>;
beforeEach(() => {
  bench = testBench();
  ended = [];
});
afterEach(async () => {
  await bench.close();
});

/** Waits at its start until it is stopped. */
const hanging = (targetName: string, options: Parameters<typeof request>[2] = {}) =>
  request(fakeTarget(1), [loadPhase(1)], {
    targetName,
    resolve: (signal) =>
      new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    ...options,
  });
const quick = (targetName: string, options: Parameters<typeof request>[2] = {}) =>
  request(fakeTarget(100), [loadPhase(100)], { targetName, ...options });
const broken = (targetName: string) =>
  request(fakeTarget(1), [loadPhase(1)], { targetName, resolve: () => Promise.reject(refused()) });

/** Starts them and collects the runs by the place of their request. */
function startGroup(requests: readonly RunRequest[], atOnce: boolean) {
  const begun: { index: number; head: RunHead }[] = [];
  bench.runner.startGroup({
    group: 'rack',
    requests,
    atOnce,
    onBegin: (index, head) => begun.push({ index, head }),
    onRefused: (_, error) => {
      throw error;
    },
    onEnd: () => void ended.push(ends()),
  });
  return begun;
}

/** What had ended when the group did. */
let ended: string[][] = [];

async function over(): Promise<void> {
  for (let [active] = bench.runner.progress(); active; [active] = bench.runner.progress())
    await bench.runner.ended(active.runId);
}
const ends = () =>
  bench
    .all('run.changed')
    .filter(({ final }) => final)
    .map(({ head }) => `${head.targetName} ${head.status}`);

describe('a group in turn', () => {
  it('runs one after the other, whatever becomes of each, and keeps others out until all are through', async () => {
    const begun = startGroup([quick('a', { repeat: 2 }), broken('b'), quick('c')], false);
    expect(begun.map(({ index }) => index)).toEqual([0]);
    expect(() => bench.runner.start(quick('other'))).toThrow(expect.objectContaining({ code: 'run-active' }));
    await over();
    expect(begun.map(({ index, head }) => [index, head.name, head.group])).toEqual([
      [0, 'A plan (1 of 2)', 'rack'],
      [0, 'A plan (2 of 2)', 'rack'],
      [1, 'A plan', 'rack'],
      [2, 'A plan', 'rack'],
    ]);
    expect(ends()).toEqual(['a finished', 'a finished', 'b failed', 'c finished']);
    expect(ended).toEqual([ends()]);
    const next = bench.runner.start(quick('other'));
    expect((await bench.runner.ended(next.id)).status).toBe('finished');
  });

  it('goes on with the next when one is stopped, and ends when the group is', async () => {
    const begun = startGroup([hanging('a'), hanging('b'), quick('c')], false);
    await bench.runner.stop(begun[0]?.head.id ?? '');
    expect(begun.map(({ index }) => index)).toEqual([0, 1]);
    await bench.runner.stopGroup('another');
    expect(bench.runner.progress()).toHaveLength(1);
    await bench.runner.stopGroup('rack');
    expect(ends()).toEqual(['a cancelled', 'b cancelled']);
    expect(ended).toEqual([ends()]);
    expect(bench.runner.progress()).toEqual([]);
    expect((await bench.runner.ended(bench.runner.start(quick('other')).id)).status).toBe('finished');
  });
});

describe('a group at once', () => {
  it('has all runs active, each with its own progress, events and stop', async () => {
    const slow = request(fakeTarget(1_000, { hangAt: 500 }), [queriesPhase(['a'], 1_000)], {
      targetName: 'b',
    });
    const begun = startGroup([hanging('a'), slow, broken('c')], true);
    const [a, b, c] = begun.map(({ head }) => head.id);
    expect(bench.runner.progress().map(({ runId }) => runId)).toEqual([a, b, c]);
    expect((await bench.runner.ended(c ?? '')).status).toBe('failed');
    expect(() => bench.runner.start(quick('other'))).toThrow(expect.objectContaining({ code: 'run-active' }));
    await bench.runner.stop(a ?? '');
    expect(bench.runner.progress().map(({ runId }) => runId)).toEqual([b]);
    expect(bench.store.runs.series(b ?? '').events[0]).toMatchObject({
      kind: 'note',
      text: 'Runs at once with a, c: they share the processor and the network of this machine',
    });
    await bench.runner.stopGroup('rack');
    expect(ends().sort()).toEqual(['a cancelled', 'b cancelled', 'c failed']);
    expect(ended).toHaveLength(1);
  });

  it('says so in the verdict, and in none of a group in turn', async () => {
    const begun = startGroup([quick('a'), quick('b')], true);
    await over();
    startGroup([quick('c'), quick('d')], false);
    await over();
    const notes = bench
      .all('run.event')
      .filter(({ text }) => text.startsWith('Runs at once'))
      .map(({ runId }) => runId);
    expect(notes).toEqual(begun.map(({ head }) => head.id));
  });

  it('is stopped as a whole when the app ends', async () => {
    startGroup([hanging('a'), hanging('b')], true);
    await bench.runner.close();
    expect(ends().sort()).toEqual(['a cancelled', 'b cancelled']);
  });
});

describe('a group with waits', () => {
  /** Each request waits until it is let go on; the signal ends the wait. */
  function startWaiting(requests: readonly RunRequest[]) {
    const told: string[] = [];
    const waits: ((go: boolean) => void)[] = [];
    bench.runner.startGroup({
      group: 'series',
      requests,
      atOnce: false,
      onBegin: (index) => told.push(`begin ${index}`),
      onRefused: (_, error) => {
        throw error;
      },
      onEnded: (index, head) => told.push(`${head.status} ${index}`),
      before: (index, signal) =>
        new Promise((resolve) => {
          told.push(`wait ${index}`);
          waits.push(resolve);
          signal.addEventListener('abort', () => resolve(true));
        }),
      onEnd: () => told.push('end'),
    });
    return { told, go: (wanted: boolean) => waits.shift()?.(wanted), waits };
  }
  const until = (told: readonly string[], text: string) => vi.waitUntil(() => told.includes(text), 60_000);

  it('awaits each before it begins, keeps others out meanwhile, and ends where one says so', async () => {
    const { told, go } = startWaiting([quick('a'), quick('b'), quick('c')]);
    await until(told, 'wait 1');
    expect(bench.runner.progress()).toEqual([]);
    expect(() => bench.runner.start(quick('other'))).toThrow(expect.objectContaining({ code: 'run-active' }));
    go(true);
    await until(told, 'wait 2');
    go(false);
    await until(told, 'end');
    expect(told).toEqual(['begin 0', 'finished 0', 'wait 1', 'begin 1', 'finished 1', 'wait 2', 'end']);
  });

  it('is stopped in a wait: nothing begins any more, and the stop has seen the end', async () => {
    const { told } = startWaiting([quick('a'), quick('b')]);
    await until(told, 'wait 1');
    await bench.runner.stopGroup('series');
    expect(told).toEqual(['begin 0', 'finished 0', 'wait 1', 'end']);
    expect((await bench.runner.ended(bench.runner.start(quick('other')).id)).status).toBe('finished');
  });
});

it('refuses a group of nothing', () => {
  expect(() => startGroup([], true)).toThrow(expect.objectContaining({ code: 'bad-input' }));
});
