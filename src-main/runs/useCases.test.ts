import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Endpoint } from '../databases/driver.ts';
import { sandboxDriver } from '../databases/sandbox/index.ts';
import { dataFile } from '../workloads/tsbs/files.ts';
import { testBench } from './testBench.ts';
import { requestOf } from './testRequest.ts';

// What a load leaves in the database against TSBS's own file of the same data, row for row.
const never = new AbortController().signal;
let bench: ReturnType<typeof testBench>;
beforeAll(() => {
  bench = testBench({});
});
afterAll(async () => {
  await sandboxDriver.managed?.stop();
  await bench.close();
});
const resolve = (signal: AbortSignal): Promise<Endpoint> =>
  sandboxDriver.resolve({}, null, { dataFolder: bench.folder, signal });

const data = {
  seed: 123,
  scale: 6,
  timestampStart: '2016-01-01T00:00:00Z',
  timestampEnd: '2016-01-01T00:30:00Z',
  logInterval: '10s',
};

/** Rows of the file as `table device time values tags`; a row without its device's name belongs to none. */
function rowsOfFile(useCase: string): string[] {
  const spec = { workload: 'tsbs', parameters: { ...data, useCase } };
  const text = Buffer.concat([...dataFile(spec, 'timescaledb')]).toString('latin1');
  const [header = '', body = ''] = text.split('\n\n', 2);
  const own = (header.split('\n')[0]?.split(',').length ?? 1) - 1;
  const lines = body.trimEnd().split('\n');
  return lines.flatMap((line, i) => {
    if (i % 2 === 0) return [];
    const [table = '', nanos = '', ...values] = line.split(',');
    const tags = lines[i - 1]?.split(',').slice(1) ?? [];
    const name = tags[0]?.split('=')[1] ?? '';
    const further = tags.slice(own).map((tag) => tag.split('='));
    const json = further.length === 0 ? 'null' : JSON.stringify(Object.fromEntries(further.sort()));
    return [`${table} ${name} ${BigInt(nanos) / 1000n} ${values.join(',')} ${json}`];
  });
}

async function rowsOfServer(tables: readonly string[]): Promise<string[]> {
  const reader = await sandboxDriver.openReader(await resolve(never), 'benchmark', never);
  const rows: string[] = [];
  for (const table of tables) {
    const text = `SELECT t.*, d.name, (extract(epoch FROM t.time) * 1000000)::bigint FROM ${table} t
      LEFT JOIN (SELECT id, ${table === 'readings' || table === 'diagnostics' ? 'name' : 'hostname AS name'} FROM tags) d ON d.id = t.tags_id`;
    const { values = [] } = await reader.run({ text }, never, true);
    for (const row of values) {
      // time, tags_id, fields …, additional_tags, name, microseconds
      const [json, name, micros] = row.slice(-3);
      const fields = row.slice(2, -3).map((value) => (value === null ? '' : String(Number(value))));
      const tags = json
        ? JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(json)).sort()))
        : 'null';
      rows.push(`${table} ${name ?? ''} ${micros} ${fields.join(',')} ${tags}`);
    }
  }
  await reader.close();
  return rows;
}

const devopsTables = ['cpu', 'diskio', 'disk', 'kernel', 'mem', 'net', 'nginx', 'postgresl', 'redis'];

describe.each([
  ['cpu-single', ['cpu']],
  ['devops', devopsTables],
  ['iot', ['readings', 'diagnostics']],
] as const)('%s', (useCase, tables) => {
  it.each([
    [1, false, 'binary'],
    [3, false, 'text'],
    [3, true, 'insert'],
    [12, true, 'binary'],
  ] as const)(
    'holds TSBS’s rows, with %i workers, hashed: %s, by %s',
    async (workers, hashWorkers, writeMode) => {
      const steps = [{ 'tsbs.load': { ...data, useCase, workers, hashWorkers, writeMode, batchSize: 100 } }];
      const where = { targetName: 'sandbox', driver: sandboxDriver, resolve };
      const { id } = bench.runner.start(requestOf(steps, where));
      await bench.runner.ended(id);
      const run = bench.store.runs.get(id);
      const wanted = rowsOfFile(useCase).sort();
      expect(run?.error).toBeNull();
      expect(run?.phases[0]).toMatchObject({ rows: wanted.length, verifiedRows: wanted.length });
      expect((await rowsOfServer(tables)).sort()).toEqual(wanted);
    },
  );
});
