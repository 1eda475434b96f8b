import type { Reader } from '../driver.ts';
import type { Dialled } from './connection.ts';
import { queryMessage } from './statements.ts';
import { Wire } from './wire.ts';

/** A connection that runs queries by the simple protocol (TSBS's have no parameters) and drains their rows as text. */
export async function openReader(target: Dialled, database: string, signal: AbortSignal): Promise<Reader> {
  const wire = await Wire.open(target, database, signal);
  return {
    async run(query, runSignal, collect = false) {
      const { rows, bytes, values } = await wire.exchange([queryMessage(query.text)], 1, runSignal, collect);
      return collect ? { rows, bytes, values } : { rows, bytes };
    },
    close: () => wire.close(),
  };
}
