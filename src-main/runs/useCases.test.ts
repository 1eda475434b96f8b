import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Endpoint } from '../databases/driver.ts';
import { sandboxDriver } from '../databases/sandbox/index.ts';
import { wholeDataFile } from '../workloads/tsbs/files.ts';
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
  const text = wholeDataFile(spec, 'timescaledb').toString('latin1');
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

describe('data files', () => {
  const textOf = (useCase: string, format: 'timescaledb' | 'questdb') =>
    wholeDataFile({ workload: 'tsbs', parameters: { ...data, useCase } }, format);
  const where = { targetName: 'sandbox', driver: sandboxDriver, resolve };

  async function load(name: string, bytes: Uint8Array, parameters: Record<string, unknown>) {
    const file = path.join(bench.folder, name);
    await writeFile(file, bytes);
    const { id } = bench.runner.start(
      requestOf([{ 'tsbs.file': { file, batchSize: 100, ...parameters } }], where),
    );
    await bench.runner.ended(id);
    const run = bench.store.runs.get(id);
    if (run === null) throw new Error('no such run');
    return run;
  }

  it.each([
    ['devops', devopsTables, 'timescaledb', gzipSync, { workers: 1 }],
    ['iot', ['readings', 'diagnostics'], 'questdb', zstdCompressSync, { workers: 3, hashWorkers: true }],
    ['iot', ['readings', 'diagnostics'], 'timescaledb', (text: Buffer) => text, { workers: 12 }],
  ] as const)(
    'of %s, %#, load to the rows of the simulation',
    async (useCase, tables, format, pack, parameters) => {
      const run = await load(`${useCase} ${format}`, pack(textOf(useCase, format)), parameters);
      const wanted = rowsOfFile(useCase).sort();
      expect(run.error).toBeNull();
      expect(run.phases[0]).toMatchObject({
        rows: wanted.length,
        plannedRows: wanted.length,
        verifiedRows: wanted.length,
      });
      expect((await rowsOfServer(tables)).sort()).toEqual(wanted);
    },
  );

  it('that are cut off load up to there, and the run says at which line', async () => {
    const text = textOf('cpu-single', 'timescaledb');
    const run = await load('cut', text.subarray(0, -5), { workers: 3 });
    const rows = 6 * 180 - 1;
    expect(run.status).toBe('failed');
    expect(run.error).toMatchObject({ code: 'bad-input', place: { line: 3 + 2 * rows + 2 } });
    expect(run.phases[0]).toMatchObject({ rows, verifiedRows: rows });
    expect(await rowsOfServer(['cpu'])).toHaveLength(rows);
  });

  it('whose load is stopped leave a run that says how far it came', async () => {
    const file = path.join(bench.folder, 'stopped');
    await writeFile(file, textOf('cpu-single', 'timescaledb'));
    const step = { file, batchSize: 10, insertIntervals: '0.05', workers: 1 };
    const { id } = bench.runner.start(requestOf([{ 'tsbs.file': step }], where));
    await expect
      .poll(() => bench.all('run.tick').some((tick) => tick.runId === id), { timeout: 60_000 })
      .toBe(true);
    await bench.runner.stop(id);
    const [phase] = bench.store.runs.get(id)?.phases ?? [];
    const rows = phase?.rows ?? 0;
    expect(rows).toBeGreaterThan(0);
    expect(rows).toBeLessThan(1080);
    expect(phase?.notes.at(-1)).toContain(
      `The first ${rows} rows are in the database, up to line ${(3 + 2 * rows).toLocaleString('en-US')}, `,
    );
    expect(await rowsOfServer(['cpu'])).toHaveLength(rows);
  });
});
