import { cancelled } from '../../../src-shared/errors.ts';
import type { Dataset, Writer } from '../driver.ts';
import { lost } from '../http/errors.ts';
import { connectSocket, endSocket, written } from '../http/socket.ts';
import { httpWriter } from '../http/writer.ts';
import { textsOf } from '../postgresql/batch.ts';
import { httpTo, placeOf, type Target } from './connection.ts';
import { Delivery, type Part } from './delivery.ts';
import { IlpRows } from './ilpRows.ts';
import type { Layout } from './loadOptions.ts';
import { lookUp } from './lookUp.ts';

export function openWriter(
  target: Target,
  layout: Layout,
  dataset: Dataset,
  signal: AbortSignal,
): Promise<Writer> {
  const rows = new IlpRows(dataset, layout.binaryDoubles);
  return layout.transport === 'tcp'
    ? tcpWriter(target, rows, signal)
    : ackedWriter(target, layout, dataset, rows, signal);
}

/** One request a batch: with the rows of one table, one transaction. */
async function ackedWriter(
  target: Target,
  layout: Layout,
  dataset: Dataset,
  rows: IlpRows,
  signal: AbortSignal,
): Promise<Writer> {
  const http = await httpTo(target);
  // Connected before anything is measured.
  await http.send({ path: '/ping' }, signal);
  const delivery = new Delivery(http, layout, lookUp(http, layout, dataset, rows));
  return httpWriter(http, rows, {
    async deliver(blocks, own) {
      const parts: Part[] = [];
      blocks.forEach((block, table) => {
        if (block.rows > 0) parts.push({ table, block });
      });
      return parts.length === 0 ? 0 : delivery.deliver(parts, own);
    },
    takeRemarks: () => delivery.takeRemarks(),
  });
}

/** Lines into a socket: what the server makes of them it does not say. */
async function tcpWriter(target: Target, rows: IlpRows, signal: AbortSignal): Promise<Writer> {
  const place = placeOf(target, target.ilpPort);
  const socket = await connectSocket({ ...target, port: target.ilpPort }, signal);
  let ended: string | null = null;
  let aborted = false;
  socket.on('error', (error) => {
    ended = error.message;
  });
  socket.on('close', () => {
    ended ??= 'the server closed it, as it does at a line that it cannot take: its log has the cause';
  });
  socket.resume();
  return {
    get pending() {
      return rows.batch.rows;
    },
    row(table, device, timeMs, nanos, values, missingTag) {
      rows.row(table, device, timeMs, nanos, values, missingTag);
    },
    async flush(flushSignal) {
      if (aborted) throw cancelled();
      if (ended !== null) throw lost(place, ended);
      const blocks = rows.batch.take();
      const texts = textsOf(blocks);
      const abort = () => {
        aborted = true;
        socket.destroy();
      };
      flushSignal.addEventListener('abort', abort, { once: true });
      if (flushSignal.aborted) abort();
      try {
        await written(socket, texts);
        rows.batch.recycle(blocks);
        return texts.reduce((sum, text) => sum + text.length, 0);
      } catch (error) {
        if (aborted) throw cancelled();
        throw lost(place, ended ?? (error instanceof Error ? error.message : String(error)));
      } finally {
        flushSignal.removeEventListener('abort', abort);
      }
    },
    close: () => endSocket(socket),
  };
}
