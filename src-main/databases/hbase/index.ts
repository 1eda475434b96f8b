import { hostAndPort } from '../connectionParts.ts';
import type { Driver } from '../driver.ts';
import { httpConnection, httpTargetFrom, parseHttpUrl, resolveHttp } from '../http/connection.ts';
import { loadOptionsSchema } from './loadOptions.ts';
import { openReader } from './reader.ts';
import { openSession } from './session.ts';
import { openWriter } from './writer.ts';

const connection = httpConnection({ port: 8080, product: 'the REST gateway' });

/** HBase 2.x over its REST gateway, rows as protocol buffers. */
export const hbaseDriver: Driver = {
  id: 'hbase',
  label: 'HBase',
  description:
    'An HBase 2 cluster through its REST gateway: loads by batch puts, select + fetch by gets and scans.',
  builtIn: false,
  connection,
  loadOptions: loadOptionsSchema,
  async resolve(given, secret) {
    const target = resolveHttp(connection, given, secret);
    return { engine: 'hbase', label: hostAndPort(target), connection: target };
  },
  parseUrl: (url) => parseHttpUrl('hbase', url),
  openSession,
  openWriter: (endpoint, prepared, signal, dataset) =>
    openWriter(httpTargetFrom(endpoint), prepared, dataset, signal),
  openReader: (endpoint, database, signal) => openReader(httpTargetFrom(endpoint), database, signal),
};
