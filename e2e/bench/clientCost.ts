import process from 'node:process';
import type { Driver } from '../../src-main/databases/driver.ts';
import { runJob } from '../../src-main/load/runJob.ts';
import { openTsbsRows } from '../../src-main/workloads/tsbs/openRows.ts';
import { type BenchResult, median } from './bench.ts';

/** A row of TSBS's cpu-only has so many points. */
const points = 10;
const rows = 200_000;
const batchSize = 5000;
const connections = [1, 2];
const spec = {
  workload: 'tsbs',
  parameters: {
    ...{ useCase: 'cpu-only', seed: 123, scale: 100, logInterval: '10s', limit: rows },
    ...{ timestampStart: '2016-01-01T00:00:00Z', timestampEnd: '2016-01-04T00:00:00Z' },
  },
};
const { signal } = new AbortController();

/**
 * What loading an engine costs the client, and that it is not the client that keeps it from being faster: its busiest
 * thread is not busy as a run would have to be that is told client-bound.
 * @param label of the server, with its version
 */
export async function clientCost(
  about: { label: string; driver: Driver; connection: unknown; engine?: Record<string, unknown> },
  log: (line: string) => void,
  pairs: number,
): Promise<BenchResult> {
  const { driver, label } = about;
  const result: BenchResult = { goals: [], facts: [] };
  const endpoint = await driver.resolve(about.connection, null, { dataFolder: '', signal });
  const session = await driver.openSession(endpoint, signal);
  const { dataset } = openTsbsRows(spec);
  for (const workers of connections) {
    const name = `${label}, ${workers} connection${workers === 1 ? '' : 's'}`;
    const found: Record<'rates' | 'cpu' | 'busy', number[]> = { rates: [], cpu: [], busy: [] };
    for (let turn = 0; turn <= pairs; turn += 1) {
      const options = { database: 'benchmark', doCreateDb: true, doAbortOnExist: false };
      const engine = driver.loadOptions.parse(about.engine ?? {});
      const prepared = await session.prepare(dataset, { ...options, engine }, signal);
      await session.writeDevices(prepared, dataset, signal);
      const before = process.cpuUsage();
      const busy: number[] = [];
      const work = {
        ...{ kind: 'load' as const, rows: spec, prepared, workers, batchSize },
        ...{ hashWorkers: false, insertIntervals: [], seed: 0 },
      };
      const done = await runJob(
        { endpoint, work },
        { signal, onSnapshot: ({ client }) => busy.push(client.busiest) },
      );
      const { user, system } = process.cpuUsage(before);
      if (done.error) throw done.error;
      await session.awaitVisible?.(prepared, rows, () => undefined, signal);
      const counted = Object.values(await session.count(prepared, signal)).reduce((sum, n) => sum + n, 0);
      if (counted !== rows) throw new Error(`${counted} rows in place of ${rows}`);
      // The first load warms both up.
      if (turn === 0) continue;
      found.rates.push(rows / ((done.endNs - done.startNs) / 1e9));
      found.cpu.push(((user + system) / 1e6 / (rows * points)) * 1e6);
      found.busy.push(median(busy));
      log(`${name}, ${turn} of ${pairs}: ${Math.round(found.rates.at(-1) ?? 0)} rows/s`);
    }
    result.facts.push(
      { name: `${name}: loaded`, value: median(found.rates), unit: 'rows/s' },
      { name: `${name}: client CPU a million points`, value: median(found.cpu), unit: 's' },
    );
    result.goals.push({
      ...{ name: `${name}: busiest thread of the client`, value: median(found.busy), unit: '' },
      ...{ must: 'at-most' as const, limit: 0.9 },
    });
  }
  await session.close();
  return result;
}
