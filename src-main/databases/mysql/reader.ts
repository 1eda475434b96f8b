import type { Reader } from '../driver.ts';
import type { Dialled } from './connection.ts';
import { Link } from './link.ts';

/** A connection that runs queries by the text protocol and drains their rows. */
export async function openReader(target: Dialled, database: string, signal: AbortSignal): Promise<Reader> {
  const link = await Link.open(target, database, signal);
  return {
    async run(query, runSignal, collect = false) {
      const { rows, bytes, firstRowMs, values } = await link.exchange(query.text, runSignal, { collect });
      return { rows, bytes, ...(firstRowMs !== null && { firstRowMs }), ...(collect && { values }) };
    },
    close: () => link.close(),
  };
}
