import type { RowSink, Writer } from '../driver.ts';
import type { Batch, Block } from '../postgresql/batch.ts';
import { lost } from './errors.ts';
import type { Http } from './http.ts';

/** Encoded rows of the batch that is being made. */
export interface EncodedRows extends RowSink {
  readonly batch: Batch;
}

/** What is the engine's own: how a batch, a block for each table, is handed over. */
export interface Deliveries {
  /** @returns bytes sent */
  deliver(blocks: Block[], signal: AbortSignal): Promise<number>;
  takeRemarks(): string[];
}

/** A writer over one HTTP connection, which is closed after an error. */
export function httpWriter(http: Http, rows: EncodedRows, { deliver, takeRemarks }: Deliveries): Writer {
  let closed = false;
  const close = () => {
    closed = true;
    http.close();
  };
  return {
    get pending() {
      return rows.batch.rows;
    },
    row(table, device, timeMs, nanos, values, missingTag) {
      rows.row(table, device, timeMs, nanos, values, missingTag);
    },
    async flush(signal) {
      if (closed) throw lost(http.place, 'it is closed');
      const blocks = rows.batch.take();
      try {
        const bytes = await deliver(blocks, signal);
        rows.batch.recycle(blocks);
        return bytes;
      } catch (error) {
        close();
        throw error;
      }
    },
    takeRemarks,
    close: async () => close(),
  };
}
