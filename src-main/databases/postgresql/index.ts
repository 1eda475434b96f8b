import type { Driver } from '../driver.ts';
import { connectionLabel, connectionSchema, dialledFrom, parseUrl, resolveConnection } from './connection.ts';
import { layoutFrom } from './layout.ts';
import { loadOptionsSchema } from './loadOptions.ts';
import { openReader } from './reader.ts';
import { openSession } from './session.ts';
import { openSqlClient } from './sqlClient.ts';
import { openTelemetry } from './telemetry/index.ts';
import { openWriter } from './writer.ts';

/** PostgreSQL 9.6 to 18, with TimescaleDB where the server has it. */
export const postgresqlDriver: Driver = {
  id: 'postgresql',
  label: 'PostgreSQL or TimescaleDB',
  description: 'A PostgreSQL server, with or without TimescaleDB: which one it is shows when connecting.',
  builtIn: false,
  connection: connectionSchema,
  loadOptions: loadOptionsSchema,
  async resolve(connection, secret) {
    const target = resolveConnection(connection, secret);
    return { engine: 'postgresql', label: connectionLabel(target), connection: target };
  },
  parseUrl,
  openSession,
  openWriter: (endpoint, prepared, signal) =>
    openWriter(dialledFrom(endpoint), prepared.database, layoutFrom(prepared), signal),
  openReader: (endpoint, database, signal) => openReader(dialledFrom(endpoint), database, signal),
  openClient: (endpoint, database, signal) => openSqlClient(dialledFrom(endpoint), database, signal),
  openTelemetry,
};
