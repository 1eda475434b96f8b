import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestApp, removeFolder, type TestApp } from '../../../src-main/app/testApp.ts';
import type { Plan } from '../../../src-shared/model/plan.ts';
import { preset } from '../presets.ts';
import { questdbPrograms } from './fetch.ts';
import { type QuestdbServer, startQuestdb } from './server.ts';

// What the vendor's article did on a Raspberry Pi 5, as it comes with the program, with fewer rows and queries.

let server: QuestdbServer;
let app: TestApp;
let targetId: string;
beforeAll(async () => {
  server = await startQuestdb(questdbPrograms());
  app = await openTestApp();
  const connection = {
    host: '127.0.0.1',
    port: server.port,
    wirePort: Number(server.connection.wirePort),
  };
  const draft = { id: null, name: 'pi-5', engine: 'questdb', secret: 'quest' };
  ({ id: targetId } = await app.api.call('targets.save', { ...draft, connection }));
});
afterAll(async () => {
  await app?.close();
  removeFolder(app.folder);
  await server?.stop();
});

/** The steps, with other values for parameters that each has. */
const changed = (plan: Plan, values: Record<string, Record<string, number>>): Plan => ({
  ...plan,
  steps: plan.steps.map((step) =>
    Object.fromEntries(
      Object.entries(step).map(([id, given]) => {
        expect(Object.keys(given)).toEqual(expect.arrayContaining(Object.keys(values[id] ?? {})));
        return [id, { ...given, ...values[id] }];
      }),
    ),
  ),
});

it('the sweep of scales and workers: a run for each cell, all rows counted', async () => {
  const rows = 20_000;
  const plan = changed(preset('questdb-raspberry-pi-5-load.yaml'), { 'tsbs.load': { limit: rows } });
  const { id } = await app.api.call('series.start', { plan, targetIds: [targetId] });
  const series = await app.until('series.changed', (one) => one.id === id && one.endedAt !== null);
  expect(series.outcome).toBe('finished');
  expect(series.parameters.map(({ values }) => values)).toEqual([
    [100, 1000, 4000, 100_000, 1_000_000],
    [4, 8, 12],
  ]);
  const runs = await Promise.all(
    series.members.map(({ runIds }) => app.api.call('runs.get', { id: runIds[0] ?? '' })),
  );
  expect(runs).toHaveLength(15);
  for (const { error, phases } of runs) {
    expect(error).toBeNull();
    expect(phases[0]).toMatchObject({ rows, verifiedRows: rows });
    expect(phases[0]?.visible?.rowsPerSecond).toBeGreaterThan(0);
  }
});

it('the fifteen types of queries', async () => {
  const plan = changed(preset('questdb-raspberry-pi-5-queries.yaml'), {
    // Thirteen hours, since queries look at twelve.
    'tsbs.load': { scale: 10, limit: 10 * 13 * 360 },
    'tsbs.queries': { queries: 5 },
  });
  const { id } = await app.api.call('runs.start', { plan, targetId });
  await app.until('run.changed', ({ head, final }) => final && head.id === id);
  const run = await app.api.call('runs.get', { id });
  expect(run.error).toBeNull();
  const operations = run.phases[1]?.operations ?? [];
  expect(operations).toHaveLength(16);
  for (const { name, count, errors } of operations)
    expect([name, count, errors]).toEqual([name, name === 'all queries' ? 75 : 5, 0]);
});
