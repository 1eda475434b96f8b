import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Driver, Endpoint } from './driver.ts';
import type { SqlClient } from './sqlClient.ts';

const { signal } = new AbortController();

/** The part of the contract that is about transactions; tables are temporary ones of the client. */
export function clientContract(
  driver: Driver,
  endpoint: () => Endpoint,
  ask: (text: string, database?: string) => Promise<(string | null)[][]>,
): void {
  let client: SqlClient;
  beforeAll(async () => {
    if (driver.openClient === undefined) throw new Error('an SQL engine has transactions');
    client = await driver.openClient(endpoint(), 'postgres', signal);
    await client.query('CREATE TEMPORARY TABLE thing (id integer PRIMARY KEY, name text)');
  });
  afterAll(() => client.close());
  const prepared = (text: string, parameters: number, more = {}) =>
    client.declare(text, { mode: 'prepared', parameters, ...more });
  /** First row of an answer, columns joined. */
  const one = async (text: string) => (await client.query(text, true)).results[0]?.rows[0]?.join('|');

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
    await client.query('CREATE TEMPORARY TABLE later (id integer)');
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
    expect(await one('SELECT array_agg(id) FROM thing')).toBe('{101}');
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
    expect(await one('SELECT count(*), sum(id), max(name) FROM thing')).toBe('5000|12497500|name 999');
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
    expect(await one('SELECT count(*) FROM thing WHERE id = 9999')).toBe('0');
    expect((await client.query('DELETE FROM thing')).affected).toBe(5000);
  });

  it('knows whose tables are whose', async () => {
    const session = await driver.openSession(endpoint(), signal);
    const { tables } = session;
    if (tables === undefined) throw new Error('an SQL engine has tables of one’s own');
    const [theirs, made] = ['benchberry_contract_theirs', 'benchberry_contract_made'];
    const names = ['thing', 'later', 'neither'];
    const ours = async (database: string) =>
      (await tables.existing(database, names, signal)).map(({ name, ours: own }) => [name, own]);
    await ask(`CREATE DATABASE ${theirs}`);
    try {
      await ask('CREATE TABLE thing (id integer); CREATE TABLE later (id integer)', theirs);
      await tables.provideDatabase(theirs, true, signal);
      expect(await ours(theirs)).toEqual([
        ['thing', false],
        ['later', false],
      ]);
      await tables.mark(theirs, ['thing'], signal);
      expect(await ours(theirs)).toEqual([
        ['thing', true],
        ['later', false],
      ]);
      const [before] = await tables.existing(theirs, ['thing'], signal);
      await ask('DROP TABLE thing; CREATE TABLE thing (id integer)', theirs);
      const [after] = await tables.existing(theirs, ['thing'], signal);
      expect(after).toMatchObject({ ours: false });
      expect(after?.id).not.toBe(before?.id);
      await expect(tables.provideDatabase(made, false, signal)).rejects.toMatchObject({
        code: 'no-database',
      });
      await tables.provideDatabase(made, true, signal);
      await ask('CREATE TABLE thing (id integer)', made);
      await tables.provideDatabase(made, true, signal);
      expect(await ours(made)).toEqual([['thing', true]]);
    } finally {
      await ask(`DROP DATABASE ${theirs}`);
      await ask(`DROP DATABASE IF EXISTS ${made}`);
      await session.close();
    }
  });
}
