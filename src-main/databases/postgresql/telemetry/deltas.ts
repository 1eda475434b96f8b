import type { ServerSample } from '../../../../src-shared/model/telemetry.ts';
import type { Counters } from './replies.ts';

type Deltas = Pick<ServerSample, 'wal' | 'database' | 'io'>;

/**
 * What was counted between two readings. Counters that fell began anew (a restart, a reset by somebody): that interval is
 * not known and null.
 */
export function deltasOf(before: Counters, now: Counters): Deltas {
  return {
    wal: walOf(before, now),
    database: difference(before.database, now.database),
    io: ioOf(before, now),
  };
}

function walOf(before: Counters, now: Counters): Deltas['wal'] {
  if (before.wal === null || now.wal === null || now.wal < before.wal) return null;
  const details = before.walDetails && now.walDetails ? difference(before.walDetails, now.walDetails) : null;
  return {
    bytes: now.wal - before.wal,
    records: details?.records ?? null,
    fullPageImages: details?.fullPageImages ?? null,
    buffersFull: details?.buffersFull ?? null,
  };
}

/** From 16 on as the server counts it; before, from pages, with reads of this database only. */
function ioOf(before: Counters, now: Counters): Deltas['io'] {
  if (before.io && now.io) return difference(before.io, now.io);
  const [a, b] = [before.checkpointer, now.checkpointer];
  const pages = difference(
    { checkpointer: a.buffers, cleaned: a.cleaned, backend: a.backend ?? 0 },
    { checkpointer: b.buffers, cleaned: b.cleaned, backend: b.backend ?? 0 },
  );
  if (pages === null) return null;
  const read = difference({ blocks: before.database.blocksRead }, { blocks: now.database.blocksRead });
  return {
    readBytes: read && read.blocks * now.block,
    checkpointerBytes: pages.checkpointer * now.block,
    backgroundWriterBytes: pages.cleaned * now.block,
    backendBytes: b.backend === null ? null : pages.backend * now.block,
    evictions: null,
  };
}

/** Null where any of them fell. */
function difference<K extends string>(
  before: Readonly<Record<K, number>>,
  now: Readonly<Record<K, number>>,
): Record<K, number> | null {
  const result: Record<K, number> = { ...now };
  for (const key in result) {
    result[key] -= before[key];
    if (result[key] < 0) return null;
  }
  return result;
}
