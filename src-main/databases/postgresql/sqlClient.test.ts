import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Endpoint } from '../driver.ts';
import type { SqlClient } from '../sqlClient.ts';
import { noTestServer, startTestServer, type TestServer } from '../testServer.ts';
import { connect, endpointTo, signal } from './faultsTesting.ts';
import { postgresqlDriver as driver } from './index.ts';

const serverTests = noTestServer === null ? describe : describe.skip;

serverTests('a client for transactions', () => {
  let server: TestServer;
  let client: SqlClient;
  const open = async (own = signal, connection: Record<string, unknown> = {}): Promise<SqlClient> => {
    const endpoint: Endpoint = await endpointTo({ ...server.connection, ...connection }, server.password);
    if (driver.openClient === undefined) throw new Error('PostgreSQL has transactions');
    return driver.openClient(endpoint, 'postgres', own);
  };
  beforeAll(async () => {
    server = await startTestServer();
    server.psql('CREATE TABLE thing (id integer PRIMARY KEY, name text)');
    client = await open();
  });
  afterAll(async () => {
    await client.close();
    await server.stop();
  });
  const prepared = (text: string, parameters: number, more = {}) =>
    client.declare(text, { mode: 'prepared', parameters, ...more });

  it('is known to the server by its process id and its name', () => {
    const name = server.psql(
      `SELECT application_name FROM pg_stat_activity WHERE pid = ${client.backendPid}`,
    );
    expect(name).toBe('benchberry-load');
  });

  it.each(['prepared', 'extended'] as const)('sends values as text: %s', async (mode) => {
    const statement = client.declare('SELECT $1::text, $2::bigint * 2, $3::integer, $4::text', {
      mode,
      parameters: 4,
    });
    for (const number of [0, 7, 10, 99, 2_147_483_647, 2_147_483_648, -5, 4_503_599_627_370_495]) {
      const { error, results, rows, command } = await client.execute(
        statement,
        ['ü € 😀', number, null, ''],
        true,
      );
      expect({ error, rows, command }).toEqual({ error: null, rows: 1, command: 'select' });
      expect(results).toEqual([
        { columns: ['text', '?column?', 'int4', 'text'], rows: [['ü € 😀', String(number * 2), null, '']] },
      ]);
    }
  });

  it('parses a prepared statement once, on its first use or beforehand', async () => {
    const [first, second] = [prepared('SELECT 1 + $1::int', 1), prepared('SELECT 2 + $1::int', 1)];
    await client.prepare([first, second]);
    await client.prepare([first]);
    await client.execute(first, [1]);
    await client.execute(prepared('SELECT 3', 0), []);
    const { results } = await client.query(
      `SELECT statement FROM pg_prepared_statements WHERE statement ~ '^SELECT [123]' ORDER BY prepare_time, statement`,
      true,
    );
    expect(results[0]?.rows.flat().sort()).toEqual(['SELECT 1 + $1::int', 'SELECT 2 + $1::int', 'SELECT 3']);
  });

  it('declares types and takes binary results, drained', async () => {
    const statement = prepared('SELECT $1, $2', 2, { types: ['bigint', 'varchar'], binaryResults: true });
    expect(await client.execute(statement, [1, 'x'])).toMatchObject({ error: null, rows: 1 });
    const { results } = await client.query(
      `SELECT parameter_types FROM pg_prepared_statements WHERE statement = 'SELECT $1, $2'`,
      true,
    );
    expect(results[0]?.rows).toEqual([['{bigint,"character varying"}']]);
  });

  it('tells what a statement did', async () => {
    const run = async (text: string) => {
      const { command, rows, affected, error } = await client.query(text);
      return [command, rows, affected, error?.state ?? null];
    };
    expect(await run('BEGIN')).toEqual(['other', 0, 0, null]);
    expect(client.block).toBe('open');
    expect(await run(`INSERT INTO thing SELECT i, 'n' FROM generate_series(1, 12) i`)).toEqual([
      'insert',
      0,
      12,
      null,
    ]);
    expect(await run('UPDATE thing SET name = name WHERE id > 5')).toEqual(['update', 0, 7, null]);
    expect(await run('UPDATE thing SET name = name WHERE id > 50')).toEqual(['update', 0, 0, null]);
    expect(await run('DELETE FROM thing WHERE id = 12')).toEqual(['delete', 0, 1, null]);
    expect(await run('DELETE FROM thing WHERE id = 11 RETURNING id')).toEqual(['select', 1, 0, null]);
    expect(await run('SELECT * FROM thing')).toEqual(['select', 10, 0, null]);
    expect(await run('SELECT * FROM thing WHERE id = 0')).toEqual(['select', 0, 0, null]);
    expect(await run('INSERT INTO thing VALUES (1)')).toEqual(['other', 0, 0, '23505']);
    expect(client.block).toBe('failed');
    expect(await run('SELECT 1')).toEqual(['other', 0, 0, '25P02']);
    expect(await run('ROLLBACK')).toEqual(['other', 0, 0, null]);
    expect(client.block).toBe('none');
    expect(await run('')).toEqual(['other', 0, 0, null]);
  });

  it('keeps the results of several statements apart, up to the one that fails', async () => {
    const outcome = await client.query(
      `SELECT 1 AS a; SELECT 2 AS b, 3 AS c UNION ALL SELECT 4, 5; SELECT 1/0; SELECT 6`,
      true,
    );
    expect(outcome.error).toMatchObject({ state: '22012', message: 'division by zero', position: 2 });
    expect(outcome.results).toEqual([
      { columns: ['a'], rows: [['1']] },
      {
        columns: ['b', 'c'],
        rows: [
          ['2', '3'],
          ['4', '5'],
        ],
      },
    ]);
    expect(outcome.error && client.toError(outcome.error, 'SELECT 1/0')).toMatchObject({
      code: 'server-error',
      place: { database: 'postgres', statement: 'SELECT 1/0' },
      detail: expect.stringContaining('SQLSTATE 22012'),
    });
  });

  it('parses again what could not be parsed', async () => {
    const statement = prepared('SELECT id FROM later WHERE id = $1', 1);
    expect((await client.execute(statement, [1])).error?.state).toBe('42P01');
    server.psql('CREATE TABLE later (id integer)');
    expect((await client.execute(statement, [1])).error).toBeNull();
  });

  it('runs a pipeline in one round trip, its outcomes in order', async () => {
    const insert = prepared('INSERT INTO thing VALUES ($1, $2)', 2);
    const select = prepared('SELECT * FROM thing WHERE id >= $1', 1);
    await client.prepare([insert, select]);
    client.send(insert, [100, 'a']);
    client.send(select, [100]);
    client.send(insert, [100, 'again']);
    client.send(select, [100]);
    client.mark();
    client.send(insert, [101, 'b']);
    client.send(select, [1]);
    const outcomes = await client.sync();
    expect(
      outcomes.map(({ command, rows, affected, skipped, error }) => [
        command,
        rows + affected,
        skipped,
        error?.state ?? null,
      ]),
    ).toEqual([
      // What follows an error, and what came before it up to the Sync, is one transaction.
      ['insert', 1, false, null],
      ['select', 1, false, null],
      ['other', 0, false, '23505'],
      ['other', 0, true, null],
      ['insert', 1, false, null],
      ['select', 1, false, null],
    ]);
    expect(server.psql('SELECT array_agg(id) FROM thing')).toBe('{101}');
    await client.query('DELETE FROM thing');
  });

  it('sends a pipeline larger than its buffer', async () => {
    const text = 'x'.repeat(10_000);
    const echo = client.declare('SELECT $1::text', { mode: 'extended', parameters: 1 });
    for (let i = 0; i < 300; i += 1) client.send(echo, [text]);
    const outcomes = await client.sync();
    expect(outcomes.filter(({ rows, error }) => rows === 1 && error === null)).toHaveLength(300);
  });

  it('copies in, memory used again, and says how many rows', async () => {
    const chunk = Buffer.alloc(100_000);
    async function* chunks() {
      for (let part = 0; part < 5; part += 1) {
        let at = 0;
        for (let i = 0; i < 1000; i += 1) at += chunk.write(`${part * 1000 + i}\tname ${i}\n`, at);
        yield chunk.subarray(0, at);
      }
    }
    const outcome = await client.copyIn('COPY thing FROM STDIN', chunks());
    expect(outcome).toMatchObject({ error: null, affected: 5000 });
    expect(server.psql('SELECT count(*), sum(id), max(name) FROM thing')).toBe('5000|12497500|name 999');
  });

  it('ends a copy that the server refuses, and one whose rows cannot be made', async () => {
    let asked = 0;
    function* endless() {
      for (;;) {
        asked += 1;
        yield Buffer.from('1\ttwice\n');
      }
    }
    expect((await client.copyIn('COPY thing FROM STDIN', endless())).error?.state).toBe('23505');
    function* broken() {
      yield Buffer.from('9999\tx\n');
      throw new Error('no more rows');
    }
    await expect(client.copyIn('COPY thing FROM STDIN', broken())).rejects.toThrow('no more rows');
    expect(asked).toBeGreaterThan(0);
    expect(server.psql('SELECT count(*) FROM thing WHERE id = 9999')).toBe('0');
    expect((await client.query('DELETE FROM thing')).affected).toBe(5000);
  });

  it.each(['disable', 'prefer'])(
    'works over a socket that is read in place and one that is not: %s',
    async (tlsMode) => {
      const own = await open(signal, { tlsMode });
      const long = await own.query(`SELECT repeat('y', 1000) FROM generate_series(1, 5000)`, true);
      expect(long.results[0]?.rows.every(([text]) => text === 'y'.repeat(1000))).toBe(true);
      expect((await own.query(`SELECT repeat('z', 1000) FROM generate_series(1, 5000)`)).rows).toBe(5000);
      expect(own.receivedBytes).toBeGreaterThan(10_000_000);
      await own.close();
    },
  );

  it('cancels what is under way when its signal is aborted', async () => {
    const abort = new AbortController();
    const own = await open(abort.signal);
    const sleeping = own.query('SELECT pg_sleep(600)');
    sleeping.catch(() => undefined); // awaited below
    const active = () =>
      server.psql(`SELECT count(*) FROM pg_stat_activity WHERE pid = ${own.backendPid} AND state = 'active'`);
    await vi.waitUntil(() => active() === '1', { timeout: 30_000 });
    abort.abort();
    await expect(sleeping).rejects.toMatchObject({ code: 'cancelled' });
    await expect(own.query('SELECT 1')).rejects.toMatchObject({ code: 'cancelled' });
    const gone = () => server.psql(`SELECT count(*) FROM pg_stat_activity WHERE pid = ${own.backendPid}`);
    await vi.waitUntil(() => gone() === '0', { timeout: 30_000 });
  });

  it('says what ended the connection: in the middle of a statement, and while nothing was asked', async () => {
    for (const text of ['SELECT pg_sleep(600)', null]) {
      const own = await open();
      const asked = text === null ? null : own.query(text);
      asked?.catch(() => undefined); // awaited below
      server.psql(`SELECT pg_terminate_backend(${own.backendPid})`);
      const lost = { code: 'connection-lost', detail: expect.stringContaining('administrator command') };
      if (asked !== null) await expect(asked).rejects.toMatchObject(lost);
      else {
        const gone = () => server.psql(`SELECT count(*) FROM pg_stat_activity WHERE pid = ${own.backendPid}`);
        await vi.waitUntil(() => gone() === '0', { timeout: 30_000 });
      }
      await expect(own.query('SELECT 1')).rejects.toMatchObject(lost);
      await own.close();
    }
  });

  it('knows whose tables are whose', async () => {
    const session = await connect(server.connection, server.password);
    const { tables } = session;
    if (tables === undefined) throw new Error('PostgreSQL has tables of one’s own');
    const ours = async (database: string) =>
      (await tables.existing(database, ['thing', 'later', 'neither'], signal)).map(({ name, ours: own }) => [
        name,
        own,
      ]);
    expect(await ours('postgres')).toEqual([
      ['thing', false],
      ['later', false],
    ]);
    await tables.mark('postgres', ['thing'], signal);
    expect(await ours('postgres')).toEqual([
      ['thing', true],
      ['later', false],
    ]);
    const [before] = await tables.existing('postgres', ['thing'], signal);
    server.psql('DROP TABLE thing; CREATE TABLE thing (id integer)');
    const [after] = await tables.existing('postgres', ['thing'], signal);
    expect(after).toMatchObject({ ours: false });
    expect(after?.id).not.toBe(before?.id);
    await expect(tables.provideDatabase('made', false, signal)).rejects.toMatchObject({
      code: 'no-database',
    });
    await tables.provideDatabase('made', true, signal);
    server.psql('CREATE TABLE thing (id integer)', 'made');
    await tables.provideDatabase('made', true, signal);
    expect(await ours('made')).toEqual([['thing', true]]);
    await session.close();
  });
});
