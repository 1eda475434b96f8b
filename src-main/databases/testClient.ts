import { postgresqlDriver } from './postgresql/index.ts';
import type { SqlClient } from './sqlClient.ts';
import type { TestServer } from './testServer.ts';

/** A client for transactions on a database of the server; for tests, which close it. */
export async function openTestClient(
  server: TestServer,
  database: string,
  signal: AbortSignal,
): Promise<SqlClient> {
  const { connection, password } = server;
  const endpoint = await postgresqlDriver.resolve(connection, password, { dataFolder: '', signal });
  if (postgresqlDriver.openClient === undefined) throw new Error('PostgreSQL has transactions');
  return postgresqlDriver.openClient(endpoint, database, signal);
}
