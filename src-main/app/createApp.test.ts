import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadPlan, openTestApp, removeFolder, type TestApp } from './testApp.ts';

let app: TestApp;
beforeEach(async () => {
  app = await openTestApp();
});
afterEach(async () => {
  await app.close();
  removeFolder(app.folder);
});
const endOf = (id: string) => app.until('run.changed', ({ head, final }) => final && head.id === id);
/** Far more rows than any test waits for. */
const endless = loadPlan(1000, 24 * 300);

describe('a run on the null target', () => {
  test('is recorded, heard second by second, ends once, and is kept as it was heard', async () => {
    const head = await app.api.call('runs.start', { plan: loadPlan(100, 24), targetId: 'null' });
    expect(head).toMatchObject({ status: 'preparing', targetName: 'null', engine: 'null' });
    expect(await app.api.call('runs.list', {})).toMatchObject([{ id: head.id }]);
    const { head: ended } = await endOf(head.id);
    expect(ended.status).toBe('finished');
    expect(ended.rows).toBe(100 * 24 * 360);
    expect(await app.api.call('runs.progress', null)).toEqual([]);

    const run = await app.api.call('runs.get', { id: head.id });
    expect(run).toMatchObject({ ...ended, plan: { name: 'A load' }, seed: 123 });
    expect(run.phases).toMatchObject([{ name: 'tsbs.load', rows: 864_000, metrics: 8_640_000 }]);
    const { ticks, events } = await app.api.call('runs.series', { id: head.id });
    expect(ticks).toEqual(app.heardOf('run.tick'));
    expect(ticks.flatMap((tick) => tick.operations).reduce((sum, { rows }) => sum + rows, 0)).toBe(864_000);
    expect(events).toEqual(app.heardOf('run.event').sort((a, b) => a.atMs - b.atMs));
    expect(app.heardOf('run.changed').filter(({ final }) => final)).toHaveLength(1);
    expect(app.heardOf('lists.changed')).toContainEqual({ what: 'runs' });
    expect(await app.api.call('runs.text', { id: head.id })).toContain('loaded 864000 rows in');
    await app.until('lists.changed', ({ what }) => what === 'targets');
    const targets = await app.api.call('targets.list', null);
    expect(targets.find(({ id }) => id === 'null')?.lastSeen).toEqual(run.server);
  });

  test('can be stopped: what was measured is kept; meanwhile no other starts and nothing is reset', async () => {
    const head = await app.api.call('runs.start', { plan: endless, targetId: 'null' });
    await app.until('run.tick', ({ operations }) => operations.some(({ rows }) => rows > 0));
    const second = app.api.call('runs.start', { plan: loadPlan(1, 1), targetId: 'null' });
    await expect(second).rejects.toMatchObject({ code: 'run-active' });
    await expect(app.api.call('sandbox.reset', null)).rejects.toMatchObject({ code: 'run-active' });
    await expect(app.api.call('runs.remove', { ids: [head.id] })).rejects.toMatchObject({
      code: 'run-active',
    });
    expect(await app.api.call('runs.progress', null)).toMatchObject([{ runId: head.id, status: 'running' }]);
    await app.api.call('runs.stop', { id: head.id });
    const run = await app.api.call('runs.get', { id: head.id });
    expect(run.status).toBe('cancelled');
    expect(run.rows).toBeGreaterThan(0);
    expect(app.heardOf('run.changed').filter(({ final }) => final)).toHaveLength(1);
  });

  test('closing the app stops it and keeps it, and may be asked for twice', async () => {
    const head = await app.api.call('runs.start', { plan: endless, targetId: 'null' });
    await app.until('run.tick', () => true);
    await Promise.all([app.close(), app.close()]);
    await app.close();
    const again = await openTestApp(app.folder);
    expect(await again.api.call('runs.get', { id: head.id })).toMatchObject({ status: 'cancelled' });
    await again.close();
  });

  test('ends before anything is loaded when it has queries that the target cannot answer', async () => {
    const load = loadPlan(10, 1);
    const plan = {
      ...load,
      steps: [...load.steps, { 'tsbs.queries': { types: ['lastpoint'], queries: 10 } }],
    };
    const { id } = await app.api.call('runs.start', { plan, targetId: 'null' });
    await endOf(id);
    const run = await app.api.call('runs.get', { id });
    expect(run).toMatchObject({ status: 'failed', phases: [], error: { code: 'unsupported' } });
  });

  test('can be renamed, tagged, noted, deleted and brought back', async () => {
    const { id } = await app.api.call('runs.start', { plan: loadPlan(10, 1), targetId: 'null' });
    await endOf(id);
    const patch = { id, name: 'Mine', tags: ['a', 'b', 'a'], notes: 'slow card' };
    expect(await app.api.call('runs.update', patch)).toMatchObject({ ...patch, tags: ['a', 'b'] });
    expect(await app.api.call('runs.update', { id })).toMatchObject({ name: 'Mine' });
    expect(await app.api.call('runs.list', { filter: 'CARD tag:b' })).toHaveLength(1);
    await app.api.call('runs.remove', { ids: [id] });
    expect(await app.api.call('runs.list', {})).toEqual([]);
    await expect(app.api.call('runs.get', { id })).rejects.toMatchObject({ code: 'not-found' });
    await app.api.call('runs.restore', { ids: [id] });
    expect(await app.api.call('runs.get', { id })).toMatchObject({ name: 'Mine', rows: 3600 });
  });
});

