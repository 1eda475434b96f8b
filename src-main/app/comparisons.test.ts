import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Run } from '../../src-shared/model/run.ts';
import type { RunSeries } from '../../src-shared/model/runSeries.ts';
import { goodLoad } from '../runs/testBench.ts';
import { openStore } from '../store/openStore.ts';
import type { Store } from '../store/repositories.ts';
import { makeRun } from '../store/testRun.ts';
import { loadPlan, openTestApp, removeFolder, type TestApp } from './testApp.ts';

const owner = { pid: 1, startedAt: 1 };
const valid = { code: 'valid' as const, reason: '', advice: '' };

let app: TestApp;
let store: Store;
beforeEach(async () => {
  app = await openTestApp();
  store = openStore(app.folder);
});
afterEach(async () => {
  store.close();
  await app.close();
  removeFolder(app.folder);
});

function record(id: string, rowsPerSecond: number, part: Partial<Run> = {}): string {
  const phases = [{ ...goodLoad, rowsPerSecond }];
  const ended = { status: 'finished' as const, endedAt: '2026-01-31T12:01:00.000Z', verdicts: [valid] };
  store.runs.create(makeRun({ id, name: `Run ${id}`, phases, ...ended, ...part }), owner);
  return id;
}

/** A series of repeats, one run a member. */
function recordSeries(id: string, rates: readonly number[]): void {
  const runIds = rates.map((rate, i) => record(`${id}-${i + 1}`, rate, { group: id }));
  const series: RunSeries = {
    ...{ id, targets: ['sandbox'], parameters: [], outcome: 'finished', resumedAt: null },
    ...{ startedAt: '2026-01-31T12:00:00.000Z', endedAt: '2026-01-31T12:10:00.000Z' },
    plan: { ...makeRun().plan, repeat: rates.length },
    members: runIds.map((runId, i) => ({
      ...{
        cell: 0,
        target: 0,
        round: i + 1,
        plannedRows: 1,
        error: null,
        figures: null,
        leftOut: null,
        settled: null,
      },
      runIds: [runId],
    })),
  };
  store.series.save(series, owner);
}

const before = [1000, 1010, 990, 1005, 995];
const after = [1180, 1190, 1175, 1200, 1185];

describe('sides', () => {
  it('of repeats are compared with all that count, and name those that do not', async () => {
    const base = before.map((rate, i) => record(`a${i}`, rate));
    const side = after.map((rate, i) => record(`b${i}`, rate));
    record('slow', 100);
    await app.api.call('runs.leaveOut', { id: 'slow', reason: 'the fan had come off' });
    record('cut', 500, { status: 'cancelled' });
    const comparison = await app.api.call('comparisons.make', {
      sides: [
        { runIds: base, label: 'card' },
        { runIds: [...side, 'slow', 'cut'], label: 'NVMe' },
      ],
    });
    expect(comparison.sentence).toMatch(
      /^NVMe against card: 18\.\d % more rows\/s \(95 % interval 17\.\d to [12]\d\.\d %\), five against five\.$/,
    );
    expect(comparison.sides[1]).toEqual({
      label: 'NVMe',
      runIds: side,
      leftOut: [
        { id: 'slow', name: 'Run slow', reason: 'the fan had come off' },
        { id: 'cut', name: 'Run cut', reason: 'it was stopped' },
      ],
    });
    expect(comparison.caveats).toContain(
      'Left out: Run slow of NVMe (the fan had come off); Run cut of NVMe (it was stopped).',
    );
  });
  it('of another loader are not comparable, and there is no base beyond them', async () => {
    const { client } = makeRun();
    record('here', 1000);
    record('there', 2000, { client: client && { ...client, hostname: 'other' } });
    const sides = [{ runIds: ['here'] }, { runIds: ['there'] }];
    expect((await app.api.call('comparisons.make', { sides })).verdicts[1]).toMatchObject({
      kind: 'not-comparable',
      sentence: 'not comparable: the loader ran on another machine',
    });
    await expect(app.api.call('comparisons.make', { sides, base: 2 })).rejects.toMatchObject({
      code: 'bad-input',
    });
    await expect(app.api.call('comparisons.make', { sides: [{ runIds: ['gone'] }] })).rejects.toMatchObject({
      code: 'not-found',
    });
  });
});

