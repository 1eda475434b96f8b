import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Plan } from '../../src-shared/model/plan.ts';
import type { RunSeries } from '../../src-shared/model/runSeries.ts';
import { cellValues } from '../../src-shared/stats/runSeries.ts';
import { loadPlan, openTestApp, removeFolder, type TestApp } from './testApp.ts';

let app: TestApp;
beforeEach(async () => {
  app = await openTestApp();
});
afterEach(async () => {
  await app.close();
  removeFolder(app.folder);
});

const plan = (part: Partial<Plan> = {}, load: Plan['steps'][number][string] = {}): Plan => ({
  ...loadPlan(10, 1, load),
  ...part,
});
/** A server that nobody is behind: runs on it fail. */
const deadEnd = () => app.api.call('targets.resolve', { nameOrUrl: 'postgres://x:y@127.0.0.1:1/nothing' });
const ended = (id: string) =>
  app.until('series.changed', (series) => series.id === id && series.endedAt !== null);
const begunRuns = () => {
  const heads = app.heardOf('run.changed').map(({ head }) => head);
  return heads.filter(({ id }, i) => heads.findIndex((head) => head.id === id) === i);
};
/** Far more rows than any test waits for. */
const endless = loadPlan(1000, 24 * 300);

describe('a series', () => {
  test('runs round by round, each cell on all targets, and goes on past failed ones', async () => {
    const dead = await deadEnd();
    const given = plan({ repeat: 2 }, { scale: [10, 20] });
    const started = await app.api.call('series.start', { plan: given, targetIds: ['null', dead.id] });
    const series = await ended(started.id);
    expect(series).toMatchObject({ outcome: 'finished', targets: ['null', dead.name] });
    const order = series.members.map(({ cell, target, round }) => [
      round,
      ...cellValues(series.parameters, cell),
      series.targets[target] === 'null' ? 'A' : 'B',
    ]);
    expect(order).toEqual([
      [1, 10, 'A'],
      [1, 10, 'B'],
      [1, 20, 'A'],
      [1, 20, 'B'],
      [2, 10, 'A'],
      [2, 10, 'B'],
      [2, 20, 'A'],
      [2, 20, 'B'],
    ]);
    // As it was run, not only as it was planned.
    const heads = begunRuns();
    expect(heads.map(({ id }) => id)).toEqual(series.members.map(({ runIds }) => runIds[0]));
    expect(new Set(heads.map(({ group }) => group))).toEqual(new Set([series.id]));
    expect(heads[2]?.name).toBe(`A load (${series.parameters[0]?.label} 20, round 1 of 2)`);
    expect(series.members.map(({ figures }) => figures?.status)).toEqual(
      series.members.map(({ target }) => (target === 0 ? 'finished' : 'failed')),
    );
    const runs = await Promise.all(heads.map(({ id }) => app.api.call('runs.get', { id })));
    expect(runs.map(({ plan: own }) => [own.repeat, own.steps[0]?.['tsbs.load']?.scale])).toEqual(
      order.map(([, scale]) => [1, scale]),
    );
    expect(runs.filter(({ targetName }) => targetName === 'null').map(({ rows }) => rows)).toEqual([
      3600, 7200, 3600, 7200,
    ]);
    expect(series.members[2]?.figures?.rowsPerSecond).toBe(runs[2]?.rowsPerSecond);
  });

  test('is stopped as a whole and resumed where it was; a stop of one run is of that run only', async () => {
    const given = { ...endless, repeat: 3 };
    const { id } = await app.api.call('series.start', { plan: given, targetIds: ['null'] });
    await expect(app.api.call('series.start', { plan: given, targetIds: ['null'] })).rejects.toMatchObject({
      code: 'run-active',
    });
    await app.until('run.tick', () => true);
    const [first] = await app.api.call('runs.progress', null);
    await app.api.call('runs.stop', { id: first?.runId ?? '' });
    await app.until('series.progress', ({ member, settling }) => member === 1 && settling === null);
    const stopped = await app.api.call('series.stop', { id });
    expect(stopped).toMatchObject({ outcome: 'stopped' });
    const statuses = (series: RunSeries) => series.members.map(({ figures }) => figures?.status ?? null);
    expect(statuses(stopped)).toEqual(['cancelled', 'cancelled', null]);
    expect(await app.api.call('series.progress', null)).toBeNull();

    const resumed = await app.api.call('series.resume', { id });
    expect(resumed).toMatchObject({ endedAt: null, outcome: null });
    expect(resumed.members.map(({ runIds }) => runIds.length)).toEqual([2, 1, 0]);
    await expect(app.api.call('series.resume', { id })).rejects.toMatchObject({ code: 'run-active' });
    await app.api.call('series.stop', { id });
  });

  test('fails to be resumed where nothing is left, but runs failed ones again where that is wanted', async () => {
    const dead = await deadEnd();
    const { id } = await app.api.call('series.start', {
      plan: plan(),
      targetIds: ['null', dead.id],
    });
    await ended(id);
    await expect(app.api.call('series.resume', { id })).rejects.toMatchObject({ code: 'bad-input' });
    await app.api.call('series.resume', { id, failed: true });
    await app.until('series.changed', ({ resumedAt, endedAt }) => resumedAt !== null && endedAt !== null);
    const { members, outcome } = await app.api.call('series.get', { id });
    expect(members.map(({ runIds }) => runIds.length)).toEqual([1, 2]);
    expect(outcome).toBe('finished');
  });

  test('begins nothing more once its time is gone, and can be resumed', async () => {
    const given = plan({ repeat: 3, budget: '1ns' });
    const { id } = await app.api.call('series.start', { plan: given, targetIds: ['null'] });
    const series = await ended(id);
    expect(series.outcome).toBe('out-of-time');
    expect(series.members.map(({ runIds }) => runIds.length)).toEqual([1, 0, 0]);
    await app.api.call('series.resume', { id });
    await app.until('series.changed', ({ resumedAt, endedAt }) => resumedAt !== null && endedAt !== null);
    const { members } = await app.api.call('series.get', { id });
    expect(members.map(({ runIds }) => runIds.length)).toEqual([1, 1, 0]);
  });

  test('waits between its runs, tells what for, can be told to go on, and keeps nobody else out after it', async () => {
    const given = plan({ repeat: 3, settle: { idle: '1h', atMost: '10m' } });
    const { id } = await app.api.call('series.start', { plan: given, targetIds: ['null'] });
    const wait = await app.until('series.progress', ({ settling }) => settling !== null);
    expect(wait).toMatchObject({ id, member: 1, settling: { text: 'idle for 1:00:00' } });
    expect(await app.api.call('series.progress', null)).toMatchObject({ member: 1 });
    await expect(app.api.call('runs.start', { plan: plan(), targetId: 'null' })).rejects.toMatchObject({
      code: 'run-active',
    });
    await app.api.call('series.skipWait', { id });
    await app.until('series.progress', ({ member, settling }) => member === 2 && settling !== null);
    const stopped = await app.api.call('series.stop', { id });
    expect(stopped.members.map(({ settled }) => settled?.end ?? null)).toEqual([null, 'skipped', null]);
    await expect(app.api.call('series.skipWait', { id })).rejects.toMatchObject({ code: 'bad-input' });
    const { id: next } = await app.api.call('runs.start', { plan: plan(), targetId: 'null' });
    await app.until('run.changed', ({ head, final }) => final && head.id === next);
  });

  test('is refused for problems, a target twice, and too many runs; a single run for lists and repeats', async () => {
    const start = (part: Plan, targetIds = ['null']) =>
      app.api.call('series.start', { plan: part, targetIds });
    const refusal = { code: 'bad-input' };
    await expect(start(plan({}, { scale: [0, 1] }))).rejects.toMatchObject(refusal);
    await expect(start(plan({ repeat: 2 }), ['null', 'null'])).rejects.toMatchObject(refusal);
    await expect(start(plan({ repeat: 600 }), ['null', 'sandbox'])).rejects.toMatchObject(refusal);
    const once = (part: Plan) => app.api.call('runs.start', { plan: part, targetId: 'null' });
    await expect(once(plan({}, { scale: [1, 2] }))).rejects.toMatchObject(refusal);
    await expect(once(plan({ repeat: 2 }))).rejects.toMatchObject(refusal);
    expect(await app.api.call('series.list', null)).toEqual([]);
  });

  test('leaves the list with the last of its runs, and shows which of them are left out', async () => {
    const { id } = await app.api.call('series.start', { plan: plan({ repeat: 2 }), targetIds: ['null'] });
    const { members } = await ended(id);
    const ids = members.flatMap(({ runIds }) => runIds);
    await app.api.call('runs.leaveOut', { id: ids[1] ?? '', reason: 'a vacuum was on' });
    const [listed] = await app.api.call('series.list', null);
    expect(listed?.members.map(({ leftOut }) => leftOut)).toEqual([null, 'a vacuum was on']);
    await app.api.call('runs.remove', { ids });
    expect(await app.api.call('series.list', null)).toEqual([]);
  });
});