test('the sandbox: a plan is checked, run, its rows are counted, and its queries answered', async () => {
  const plan = loadPlan(10, 2);
  plan.steps.push({ 'tsbs.queries': { types: ['lastpoint', 'single-groupby-1-1-1'], queries: 100 } });
  const check = await app.api.call('plans.check', { plan, targetId: 'sandbox' });
  expect(check.items.filter(({ ok }) => !ok)).toEqual([]);
  expect(check.ok).toBe(true);
  expect(check.items.map(({ title }) => title)).toEqual([
    'Plan',
    'Connect to sandbox',
    'Describe the server',
    'Make a scratch database',
    'Write 100 rows',
    'Open benchberry_check for queries',
    'Query lastpoint',
    'Query single-groupby-1-1-1',
    'Remove the scratch database',
  ]);
  const { id } = await app.api.call('runs.start', { plan, targetId: 'sandbox' });
  await endOf(id);
  const run = await app.api.call('runs.get', { id });
  expect(run.error).toBeNull();
  expect(run.phases[0]).toMatchObject({ rows: 7200, verifiedRows: 7200 });
  expect(run.phases[1]?.operations.map(({ name, count, errors }) => [name, count, errors])).toEqual([
    ['lastpoint', 100, 0],
    ['single-groupby-1-1-1', 100, 0],
    ['all queries', 200, 0],
  ]);
  const [sandbox] = await app.api.call('targets.list', null);
  expect(sandbox).toMatchObject({ name: 'sandbox', builtIn: true, lastSeen: { product: 'PostgreSQL' } });
  await app.api.call('sandbox.reset', null);
  expect(await app.api.call('targets.test', { id: 'sandbox', secret: null })).toMatchObject({
    engine: 'sandbox',
  });
});

test('plans: samples stay as they are, own ones are saved, removed and restored; texts go both ways', async () => {
  const samples = await app.api.call('plans.list', null);
  expect(samples.length).toBeGreaterThan(0);
  expect(samples.every(({ sample }) => sample)).toBe(true);
  for (const { id, plan } of samples) {
    expect(await app.api.call('plans.validate', { plan })).toMatchObject({ problems: [] });
    const text = await app.api.call('plans.toYaml', { plan });
    expect(await app.api.call('plans.parse', { text, fileName: null })).toEqual(plan);
    await expect(app.api.call('plans.save', { id, plan })).rejects.toMatchObject({ code: 'bad-input' });
    await expect(app.api.call('plans.remove', { id })).rejects.toMatchObject({ code: 'bad-input' });
  }
  const saved = await app.api.call('plans.save', { id: null, plan: loadPlan(1, 1) });
  expect((await app.api.call('plans.list', null)).map(({ id }) => id)).toContain(saved.id);
  await app.api.call('plans.remove', { id: saved.id });
  await expect(app.api.call('plans.get', { id: saved.id })).rejects.toMatchObject({ code: 'not-found' });
  await expect(app.api.call('plans.save', { id: saved.id, plan: saved.plan })).rejects.toMatchObject({
    code: 'not-found',
  });
  expect(await app.api.call('plans.restore', { id: saved.id })).toEqual(saved);
  expect(app.heardOf('lists.changed').filter(({ what }) => what === 'plans')).toHaveLength(3);
});

test('a bad plan is no run: the first problem is the error, with its field', async () => {
  const start = app.api.call('runs.start', { plan: loadPlan(0, 1), targetId: 'null' });
  await expect(start).rejects.toMatchObject({
    code: 'bad-input',
    place: { field: 'steps[0].tsbs.load.scale' },
  });
  const text = 'version: 1\nname: A\nsteps:\n  - tsbs.load:\n      scale: 0\n';
  await expect(app.api.call('plans.parse', { text, fileName: 'a.yaml' })).rejects.toMatchObject({
    code: 'bad-input',
    place: { file: 'a.yaml', line: 5, column: 14 },
  });
  expect(await app.api.call('runs.list', {})).toEqual([]);
  expect(await app.api.call('plans.check', { plan: loadPlan(0, 1), targetId: 'null' })).toMatchObject({
    ok: false,
    items: [{ ok: false, title: 'Plan' }],
  });
});

test('settings are kept, and what the app is can be asked', async () => {
  await app.api.call('settings.save', { theme: 'dark' });
  const info = await app.api.call('app.info', null);
  expect(info).toMatchObject({
    dataFolder: app.folder,
    secrets: { kind: 'memory' },
    notices: [],
    settings: { theme: 'dark' },
  });
  const engines = await app.api.call('engines.list', null);
  expect(engines.map(({ id }) => id)).toEqual(expect.arrayContaining(['postgresql', 'sandbox', 'null']));
  const [tsbs] = await app.api.call('workloads.list', null);
  expect(tsbs?.steps.map(({ id }) => id)).toEqual(['tsbs.load', 'tsbs.queries', 'tsbs.file']);
});
