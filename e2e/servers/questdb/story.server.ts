import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestApp, removeFolder, type TestApp } from '../../../src-main/app/testApp.ts';
import { questdbDriver } from '../../../src-main/databases/questdb/index.ts';
import { iotQueryTypes } from '../../../src-main/workloads/tsbs/queries/queryTypes.ts';
import type { Plan } from '../../../src-shared/model/plan.ts';
import { questdbPrograms } from './fetch.ts';
import { type QuestdbServer, startQuestdb } from './server.ts';

// What a user does: adds a target, tests it, runs TSBS on it, looks at what came out.

const { signal } = new AbortController();
let server: QuestdbServer;
let app: TestApp;
beforeAll(async () => {
  server = await startQuestdb(questdbPrograms(), {
    ...{ 'http.user': 'admin', 'http.password': 'p:ss wörd', 'pg.password': 'p:ss wörd' },
  });
  app = await openTestApp();
});
afterAll(async () => {
  await app?.close();
  removeFolder(app.folder);
  await server?.stop();
});

const draft = () => ({
  ...{ id: null, name: 'pi-quest', engine: 'questdb', secret: 'p:ss wörd' },
  connection: { host: '127.0.0.1', port: server.port, wirePort: Number(server.connection.wirePort) },
});

it('the form has the fields of a QuestDB, and its words', async () => {
  const engines = await app.api.call('engines.list', null);
  const questdb = engines.find(({ id }) => id === 'questdb');
  expect(questdb?.connection.map(({ key }) => key)).toEqual([
    ...['host', 'port', 'queriesOver', 'wirePort', 'ilpPort', 'user', 'secretIs', 'tlsMode', 'caFile'],
  ]);
  expect(questdb?.connection.filter(({ advanced }) => !advanced).map(({ label }) => label)).toEqual([
    ...['Host', 'HTTP port', 'Queries over', 'User'],
  ]);
});

it('is tested, with the right password and the wrong one', async () => {
  await expect(
    app.api.call('targets.test', { draft: { ...draft(), secret: 'wrong' } }),
  ).rejects.toMatchObject({ code: 'wrong-password', secret: 'database' });
  await expect(app.api.call('targets.test', { draft: { ...draft(), secret: '' } })).rejects.toMatchObject({
    code: 'password-needed',
    secret: 'database',
  });
  const about = await app.api.call('targets.test', { draft: draft() });
  expect(about).toMatchObject({ product: 'QuestDB', dialect: 'questdb', database: 'qdb' });
  expect(JSON.stringify(about)).not.toContain('p:ss');
});

it('runs a TSBS plan: rows acknowledged and visible, counted, queries, all of it on record', async () => {
  const { id: targetId } = await app.api.call('targets.save', draft());
  const timestampEnd = '2016-01-01T12:00:00Z';
  const plan: Plan = {
    ...{ version: 1, name: 'TSBS on QuestDB', target: 'pi-quest', repeat: 1 },
    steps: [
      { 'tsbs.load': { scale: 100, timestampEnd, workers: 2, batchSize: 5000, partitionBy: 'HOUR' } },
      {
        'tsbs.queries': {
          ...{ types: ['single-groupby-1-1-1', 'cpu-max-all-1', 'lastpoint'], queries: 100, workers: 2 },
        },
      },
    ],
  };
  expect((await app.api.call('plans.validate', { plan })).problems).toEqual([]);
  const tried = await app.api.call('plans.check', { plan, targetId });
  expect(tried.items.filter(({ ok }) => !ok)).toEqual([]);
  expect(tried.items.map(({ detail }) => detail)).toContain('100 rows written and counted');
  const { id } = await app.api.call('runs.start', { plan, targetId });
  await app.until('run.changed', ({ head, final }) => final && head.id === id);
  const run = await app.api.call('runs.get', { id });
  expect(run.error).toBeNull();
  expect(run).toMatchObject({
    status: 'finished',
    engine: 'questdb',
    serverLabel: expect.stringContaining('QuestDB 9'),
  });
  const rows = 100 * 4320;
  const [load, queries] = run.phases;
  expect(load).toMatchObject({ rows, verifiedRows: rows, plannedRows: rows, metrics: rows * 10 });
  expect(load?.visible?.seconds).toBeGreaterThan(load?.seconds ?? Number.NaN);
  expect(load?.visible?.rowsPerSecond).toBeCloseTo(rows / (load?.visible?.seconds ?? Number.NaN), 6);
  expect(queries?.operations.map(({ name, count, errors }) => [name, count, errors])).toEqual([
    ['single-groupby-1-1-1', 100, 0],
    ['cpu-max-all-1', 100, 0],
    ['lastpoint', 100, 0],
    ['all queries', 300, 0],
  ]);
  expect(queries?.operations[2]?.rows).toBe(100 * 100);
  const { events, server: samples } = await app.api.call('runs.series', { id });
  expect(samples.length).toBeGreaterThan(2);
  for (const { applying, waits } of samples) {
    expect(applying?.suspended).toEqual([]);
    expect(applying?.residentBytes).toBeGreaterThan(50_000_000);
    expect(waits.samples).toBe(0);
  }
  expect(Math.max(...samples.map(({ applying }) => applying?.transactions ?? 0))).toBeGreaterThan(0);
  expect(samples.findLast(({ sizes }) => sizes !== null)?.sizes?.tables[0]?.name).toBe('cpu');
  // A plan that is only tried leaves the tables of the run alone.
  const again = await app.api.call('plans.check', { plan, targetId });
  expect(again.ok).toBe(true);
  expect(again.items.map(({ detail }) => detail).join()).toContain(
    'in the only database that the server has: cpu',
  );
  const reader = await questdbDriver.openReader(
    await questdbDriver.resolve(draft().connection, draft().secret, { dataFolder: '', signal }),
    'qdb',
    signal,
  );
  expect((await reader.run({ text: 'SELECT count() FROM cpu' }, signal, true)).values).toEqual([[`${rows}`]]);
  await reader.close();
  const texts = events.map(({ text }) => text).join('\n');
  expect(texts).toMatch(/all rows could be queried [\d.]+ s after the start/);
  expect(texts).not.toMatch(/TimescaleDB|chunk|hypertable/i);
  expect(run.verdicts.map(({ code }) => code)).not.toContain('rows-missing');
});

it('runs every query about trucks', async () => {
  const { id: targetId } = await app.api.call('targets.save', { ...draft(), name: 'pi-trucks' });
  const types = iotQueryTypes.map(({ name }) => name);
  const load = { useCase: 'iot', scale: 20, logInterval: '1m', timestampEnd: '2016-01-02T00:00:00Z' };
  const plan: Plan = {
    ...{ version: 1, name: 'Trucks on QuestDB', target: 'pi-trucks', repeat: 1 },
    steps: [{ 'tsbs.load': load }, { 'tsbs.queries': { types, queries: 5, workers: 2 } }],
  };
  expect((await app.api.call('plans.validate', { plan })).problems).toEqual([]);
  const { id } = await app.api.call('runs.start', { plan, targetId });
  await app.until('run.changed', ({ head, final }) => final && head.id === id);
  const run = await app.api.call('runs.get', { id });
  expect(run.error).toBeNull();
  expect(run.phases[0]?.verifiedRows).toBe(run.phases[0]?.rows);
  expect(run.phases[1]?.operations.map(({ name, count, errors }) => [name, count, errors])).toEqual([
    ...types.map((type) => [type, 5, 0]),
    ['all queries', 5 * types.length, 0],
  ]);
});