describe('what a series comes to', () => {
  const preview = (part: Plan, targetIds = ['null']) =>
    app.api.call('series.preview', { plan: part, targetIds });

  test('is told before it starts: runs, order, rows, what is made anew', async () => {
    const found = await preview(plan({ repeat: 3 }, { scale: [10, 20] }), ['null', 'sandbox']);
    expect(found).toMatchObject({ runs: 12, rows: 3 * 2 * (3600 + 7200), estimatedMs: null, warnings: [] });
    expect(found.order).toEqual([
      'Round by round: cell by cell, the last parameter changing fastest, each on null, then sandbox, then all again.',
      'Each run makes the database benchmark anew.',
    ]);
    expect(found.basis).toContain('nothing with these steps has been run on null yet');
  });

  test('is estimated from the last run of the same steps, by its rows', async () => {
    const { id } = await app.api.call('runs.start', { plan: loadPlan(100, 24), targetId: 'null' });
    const { head } = await app.until('run.changed', (event) => event.final && event.head.id === id);
    const tookMs = Date.parse(head.endedAt ?? '') - Date.parse(head.startedAt);
    const same = await preview({ ...loadPlan(100, 24), repeat: 5 });
    expect(same.estimatedMs).toBeCloseTo(tookMs * 5, -1);
    const idle = await preview({ ...loadPlan(100, 24), repeat: 5, settle: { idle: '30s', atMost: '10m' } });
    expect((idle.estimatedMs ?? 0) - (same.estimatedMs ?? 0)).toBeCloseTo(4 * 30_000, 0);
  });

  test('warns of rows that stay, of runs that will be refused, of a temperature that nobody reads, of many runs', async () => {
    const warnings = async (part: Plan) => (await preview(part)).warnings;
    expect(await warnings(plan({ repeat: 2 }, { doCreateDb: false }))).toEqual([
      expect.stringContaining('stay in benchmark for the next'),
    ]);
    expect(await warnings(plan({ repeat: 2 }, { doAbortOnExist: true }))).toEqual([
      expect.stringContaining('is refused'),
    ]);
    expect(await warnings(plan({ repeat: 2, settle: { idle: '0s', below: 55, atMost: '10m' } }))).toEqual([
      expect.stringContaining('null: no host is known'),
    ]);
    expect(await warnings(plan({ repeat: 200 }))).toEqual([expect.stringContaining('200 runs are many')]);
  });
});
