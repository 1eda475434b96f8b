import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { z } from 'zod';
import { quoteText } from '../../src-main/databases/postgresql/statements.ts';
import { hypertable } from '../../src-main/databases/timescaledb/index.ts';
import { askPostgres } from './askPostgres.ts';
import { startBenchberry } from './command.ts';
import { ensureRootFs } from './rootFs.ts';
import { until } from './shell.ts';
import { bootPi, type VirtualPi } from './virtualPi.ts';

const resultSchema = z.object({
  id: z.string(),
  status: z.string(),
  verdicts: z.array(z.string()),
  phases: z.array(z.object({ name: z.string(), rows: z.number(), verifiedRows: z.number().nullable() })),
});

let pi: VirtualPi;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'benchberry-lab-'));
  pi = await bootPi(1, await ensureRootFs((line) => process.stderr.write(`${line}\n`)));
});
afterAll(async () => {
  await pi?.close();
  await rm(folder, { recursive: true, force: true });
});

const hours = 3;
const scale = 40;
const load = {
  useCase: 'cpu-only',
  scale,
  seed: 135,
  timestampStart: '2021-01-01T10:00:00Z',
  timestampEnd: '2021-01-01T13:00:00Z',
  batchSize: 1000,
  workers: 3,
  chunkTime: '1h',
};
/** Epochs of ten seconds × hosts: TSBS's own formula. */
const rows = ((hours * 3600) / 10) * scale;

describe('TimescaleDB on a virtual Pi', () => {
  it('takes a load over the network into a hypertable with chunks of the chosen size', async () => {
    const steps = [
      { 'tsbs.load': load },
      { 'tsbs.queries': { types: ['lastpoint', 'single-groupby-1-1-1'], queries: 100 } },
    ];
    const { code, result, errors } = await benchberry(steps);
    expect(result?.status, errors).toBe('finished');
    expect(result?.phases[0]).toMatchObject({ rows, verifiedRows: rows });
    // A load of a tenth of a million rows may be over too soon for a figure; nothing else may be wrong with it.
    expect(
      result?.verdicts.filter((v) => v !== 'too-short' && v !== 'client-bound' && v !== 'valid'),
    ).toEqual([]);
    expect(code).toBe(result?.verdicts.includes('valid') ? 0 : 1);

    expect(
      await ask('select hypertable_name::text, num_dimensions::int from timescaledb_information.hypertables'),
    ).toEqual([{ hypertable_name: 'cpu', num_dimensions: 1 }]);
    expect(
      await ask(`select count(*)::int as chunks, min(range_end - range_start)::text as shortest,
        max(range_end - range_start)::text as longest from timescaledb_information.chunks where hypertable_name = 'cpu'`),
    ).toEqual([{ chunks: hours, shortest: '01:00:00', longest: '01:00:00' }]);
    expect(await ask('select count(*)::int as n, count(distinct tags_id)::int as hosts from cpu')).toEqual([
      { n: rows, hosts: scale },
    ]);
    expect(await ask('select count(*)::int as n from tags')).toEqual([{ n: scale }]);
  });

  it('partitions by space when asked to', async () => {
    const { result } = await benchberry([{ 'tsbs.load': { ...load, partitions: 2 } }]);
    expect(result?.phases[0]).toMatchObject({ rows, verifiedRows: rows });
    expect(
      await ask(`select column_name::text, num_partitions::int from timescaledb_information.dimensions
        where hypertable_name = 'cpu' order by dimension_number`),
    ).toEqual([
      { column_name: 'time', num_partitions: null },
      { column_name: 'tags_id', num_partitions: 2 },
    ]);
  });

  it('takes the call that TimescaleDB before 2.13 knows, with the same result', async () => {
    const layout = `select hypertable_name::text, column_name::text, num_partitions::int, time_interval::text
      from timescaledb_information.dimensions where hypertable_name like 'by %' order by hypertable_name, dimension_number`;
    const make = async (table: string, version: string) => {
      await ask(`create table "${table}" (time timestamptz, tags_id integer)`);
      const options = {
        partitionColumn: quoteText('tags_id'),
        partitions: 2,
        replicationFactor: 0,
        chunkTime: '1h',
      };
      for (const sql of hypertable(version, { ...options, table: `"${table}"`, quoteText })) await ask(sql);
    };
    await make('by call', '2.12.2');
    await make('by builders', '2.13.0');
    const dimensions = [
      { column_name: 'time', num_partitions: null, time_interval: '01:00:00' },
      { column_name: 'tags_id', num_partitions: 2, time_interval: null },
    ];
    expect(await ask(layout)).toEqual(
      ['by builders', 'by call'].flatMap((name) => dimensions.map((d) => ({ hypertable_name: name, ...d }))),
    );
  });

  it('keeps what was acknowledged when the server restarts in mid-load', async () => {
    // A database of its own: the rows of the load before would be taken for the first ones.
    const long = { ...load, timestampEnd: '2021-01-03T10:00:00Z', batchSize: 500, dbName: 'restarted' };
    const running = benchberry([{ 'tsbs.load': long }]);
    await until('the first rows on the server', async () => {
      const [row] = await ask('select count(*)::int as n from cpu', 'restarted');
      return row !== undefined && Number(row.n) > 10_000 ? row : null;
    });
    await pi.exec('systemctl', 'restart', 'postgresql@17-main');
    const { code, result } = await running;
    expect(code).toBe(1);
    expect(result?.status).toBe('failed');
    const phase = result?.phases[0];
    expect(phase?.rows).toBeGreaterThan(10_000);
    await until('PostgreSQL after its restart', async () => (await ask('select 1 as up'))[0] ?? null);
    const [row] = await ask('select count(*)::int as n from cpu', 'restarted');
    // Each of the three connections may have had one batch committed whose acknowledgement never arrived.
    expect(Number(row?.n)).toBeGreaterThanOrEqual(phase?.rows ?? 0);
    expect(Number(row?.n)).toBeLessThanOrEqual((phase?.rows ?? 0) + 3 * 500);
  });
});

const ask = (sql: string, database = 'benchmark') => askPostgres(pi.postgresUrl, database, sql);

async function benchberry(steps: unknown[]) {
  const plan = join(folder, 'plan.yaml');
  await writeFile(plan, stringify({ version: 1, name: 'Lab', target: 'sandbox', steps }));
  const args = ['run', plan, '--target', pi.postgresUrl, '--json'];
  const { code, output, errors } = await startBenchberry(args, { BENCHBERRY_DATA: join(folder, 'data') })
    .ended;
  try {
    return { code, errors, result: output === '' ? null : resultSchema.parse(JSON.parse(output)) };
  } catch (error) {
    throw new Error(`the run printed no result:\n${output}\n${errors}`, { cause: error });
  }
}
