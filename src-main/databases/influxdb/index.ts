import { z } from 'zod';
import type { Driver, Endpoint, Session } from '../driver.ts';
import { connected, httpConnection, httpTargetFrom, parseHttpUrl, resolveHttp } from '../http/connection.ts';
import { lost } from '../http/errors.ts';
import { resendFor } from '../http/resending.ts';
import { checkNames, noValue } from '../lines/rows.ts';
import { openLineWriter } from '../lines/writer.ts';
import { describeServer, monitorDatabase } from './describe.ts';
import { databaseExists, dropOurs, provideDatabase } from './ownership.ts';
import { ask, drain, quoteName } from './query.ts';

const connection = httpConnection({ port: 8086, product: 'InfluxDB' });
const loadOptions = z.object({ resendFor });
const preparedSchema = loadOptions.extend({
  tables: z.array(z.object({ name: z.string(), field: z.string() })),
});

/** InfluxDB 1.x: lines over /write, InfluxQL over /query. */
export const influxdbDriver: Driver = {
  id: 'influxdb',
  label: 'InfluxDB 1.x',
  description: 'An InfluxDB 1 server: loads by line protocol, select + fetch by InfluxQL.',
  builtIn: false,
  connection,
  loadOptions,
  async resolve(given, secret) {
    const target = resolveHttp(connection, given, secret);
    return { engine: 'influxdb', label: `${target.host}:${target.port}`, connection: target };
  },
  parseUrl: (url) => parseHttpUrl('influxdb', url),
  openSession,
  openWriter: (endpoint, prepared, _signal, dataset) =>
    openLineWriter(
      httpTargetFrom(endpoint),
      {
        path: `/write?${new URLSearchParams({ db: prepared.database, precision: 'ns' })}`,
        // Rows alike in time and tags are one.
        idempotent: true,
        resendFor: loadOptions.parse(prepared.driver).resendFor,
      },
      dataset,
    ),
  async openReader(endpoint, database, signal) {
    const http = await connected(httpTargetFrom(endpoint), (own) => ask(own, 'SHOW DATABASES', signal));
    let closed = false;
    return {
      async run(query, runSignal, collect = false) {
        if (closed) throw lost(http.place, 'it is closed');
        return drain(http, query.text, database, runSignal, collect);
      },
      async close() {
        closed = true;
        http.close();
      },
    };
  },
};

async function openSession(endpoint: Endpoint, signal: AbortSignal): Promise<Session> {
  const target = httpTargetFrom(endpoint);
  const http = await connected(target, (own) => ask(own, 'SHOW DATABASES', signal));
  const encrypted = target.tlsMode !== 'disable';
  return {
    async describe(own, database) {
      const there = database !== undefined && (await databaseExists(http, database, own));
      return describeServer(http, endpoint.engine, there ? database : monitorDatabase, encrypted, own);
    },
    async prepare(dataset, options, own) {
      checkNames(dataset);
      await provideDatabase(http, dataset, options, own);
      const tables = dataset.tables.map(({ name, fields }) => ({ name, field: fields[0]?.name ?? noValue }));
      return {
        database: options.database,
        notes: [],
        driver: { tables, ...loadOptions.parse(options.engine) },
      };
    },
    // Tags are in every row.
    writeDevices: async () => undefined,
    async count(prepared, own) {
      const counts: Record<string, number> = {};
      for (const { name, field } of preparedSchema.parse(prepared.driver).tables) {
        const counted = await ask(
          http,
          `SELECT count(${quoteName(field)}), count(${quoteName(noValue)}) FROM ${quoteName(name)}`,
          own,
          prepared.database,
        );
        const [, ...parts] = counted[0]?.values[0] ?? [];
        counts[name] = parts.reduce<number>((sum, part) => sum + Number(part ?? 0), 0);
      }
      return counts;
    },
    drop: (prepared, own) => dropOurs(http, prepared.database, own),
    close: async () => http.close(),
  };
}
