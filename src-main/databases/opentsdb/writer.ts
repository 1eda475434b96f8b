import type { Dataset, Prepared, Writer } from '../driver.ts';
import { connected, type HttpTarget } from '../http/connection.ts';
import { httpWriter } from '../http/writer.ts';
import { Delivery } from './delivery.ts';
import { readVersion } from './describe.ts';
import { type Layout, layoutSchema } from './loadOptions.ts';
import { jsonForm, PointRows, requestsOf } from './points.ts';
import { openTelnetWriter } from './telnet.ts';

export function openWriter(
  target: HttpTarget,
  prepared: Prepared,
  dataset: Dataset,
  signal: AbortSignal,
): Promise<Writer> {
  const layout = layoutSchema.parse(prepared.driver);
  return layout.transport === 'telnet'
    ? openTelnetWriter(target, prepared.database, layout, dataset, signal)
    : openHttpWriter(target, prepared.database, layout, dataset, signal);
}

/** A connection that puts the points of each batch, in requests of the size that the server takes, and waits for the answers. */
async function openHttpWriter(
  target: HttpTarget,
  database: string,
  layout: Layout,
  dataset: Dataset,
  signal: AbortSignal,
): Promise<Writer> {
  const http = await connected(target, (own) => readVersion(own, signal));
  const { mostTags, requestBytes } = layout;
  // Of a request one byte is `]`; its `[` is in place of a comma.
  const rows = new PointRows(dataset, { database, mostTags }, jsonForm(requestBytes - 1));
  const delivery = new Delivery(http, layout);
  return httpWriter(http, rows, {
    async deliver(blocks, own) {
      let bytes = 0;
      for (const block of blocks)
        for (const points of requestsOf(block)) bytes += await delivery.deliver(points, own);
      return bytes;
    },
    takeRemarks: () => delivery.takeRemarks(),
  });
}
