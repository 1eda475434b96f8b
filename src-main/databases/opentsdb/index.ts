import type { Driver } from '../driver.ts';
import { httpTargetFrom } from '../http/connection.ts';
import { connectionSchema, parseUrl, resolveConnection } from './connection.ts';
import { loadOptionsSchema } from './loadOptions.ts';
import { openReader } from './reader.ts';
import { openSession } from './session.ts';
import { openWriter } from './writer.ts';

/** OpenTSDB 2.x: points over HTTP or telnet, answers of /api/query or /q. */
export const opentsdbDriver: Driver = {
  id: 'opentsdb',
  label: 'OpenTSDB',
  description:
    'An OpenTSDB 2 server on HBase: points over HTTP or telnet, select + fetch by /api/query or /q.',
  builtIn: false,
  connection: connectionSchema,
  loadOptions: loadOptionsSchema,
  resolve: async (connection, secret) => resolveConnection(connection, secret),
  parseUrl,
  openSession,
  openWriter: (endpoint, prepared, signal, dataset) =>
    openWriter(httpTargetFrom(endpoint), prepared, dataset, signal),
  openReader: (endpoint, database, signal) => openReader(httpTargetFrom(endpoint), database, signal),
};
