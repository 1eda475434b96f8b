import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '../../../../src-shared/errors.ts';
import type { SqlClient } from '../../../databases/sqlClient.ts';
import { openTestClient } from '../../../databases/testClient.ts';
import { noTestServer, startTestServer, type TestServer } from '../../../databases/testServer.ts';
import { makeTables, prepareRun, runTransactions } from '../testing/drive.ts';

const minute = 60_000;
const signal = new AbortController().signal;

describe.skipIf(noTestServer !== null)(`pgbench’s transactions ${noTestServer ?? ''}`, () => {
  let server: TestServer;
  const clients: SqlClient[] = [];

  async function open(database = 'postgres'): Promise<SqlClient> {
    const client = await openTestClient(server, database, signal);
    clients.push(client);
    return client;
  }
  beforeAll(async () => {
    server = await startTestServer({ settings: { fsync: 'off', deadlock_timeout: '10ms' } });
    server.psql(
      'CREATE TABLE counter (id int PRIMARY KEY, n int); INSERT INTO counter SELECT i, 0 FROM generate_series(1, 4) i',
    );
  }, 2 * minute);
  afterAll(async () => {
    await Promise.all(clients.map((client) => client.close()));
    await server.stop();
  });

  async function failure(text: string, more: Record<string, unknown> = {}): Promise<AppError> {
    const client = await open();
    const { source } = await prepareRun(client, {
      noVacuum: true,
      scripts: [{ name: 'my.sql', text }],
      ...more,
    });
    try {
      await runTransactions(source, [client], 1);
    } catch (error) {
      if (error instanceof AppError) return error;
    }
    throw new Error('nothing was thrown');
  }

  /** A transaction that conflicts with those of other clients wherever they meet. */
  const serializable = `\\set id random(1, 2)
BEGIN ISOLATION LEVEL SERIALIZABLE;
SELECT sum(n) AS sum FROM counter \\gset
UPDATE counter SET n = n + 1 WHERE id = :id;
END;`;

  it('are tried again after serialization failures until they are done: none is lost, none done twice', async () => {
    const connections = await Promise.all(Array.from({ length: 4 }, () => open()));
    const [first] = connections;
    if (!first) throw new Error('no connection');
    server.psql('UPDATE counter SET n = 0');
    const scripts = [{ name: 'serializable.sql', text: serializable }];
    const { source } = await prepareRun(first, {
      noVacuum: true,
      clients: 4,
      scripts,
      maxTries: 0,
      seconds: 60,
    });
    const told = await runTransactions(source, connections, 25);
    expect(told).toMatchObject({ done: 100, failures: {} });
    expect(told.retries).toBeGreaterThan(0);
    expect(Object.values(told.conflicts).reduce((sum, n) => sum + n, 0)).toBe(told.retries);
    expect(Object.keys(told.conflicts).every((state) => state === '40001')).toBe(true);
    expect(server.psql('SELECT sum(n) FROM counter')).toBe('100');
  });

  it('are failed after their last try, and when the time is over', async () => {
    const connections = await Promise.all(Array.from({ length: 4 }, () => open()));
    const [first] = connections;
    if (!first) throw new Error('no connection');
    const scripts = [{ name: 'serializable.sql', text: serializable }];
    for (const [maxTries, mayRetry] of [
      [1, () => true],
      [5, () => false],
    ] as const) {
      server.psql('UPDATE counter SET n = 0');
      const { source } = await prepareRun(first, { noVacuum: true, clients: 4, scripts, maxTries });
      const told = await runTransactions(source, connections, 25, mayRetry);
      expect(told.retries).toBe(0);
      expect(told.done + (told.failures['40001'] ?? 0)).toBe(100);
      expect(told.failures['40001']).toBeGreaterThan(0);
      expect(server.psql('SELECT sum(n) FROM counter')).toBe(String(told.done));
    }
  });

  it('are tried again after a deadlock, with the same random numbers', async () => {
    const [a, b] = [await open(), await open()];
    server.psql('UPDATE counter SET n = 0; CREATE TABLE drawn (client int, n int)');
    const text = `\\set n random(1, 1000000)
\\set first :client_id + 1
\\set second 2 - :client_id
BEGIN;
INSERT INTO drawn VALUES (:client_id, :n);
UPDATE counter SET n = n + 1 WHERE id = :first;
SELECT pg_sleep(0.02);
UPDATE counter SET n = n + 1 WHERE id = :second;
END;`;
    const { source } = await prepareRun(a, {
      ...{ noVacuum: true, clients: 2, scripts: [{ name: 'deadlock.sql', text }] },
      ...{ maxTries: 100, protocol: 'prepared' },
    });
    const told = await runTransactions(source, [a, b], 5);
    expect(told).toMatchObject({ done: 10, failures: {} });
    expect(told.conflicts['40P01']).toBeGreaterThan(0);
    expect(server.psql('SELECT sum(n) FROM counter')).toBe('20');
    // The numbers of five transactions in a row, whatever was tried again in between.
    const alone = await prepareRun(a, {
      ...{
        noVacuum: true,
        clients: 2,
        scripts: [
          {
            name: 'alone.sql',
            text: '\\set n random(1, 1000000)\nINSERT INTO drawn VALUES (10 + :client_id, :n);',
          },
        ],
      },
    });
    await runTransactions(alone.source, [a, b], 5);
    for (const client of [0, 1])
      expect(server.psql(`SELECT string_agg(n::text, ',') FROM drawn WHERE client = ${client}`)).toBe(
        server.psql(`SELECT string_agg(n::text, ',') FROM drawn WHERE client = 10 + ${client}`),
      );
  });

  it.each([
    ['SELECT 1;\n\\set x 1 / 0', 'my.sql, line 2: division by zero'],
    ['SELECT 1/0;', 'my.sql, line 1: '],
    ['BEGIN;', 'my.sql: end of script reached without completing the last transaction'],
    ['SELECT 1 WHERE false \\gset', 'my.sql, line 1: expected one row, got 0'],
    ['SELECT generate_series(1, 2) \\gset', 'my.sql, line 1: expected one row, got 2'],
    ['SELECT 1 AS one \\; CREATE TEMP TABLE t () \\gset', 'my.sql, line 1: expected one row, got 0'],
    ['SELECT 1 AS "a b" \\gset', 'my.sql, line 1: error storing into variable a b: no name of a variable'],
    ['\\set x :y + 1', 'my.sql, line 1: undefined variable "y"'],
    ['\\sleep :y', 'my.sql, line 1: undefined variable "y"'],
    ['\\set y true\n\\sleep :y', 'my.sql, line 2: invalid sleep time "true" for variable "y"'],
    ['\\endpipeline\nSELECT 1;', 'my.sql, line 1: not in pipeline mode'],
  ])('end their client: %j', async (text, message) => {
    const error = await failure(text);
    expect(error.message.startsWith(message)).toBe(true);
    expect(error.place?.statement ?? error.message).not.toBe('');
  });

  it.each([
    ['\\startpipeline\n\\startpipeline', 'my.sql, line 2: already in pipeline mode'],
    ['\\startpipeline\nSELECT 1;', 'my.sql: end of script reached with pipeline open'],
    [
      '\\startpipeline\nSELECT 1 \\gset\n\\endpipeline',
      'my.sql, line 2: \\gset is not allowed in pipeline mode',
    ],
    ['\\startpipeline\nSELECT 1;\nSELECT 1/0;\n\\endpipeline', 'my.sql, line 4: '],
  ])('end their client in a pipeline: %j', async (text, message) => {
    expect((await failure(text, { protocol: 'prepared' })).message.startsWith(message)).toBe(true);
  });

  it('fail alone where that is wanted: the client goes on, nothing is tried again', async () => {
    const client = await open();
    server.psql('CREATE TABLE once (id int PRIMARY KEY); INSERT INTO once VALUES (1)');
    const text = 'BEGIN;\nUPDATE counter SET n = n + 1 WHERE id = 1;\nINSERT INTO once VALUES (1);\nEND;';
    const before = server.psql('SELECT n FROM counter WHERE id = 1');
    const { source } = await prepareRun(client, {
      ...{ noVacuum: true, scripts: [{ name: 'a.sql', text }], maxTries: 5, continueOnError: true },
    });
    const told = await runTransactions(source, [client], 3);
    expect(told).toMatchObject({ done: 0, failures: { '23505': 3 }, conflicts: { '23505': 3 }, retries: 0 });
    expect(server.psql('SELECT n FROM counter WHERE id = 1')).toBe(before);
  });

  it('need the tables that built-in scripts are about', async () => {
    const client = await open();
    await expect(prepareRun(client, {})).rejects.toMatchObject({
      code: 'bad-input',
      message: 'There are no tables of pgbench in the database any',
      hint: expect.stringContaining('pgbench.init'),
    });
  });

  it('of one’s own go on without tables to vacuum, which is told', async () => {
    const client = await open();
    const { notes, facts } = await prepareRun(client, {
      scale: 4,
      scripts: [{ name: 'a.sql', text: 'SELECT :scale;' }],
    });
    expect(facts).toEqual({ scale: 4, partitionMethod: null, partitions: 0 });
    expect(notes).toHaveLength(3);
    expect(notes[2]).toMatch(
      /^TRUNCATE pgbench_history: .*pgbench_history.* \(ignoring this error and continuing anyway\)$/,
    );
  });

  it('begin with a vacuum and an empty history; with parts, which are told', async () => {
    server.psql('CREATE DATABASE parts');
    const client = await open('parts');
    await makeTables(client, { partitions: 2, partitionMethod: 'hash' });
    server.psql('INSERT INTO pgbench_history (tid) VALUES (1)', 'parts');
    const vacuumed = () =>
      server.psql(
        "SELECT relname FROM pg_stat_user_tables WHERE vacuum_count > 1 OR (relname ~ 'accounts_1' AND analyze_count > 1) ORDER BY 1",
        'parts',
      );
    expect((await prepareRun(client, { noVacuum: true, vacuumAll: true })).notes).toEqual([]);
    expect(server.psql('SELECT count(*) FROM pgbench_history', 'parts')).toBe('1');
    const { notes, facts } = await prepareRun(client, { vacuumAll: true });
    expect(notes).toEqual([]);
    expect(facts).toEqual({ scale: 1, partitionMethod: 'hash', partitions: 2 });
    expect(server.psql('SELECT count(*) FROM pgbench_history', 'parts')).toBe('0');
    await expect.poll(vacuumed, { timeout: minute }).toContain('pgbench_branches');
    expect(vacuumed()).toContain('pgbench_tellers');
  });

  it('have their own variables over the automatic ones', async () => {
    const client = await open();
    server.psql('CREATE TABLE given (a text, b text, c text, d text)');
    const { source } = await prepareRun(client, {
      ...{ noVacuum: true, define: "scale=77 greeting='it is me'", protocol: 'extended', scale: 3 },
      scripts: [
        { name: 'a.sql', text: 'INSERT INTO given VALUES (:scale, :greeting, :client_id, :unknown);' },
      ],
    });
    await runTransactions(source, [client], 1);
    expect(server.psql('SELECT * FROM given')).toBe('77|it is me|0|');
  });

  it('draw scripts by weight; a weight of 0 is never drawn', async () => {
    const client = await open();
    const scripts = [
      { name: 'a', text: 'SELECT 1;', weight: 1 },
      { name: 'b', text: 'DELETE FROM counter WHERE id < 0;', weight: 9 },
      { name: 'c', text: 'SELECT 1/0;', weight: 0 },
    ];
    const { source } = await prepareRun(client, { noVacuum: true, scripts });
    expect(source.scripts).toEqual(['a', 'b', 'c']);
    const { reads, writes } = await runTransactions(source, [client], 1000);
    expect(reads + writes).toBe(1000);
    // Six standard deviations of a binomial with n = 1000, p = 0.1.
    expect(Math.abs(reads - 100)).toBeLessThan(57);
  });
});