describe('a baseline', () => {
  const plan = makeRun().plan.name;
  it('is what further runs of its plan are held against, repeats against repeats', async () => {
    recordSeries('old', before);
    recordSeries('new', after);
    expect(await app.api.call('baselines.compare', { runId: 'new-5' })).toBeNull();
    expect(await app.api.call('baselines.set', { side: 'old.0.0' })).toMatchObject({ plan, side: 'old.0.0' });
    const found = await app.api.call('baselines.compare', { runId: 'new-5' });
    expect(found?.side).toBe('new.0.0');
    expect(found?.comparison.verdicts[1]).toMatchObject({ kind: 'faster', n: { base: 5, side: 5 } });
    expect(await app.api.call('baselines.compare', { runId: 'old-2' })).toBeNull();
    expect(await app.api.call('baselines.ofRun', { runId: 'old-2' })).toMatchObject({
      ...{ side: 'old.0.0', runs: 5, isBaseline: true },
    });
    record('alone', 1100);
    expect(
      (await app.api.call('baselines.compare', { runId: 'alone' }))?.comparison.verdicts[1],
    ).toMatchObject({
      sentence: "can't tell: one run against five",
    });
  });
  it('is replaced, cleared, and none once its runs are deleted', async () => {
    record('a', 1000);
    record('b', 1100);
    await app.api.call('baselines.set', { side: 'a' });
    await app.api.call('baselines.set', { side: 'b' });
    expect((await app.api.call('baselines.list', null)).map(({ side }) => side)).toEqual(['b']);
    await app.api.call('runs.remove', { ids: ['b'] });
    expect(await app.api.call('baselines.compare', { runId: 'a' })).toBeNull();
    await app.api.call('runs.restore', { ids: ['b'] });
    expect(await app.api.call('baselines.compare', { runId: 'a' })).not.toBeNull();
    await app.api.call('baselines.clear', { plan });
    expect(await app.api.call('baselines.get', { plan })).toBeNull();
  });
  it('needs a run that has an end', async () => {
    record('cut', 500, { status: 'cancelled' });
    recordSeries('cut short', [1, 2]);
    store.runs.update('cut short-1', { status: 'failed' });
    store.runs.update('cut short-2', { status: 'interrupted' });
    await expect(app.api.call('baselines.set', { side: 'cut short' })).rejects.toMatchObject({
      code: 'bad-input',
      detail: 'Run cut short-1: it failed; Run cut short-2: it was interrupted',
    });
    await expect(app.api.call('baselines.set', { side: 'cut' })).rejects.toMatchObject({ code: 'bad-input' });
    await expect(app.api.call('baselines.set', { side: 'gone' })).rejects.toMatchObject({
      code: 'not-found',
    });
  });
});

it('a run is held against the thresholds of its plan when it has ended', async () => {
  const thresholds = ['errors <= 0', 'p99 < 1us', { noWorseThan: 'baseline 5%' }];
  const head = await app.api.call('runs.start', {
    plan: { ...loadPlan(1, 1), thresholds },
    targetId: 'null',
  });
  const { head: ended } = await app.until('run.changed', ({ final }) => final);
  const missed = ended.verdicts.filter(({ code }) => code === 'threshold-missed');
  expect(missed.map(({ reason }) => reason)).toEqual([
    expect.stringMatching(/^The plan wants p99 < 1us: .* less than 1\.00 µs wanted\.$/),
    'The plan wants noWorseThan: baseline 5%: there is no baseline of this plan to hold it against.',
  ]);
  expect(ended.verdicts.map(({ code }) => code)).not.toContain('valid');
  const { events } = await app.api.call('runs.series', { id: head.id });
  expect(events.map(({ text }) => text).filter((text) => text.startsWith('Threshold'))).toEqual([
    'Threshold kept: errors <= 0 (0 errors, at most 0 errors wanted)',
    expect.stringMatching(/^Threshold missed: p99 < 1us \(/),
    expect.stringMatching(/^Threshold missed: noWorseThan: baseline 5% \(/),
  ]);
});
