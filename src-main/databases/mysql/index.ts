import type { Driver } from '../driver.ts';
import { connectionLabel, connectionSchema, dialledFrom, parseUrl, resolveConnection } from './connection.ts';
import { loadOptionsSchema } from './loadOptions.ts';
import { openReader } from './reader.ts';
import { mysqlLayoutSchema } from './schema.ts';
import { openSession } from './session.ts';
import { openWriter } from './writer.ts';

/** MariaDB from 10.5 on and MySQL from 8 on, tables in InnoDB. */
export const mysqlDriver: Driver = {
  id: 'mysql',
  label: 'MariaDB or MySQL',
  description: 'A MariaDB or MySQL server: loads by LOAD DATA or INSERT, and select + fetch.',
  builtIn: false,
  connection: connectionSchema,
  loadOptions: loadOptionsSchema,
  async resolve(connection, secret) {
    const target = resolveConnection(connection, secret);
    return { engine: 'mysql', label: connectionLabel(target), connection: target };
  },
  parseUrl,
  openSession,
  openWriter: (endpoint, prepared, signal) =>
    openWriter(dialledFrom(endpoint), prepared.database, mysqlLayoutSchema.parse(prepared.driver), signal),
  openReader: (endpoint, database, signal) => openReader(dialledFrom(endpoint), database, signal),
};
