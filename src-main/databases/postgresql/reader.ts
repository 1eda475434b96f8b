import { performance } from 'node:perf_hooks';
import type { Reader } from '../driver.ts';
import type { Dialled } from './connection.ts';
import { queryMessage } from './statements.ts';
import { Wire } from './wire.ts';

/** A connection that runs queries by the simple protocol (TSBS's have no parameters) and drains their rows as text. */
export async function openReader(target: Dialled, database: string, signal: AbortSignal): Promise<Reader> {
  const wire = await Wire.open(target, database, signal);
  return {
    async run(query, runSignal, collect = false) {
      const start = performance.now();
      const { rows, bytes, values, firstRowAt } = await wire.exchange(
        [queryMessage(query.text)],
        1,
        runSignal,
        collect,
      );
      return {
        rows,
        bytes,
        ...(firstRowAt !== null && { firstRowMs: firstRowAt - start }),
        ...(collect && { values }),
      };
    },
    close: () => wire.close(),
  };
}
