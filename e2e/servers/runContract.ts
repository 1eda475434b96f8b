import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Driver, Endpoint } from '../../src-main/databases/driver.ts';
import { testBench } from '../../src-main/runs/testBench.ts';
import { requestOf } from '../../src-main/runs/testRequest.ts';
import type { Run } from '../../src-shared/model/run.ts';
import { presetSteps } from './presets.ts';

const dbName = 'benchberry_run';
const load = { points: 30_000, selected: 300, selections: 12, batchSize: 3000, workers: 2, dbName };
const read = { readers: [1, 2], fetches: 60, coldFetches: 4 };
/** The article's cases as they come with the program. */
const presets = {
  tag: presetSteps('fetch-5000-of-10-million-by-tag.yaml'),
  'date-range': presetSteps('fetch-5000-of-10-million-by-date.yaml'),
};
const hour = { timestampStart: '2016-01-01T00:00:00Z', timestampEnd: '2016-01-01T00:20:00Z' };

/**
 * Runs to their end: select + fetch by tag and by date, where what comes back is what was inserted, else the run fails; and
 * TSBS's data, all of whose rows are counted.
 */
export function runContract(driver: Driver, endpoint: () => Promise<Endpoint>): void {
  let bench: ReturnType<typeof testBench>;
  beforeAll(() => {
    bench = testBench({});
  });
  afterAll(() => bench.close());

  async function done(steps: Record<string, unknown>[]): Promise<Run> {
    const request = requestOf(steps, { targetName: driver.id, driver, resolve: endpoint });
    const { id } = bench.runner.start(request);
    await bench.runner.ended(id);
    const run = bench.store.runs.get(id);
    expect(run?.error).toBeNull();
    if (run === null) throw new Error('the run is stored');
    return run;
  }

  it.each(['tag', 'date-range'] as const)(
    'selects by %s and fetches, as the article, smaller',
    async (select) => {
      const [loading, reading] = presets[select];
      expect(reading?.['fetch.read']).toMatchObject({ select });
      const run = await done([
        { 'fetch.load': { ...loading?.['fetch.load'], ...load } },
        { 'fetch.read': { ...reading?.['fetch.read'], ...read } },
      ]);
      expect(run.phases[0]).toMatchObject({ rows: 30_000, verifiedRows: 30_000 });
      expect(
        run.phases[1]?.operations.map(({ cache, readers, count, errors, rows }) => [
          ...[cache, readers],
          ...[count, errors, rows],
        ]),
      ).toEqual([
        ['first', 1, 4, 0, 1200],
        ['warm', 1, 60, 0, 18_000],
        ['first', 2, 8, 0, 2400],
        ['warm', 2, 120, 0, 36_000],
      ]);
      for (const { firstRowUs, latencyUs } of run.phases[1]?.operations ?? [])
        expect(firstRowUs?.count).toBe(latencyUs?.count);
      const { events } = bench.store.runs.series(run.id);
      expect(events.find(({ kind, text }) => kind === 'verify' && text.includes('fetches'))?.text).toBe(
        '12 different fetches compared with what was inserted: 3,600 rows, the sum of their values included',
      );
    },
  );

  it('loads TSBS’s servers, all nine tables of them', async () => {
    const run = await done([
      { 'tsbs.load': { useCase: 'devops', scale: 5, ...hour, batchSize: 1000, workers: 2, dbName } },
    ]);
    // Five hosts, nine tables, a row each 10 s for 20 minutes.
    expect(run.phases[0]).toMatchObject({ rows: 5 * 9 * 120, verifiedRows: 5 * 9 * 120 });
  });
}
