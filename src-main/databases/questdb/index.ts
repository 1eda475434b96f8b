import type { Driver } from '../driver.ts';
import { connectionLabel, connectionSchema, parseUrl, resolveConnection, targetFrom } from './connection.ts';
import { layoutSchema, loadOptionsSchema } from './loadOptions.ts';
import { openReader } from './reader.ts';
import { openSession } from './session.ts';
import { openTelemetry } from './telemetry.ts';
import { openWriter } from './writer.ts';

/** QuestDB from 7.4 on: rows by the line protocol, queries over PostgreSQL's or HTTP. */
export const questdbDriver: Driver = {
  id: 'questdb',
  label: 'QuestDB',
  description:
    'A QuestDB server: rows by the InfluxDB line protocol, queries over PostgreSQL’s protocol or HTTP.',
  builtIn: false,
  connection: connectionSchema,
  loadOptions: loadOptionsSchema,
  async resolve(connection, secret) {
    const target = resolveConnection(connection, secret);
    return { engine: 'questdb', label: connectionLabel(target), connection: target };
  },
  parseUrl,
  openSession,
  openWriter: (endpoint, prepared, signal, dataset) =>
    openWriter(targetFrom(endpoint), layoutSchema.parse(prepared.driver), dataset, signal),
  openTelemetry,
  openReader: (endpoint, _database, signal) => openReader(targetFrom(endpoint), signal),
};
