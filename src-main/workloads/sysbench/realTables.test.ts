import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { SqlClient } from '../../databases/sqlClient.ts';
import { openTestClient } from '../../databases/testClient.ts';
import { noTestServer, startTestServer, type TestServer } from '../../databases/testServer.ts';
import { prepareTables, runEvents } from './testing/drive.ts';
import { noSysbench, realSysbench } from './testing/realSysbench.ts';

const missing = noTestServer ?? noSysbench;
const signal = new AbortController().signal;
const minute = 60_000;

/** What a catalogue says of the tables, with what is the same in every database of the kind. */
const catalogue = `
SELECT c.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, pg_get_expr(d.adbin, d.adrelid)
FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0
LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace ORDER BY 1, a.attnum;
SELECT tablename, indexname, indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1, 2;
SELECT relname, relkind, reloptions FROM pg_class WHERE relnamespace = 'public'::regnamespace ORDER BY 1;
SELECT conrelid::regclass, conname, pg_get_constraintdef(oid) FROM pg_constraint
WHERE connamespace = 'public'::regnamespace ORDER BY 1, 2;
SELECT sequencename, data_type, start_value, increment_by, last_value FROM pg_sequences ORDER BY 1;`;

/** Statements that the server has logged meanwhile, without their names and with every value alike. */
async function statementsOf(server: TestServer, database: string, work: () => unknown): Promise<string[]> {
  const mark = `mark ${randomUUID()}`;
  server.psql(`SELECT '${mark} begin'`, database);
  await work();
  server.psql(`SELECT '${mark} end'`, database);
  // The log is written by this process, once it comes to it.
  const logged = () => readFileSync(path.join(server.folder, 'log'), 'utf8');
  await vi.waitFor(() => expect(logged()).toContain(`${mark} end`), minute);
  const between = logged().split(mark)[1] ?? '';
  return between
    .replaceAll('\n\t', ' ')
    .split('\n')
    .flatMap((line) => {
      const text = /LOG: {2}(?:execute [^:]+|statement): (.*)$/.exec(line)?.[1];
      if (text === undefined || text.includes("SELECT '")) return [];
      return [
        text
          .replace(/'[^']*'|\$\d+|-?\b\d+\b/g, '?')
          .replace(/\s+/g, ' ')
          .replaceAll(', ', ',')
          .trim(),
      ];
    });
}

