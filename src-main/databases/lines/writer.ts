import type { Dataset, Writer } from '../driver.ts';
import { type HttpTarget, httpTo } from '../http/connection.ts';
import { lost, refusal } from '../http/errors.ts';
import { LineRows } from './rows.ts';

/** A connection that posts each batch as lines and waits for its answer. @param path where lines are taken */
export async function openLineWriter(target: HttpTarget, path: string, dataset: Dataset): Promise<Writer> {
  const http = await httpTo(target);
  const rows = new LineRows(dataset);
  let closed = false;
  return {
    get pending() {
      return rows.batch.rows;
    },
    row(table, device, timeMs, nanos, values, missingTag) {
      rows.row(table, device, timeMs, nanos, values, missingTag);
    },
    async flush(signal) {
      if (rows.batch.rows === 0) return 0;
      if (closed) throw lost(http.place, 'it is closed');
      const blocks = rows.batch.take();
      const body = blocks
        .filter((block) => block.rows > 0)
        .map(({ bytes, length }) => bytes.subarray(0, length));
      try {
        const reply = await http.send({ method: 'POST', path, body }, signal);
        if (reply.status !== 204 && reply.status !== 200)
          throw refusal(reply.status, reply.body, http.place, http.signedIn);
      } catch (error) {
        closed = true;
        http.close();
        throw error;
      }
      const bytes = body.reduce((sum, part) => sum + part.length, 0);
      rows.batch.recycle(blocks);
      return bytes;
    },
    async close() {
      closed = true;
      http.close();
    },
  };
}
