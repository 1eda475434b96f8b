import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { noTestServer, startTestServer, type TestServer } from '../testServer.ts';
import { connect, signal } from './faultsTesting.ts';

const minute = 60_000;

describe.skipIf(noTestServer !== null)(`whose tables would be dropped ${noTestServer ?? ''}`, () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  }, minute);
  afterAll(() => server.stop());

  /** What is found of `thing`, in a new database. */
  async function found(database: string, sql: string): Promise<[string, boolean][]> {
    server.psql(`CREATE DATABASE ${database}`);
    server.psql(sql, database);
    const { tables, close } = await connect(server.connection, server.password);
    const existing = await tables?.existing(database, ['thing'], signal);
    await close();
    return (existing ?? []).map(({ name, ours }) => [name, ours]);
  }
  const mark = (table: string) => `COMMENT ON TABLE ${table} IS 'benchberry: x';`;

  it('somebody else’s behind ours on the search path: the second DROP would be of that one', async () => {
    const sql = `CREATE SCHEMA postgres; CREATE SCHEMA aside; CREATE TABLE aside.thing (id int);
      CREATE TABLE public.thing (precious text); CREATE TABLE postgres.thing (id int); ${mark('postgres.thing')}`;
    expect(await found('two_schemas', sql)).toEqual([
      ['thing', true],
      ['public.thing', false],
    ]);
  });

  it('somebody else’s tables that would go with ours', async () => {
    const sql = `CREATE TABLE thing (id int) PARTITION BY RANGE (id); ${mark('thing')}
      CREATE TABLE thing_1 PARTITION OF thing FOR VALUES FROM (1) TO (2); ${mark('thing_1')}
      CREATE SCHEMA elsewhere; CREATE TABLE elsewhere."Mine; too" (id int) PARTITION BY RANGE (id);
      ALTER TABLE thing ATTACH PARTITION elsewhere."Mine; too" FOR VALUES FROM (2) TO (9);
      CREATE TABLE elsewhere.inner_one PARTITION OF elsewhere."Mine; too" FOR VALUES FROM (2) TO (5)`;
    expect(await found('attached', sql)).toEqual([
      ['thing', true],
      ['thing_1', true],
      ['elsewhere."Mine; too"', false],
      ['elsewhere.inner_one', false],
    ]);
    expect(
      await found(
        'inherits',
        `CREATE TABLE thing (id int); ${mark('thing')} CREATE TABLE child () INHERITS (thing)`,
      ),
    ).toEqual([
      ['thing', true],
      ['child', false],
    ]);
  });

  it('a mark only counts at its beginning', async () => {
    expect(
      await found('forged', `CREATE TABLE thing (id int); COMMENT ON TABLE thing IS ' benchberry: x'`),
    ).toEqual([['thing', false]]);
  });
});