describe.skipIf(missing !== null)(`tables of sysbench ${missing ?? ''}`, { timeout: 3 * minute }, () => {
  let server: TestServer;
  const clients: SqlClient[] = [];

  async function open(database: string): Promise<SqlClient> {
    const client = await openTestClient(server, database, signal);
    clients.push(client);
    return client;
  }
  async function ours(database: string, parameters: Record<string, unknown>): Promise<SqlClient> {
    server.psql(`CREATE DATABASE ${database}`);
    const client = await open(database);
    await prepareTables(client, parameters);
    return client;
  }
  function theirs(database: string, words: readonly string[]): void {
    server.psql(`CREATE DATABASE ${database}`);
    realSysbench(server, database, [...words, 'oltp_read_write', 'prepare']);
  }
  const numbers = (sql: string, database: string) =>
    server
      .psql(sql, database)
      .split(/[|\n]/)
      .map((text) => Number(text));

  beforeAll(async () => {
    server = await startTestServer({ settings: { fsync: 'off', deadlock_timeout: '10ms' } });
  }, minute);
  afterAll(async () => {
    await Promise.all(clients.map((client) => client.close()));
    await server.stop();
  });

  it('are the same as sysbench’s own, to the catalogue, the rows and the bytes', async () => {
    theirs('theirs', ['--tables=2', '--table-size=20000']);
    await ours('ours', { tables: 2, tableSize: 20_000 });
    expect(server.psql(catalogue, 'ours')).toBe(server.psql(catalogue, 'theirs'));
    const rows = `SELECT count(*), min(id), max(id), count(DISTINCT id) FROM sbtest2`;
    expect(server.psql(rows, 'ours')).toBe(server.psql(rows, 'theirs'));
    expect(server.psql(rows, 'ours')).toBe('20000|1|20000|20000');
    const sizes = `SELECT pg_relation_size('sbtest1'), pg_relation_size('sbtest1_pkey'), pg_relation_size('k_1')`;
    const expected = numbers(sizes, 'theirs');
    // Within 1 %, or a page: which values of k are equal is chance, and so is the last page of its index.
    const pageBytes = 8192;
    numbers(sizes, 'ours').forEach((bytes, i) => {
      const theirBytes = expected[i] ?? 0;
      expect(Math.abs(bytes - theirBytes)).toBeLessThanOrEqual(Math.max(theirBytes / 100, pageBytes));
    });
    // Quartiles of k, which is drawn by the default distribution, and the shape of the texts.
    const quartiles = `SELECT percentile_disc(0.25) WITHIN GROUP (ORDER BY k), percentile_disc(0.5) WITHIN GROUP (ORDER BY k),
      percentile_disc(0.75) WITHIN GROUP (ORDER BY k) FROM sbtest1`;
    const theirQuartiles = numbers(quartiles, 'theirs');
    numbers(quartiles, 'ours').forEach((k, i) => {
      expect(Math.abs(k - (theirQuartiles[i] ?? 0))).toBeLessThan(20);
    });
    const odd = String.raw`SELECT count(*) FROM sbtest1 WHERE c !~ '^(\d{11}-){9}\d{11} ?$' OR pad !~ '^(\d{11}-){4}\d{11} ?$'`;
    expect(server.psql(odd, 'theirs')).toBe('0');
    expect(server.psql(odd, 'ours')).toBe('0');
  });

  it('are the same with ids of the client’s and without a second index', async () => {
    theirs('theirs_ids', ['--tables=1', '--table-size=3000', '--auto-inc=off', '--create-secondary=off']);
    await ours('ours_ids', { tableSize: 3000, autoInc: false, createSecondary: false });
    expect(server.psql(catalogue, 'ours_ids')).toBe(server.psql(catalogue, 'theirs_ids'));
    const ids = 'SELECT count(*), min(id), max(id) FROM sbtest1';
    expect(server.psql(ids, 'ours_ids')).toBe(server.psql(ids, 'theirs_ids'));
  });

  it('are the same whichever way the rows are sent, to the value', async () => {
    await ours('many', { tableSize: 3000, randSeed: 7 });
    await ours('batches', { tableSize: 3000, randSeed: 7, rowsPerInsert: 1000 });
    await ours('single', { tableSize: 3000, randSeed: 7, writeMode: 'insert-single' });
    await ours('copied', { tableSize: 3000, randSeed: 7, writeMode: 'copy' });
    const all = `SELECT count(*), md5(string_agg(id || ' ' || k || c || pad, ',' ORDER BY id)) FROM sbtest1`;
    const expected = server.psql(all, 'many');
    expect(expected).toMatch(/^3000\|/);
    for (const database of ['batches', 'single', 'copied']) {
      expect(server.psql(all, database)).toBe(expected);
      expect(server.psql(catalogue, database)).toBe(server.psql(catalogue, 'many'));
    }
  });

  it('of 0.4 have one name, constant columns and their index from the start', async () => {
    await ours('early', { sysbenchVersion: '0.4', tableSize: 500, rowsPerInsert: 200 });
    expect(server.psql('SELECT count(*), min(k), max(k), min(id), max(id) FROM sbtest', 'early')).toBe(
      '500|0|0|1|500',
    );
    expect(
      server.psql(`SELECT indexname FROM pg_indexes WHERE tablename = 'sbtest' ORDER BY 1`, 'early'),
    ).toBe('k\nsbtest_pkey');
    const told = await runEvents([await open('early')], 20, {
      ...{ sysbenchVersion: '0.4', tableSize: 500, lockingUpdate: true },
    });
    // 14 reads; two updates, one more before the delete, the delete and the insert.
    expect(told).toEqual({ reads: 280, writes: 100, others: 40, retries: 0, conflicts: {} });
  });

  it('of ours take sysbench itself, unchanged', async () => {
    await ours('for_them', { tables: 2, tableSize: 1000 });
    const usual = ['--tables=2', '--table-size=1000', '--threads=4', '--time=0', '--events=40'];
    for (const script of ['oltp_read_write', 'oltp_point_select', 'oltp_insert', 'select_random_ranges']) {
      const text = realSysbench(server, 'for_them', [...usual, script, 'run']);
      expect(text).toContain('total number of events:              40');
    }
    realSysbench(server, 'for_them', ['--tables=2', 'oltp_read_write', 'cleanup']);
    expect(server.psql(`SELECT count(*) FROM pg_class WHERE relname LIKE 'sbtest%'`, 'for_them')).toBe('0');
  });

  describe('of sysbench take our scripts', () => {
    const usual = { tables: 2, tableSize: 1000 };
    let client: SqlClient;
    beforeAll(async () => {
      theirs('for_us', ['--tables=2', '--table-size=1000']);
      client = await open('for_us');
    }, minute);

    it.each([
      // reads, writes and others of one event, by the manual's table
      ['oltp_point_select', [1, 0, 0]],
      ['oltp_read_only', [14, 0, 2]],
      ['oltp_read_write', [14, 4, 2]],
      ['oltp_write_only', [0, 4, 2]],
      ['oltp_update_index', [0, 1, 0]],
      ['oltp_update_non_index', [0, 1, 0]],
      ['select_random_points', [1, 0, 0]],
      ['select_random_ranges', [1, 0, 0]],
    ] as const)('%s', async (script, [reads, writes, others]) => {
      for (const dbPsMode of ['auto', 'disable']) {
        const told = await runEvents([client], 25, { ...usual, script, dbPsMode });
        const expected = { reads: reads * 25, writes: writes * 25, others: others * 25 };
        expect(told).toEqual({ ...expected, retries: 0, conflicts: {} });
        const rows = 'SELECT count(*) FROM sbtest1 UNION ALL SELECT count(*) FROM sbtest2';
        expect(server.psql(rows, 'for_us')).toBe('1000\n1000');
      }
    });

    it('without a transaction, with counts of one’s own', async () => {
      const counts = { pointSelects: 3, simpleRanges: 2, sumRanges: 0, orderRanges: 0, distinctRanges: 1 };
      const writes = { indexUpdates: 2, nonIndexUpdates: 0, deleteInserts: 3 };
      const told = await runEvents([client], 10, { ...usual, ...counts, ...writes, skipTrx: true });
      expect(told).toEqual({ reads: 60, writes: 80, others: 0, retries: 0, conflicts: {} });
      const none = await runEvents([client], 10, { ...usual, script: 'oltp_read_only', rangeSelects: false });
      expect(none).toMatchObject({ reads: 100, others: 20 });
    });

    it('oltp_delete deletes for good and counts what it did not find as something else', async () => {
      const told = await runEvents([client], 300, { ...usual, script: 'oltp_delete', randType: 'uniform' });
      expect(told.writes + told.others).toBe(300);
      expect(told.others).toBeGreaterThan(0);
      const [left = 0, right = 0] = numbers(
        'SELECT count(*) FROM sbtest1 UNION ALL SELECT count(*) FROM sbtest2',
        'for_us',
      );
      expect(left + right).toBe(2000 - told.writes);
    });

    it('oltp_insert adds rows, with ids from the server or of its own', async () => {
      const before = Number(server.psql('SELECT count(*) FROM sbtest1', 'for_us'));
      const insert = { tableSize: 1000, tables: 1, script: 'oltp_insert' };
      await runEvents([client], 50, insert);
      const own = await runEvents([client], 50, { ...insert, autoInc: false });
      expect(own).toEqual({ reads: 0, writes: 50, others: 0, retries: 0, conflicts: {} });
      expect(Number(server.psql('SELECT count(*) FROM sbtest1', 'for_us'))).toBe(before + 100);
    });
  });

  it.each([
    ...['oltp_point_select', 'oltp_read_only', 'oltp_read_write', 'oltp_write_only', 'oltp_update_index'],
    ...[
      'oltp_update_non_index',
      'oltp_insert',
      'oltp_delete',
      'select_random_points',
      'select_random_ranges',
    ],
  ])('%s sends what sysbench sends, in its order', async (script) => {
    const database = `wire_${script}`;
    const client = await ours(database, { tableSize: 100 });
    server.psql(`ALTER DATABASE ${database} SET log_statement = 'all'`);
    const sent = (what: () => unknown) => statementsOf(server, database, what);
    const words = ['--table-size=100', '--time=0', '--events=2', script, 'run'];
    const theirs = await sent(() => realSysbench(server, database, words));
    const again = await open(database);
    const own = await sent(() => runEvents([again], 2, { tableSize: 100, script }));
    expect(own).toEqual(theirs);
    const literally = await sent(() => realSysbench(server, database, ['--db-ps-mode=disable', ...words]));
    const ownLiterally = await sent(() =>
      runEvents([again], 2, { tableSize: 100, script, dbPsMode: 'disable', randSeed: 2 }),
    );
    expect(ownLiterally).toEqual(literally);
    await client.close();
  });

  it('of few rows make conflicts, which are counted by name and the events begun again', async () => {
    const few = { tableSize: 4, randType: 'uniform' };
    await ours('few', { ...few });
    const eight = await Promise.all(Array.from({ length: 8 }, () => open('few')));
    let told = await runEvents(eight, 50, few);
    for (let i = 0; i < 10 && !(told.conflicts['40P01'] && told.conflicts['23505']); i += 1)
      told = await runEvents(eight, 50, { ...few, randSeed: i + 2 });
    const conflicts = Object.values(told.conflicts).reduce((sum, n) => sum + n, 0);
    expect(told.conflicts['23505']).toBeGreaterThan(0);
    expect(told.conflicts['40P01']).toBeGreaterThan(0);
    expect(told.retries).toBe(conflicts);
    expect(server.psql('SELECT count(*) FROM sbtest1', 'few')).toBe('4');
    // Each of the 400 events was finished, whatever it took.
    expect(told.reads).toBeGreaterThanOrEqual(14 * 400);
    expect(Object.keys(told.conflicts).every((state) => ['23505', '40P01', '40001'].includes(state))).toBe(
      true,
    );
  });
});
