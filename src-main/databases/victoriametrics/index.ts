import type { Driver } from '../driver.ts';
import { connected, httpConnection, httpTargetFrom, parseHttpUrl, resolveHttp } from '../http/connection.ts';
import { lost } from '../http/errors.ts';
import { openLineWriter } from '../lines/writer.ts';
import { drain, get } from './http.ts';
import { loadOptions, openSession } from './session.ts';

const connection = httpConnection({ port: 8428, product: 'VictoriaMetrics' });

/** VictoriaMetrics, single node: lines over /write, answers from /api/v1/export. */
export const victoriametricsDriver: Driver = {
  id: 'victoriametrics',
  label: 'VictoriaMetrics',
  description: 'A single-node VictoriaMetrics: loads by line protocol, select + fetch by export.',
  builtIn: false,
  connection,
  loadOptions,
  async resolve(given, secret) {
    const target = resolveHttp(connection, given, secret);
    return { engine: 'victoriametrics', label: `${target.host}:${target.port}`, connection: target };
  },
  parseUrl: (url) => parseHttpUrl('victoriametrics', url),
  openSession,
  openWriter: (endpoint, prepared, _signal, dataset) =>
    openLineWriter(
      httpTargetFrom(endpoint),
      {
        path: `/write?${new URLSearchParams({ db: prepared.database, precision: 'ns' })}`,
        // A value that comes twice is there twice.
        idempotent: false,
        resendFor: loadOptions.parse(prepared.driver).resendFor,
      },
      dataset,
    ),
  async openReader(endpoint, database, signal) {
    const http = await connected(httpTargetFrom(endpoint), (own) => get(own, '/health', {}, signal));
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
