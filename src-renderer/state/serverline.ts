import type { ServerSample } from '../../src-shared/model/telemetry.ts';
import { checkpointBands } from '../../src-shared/stats/checkpoints.ts';
import { gapMs } from '../../src-shared/stats/rates.ts';
import type { Series } from '../../src-shared/stats/series.ts';
import { classSessions } from '../../src-shared/stats/waits.ts';
import type { Band } from '../charts/panel.ts';
import { createSampleline } from './sampleline.ts';

const nothing = Number.NaN;
/** MB/s of so many bytes in the interval. */
const megabytes = (bytes: number | null | undefined, { intervalMs }: ServerSample) =>
  (bytes ?? nothing) / intervalMs / 1000;
const pageBytes = 8192;

/** What a chart draws of a sample; NaN where the server does not tell. */
const readers = {
  /** Sessions, on average. */
  cpu: (sample) => classSessions(sample).cpu,
  locks: (sample) => classSessions(sample).locks,
  wal: (sample) => classSessions(sample).wal,
  files: (sample) => classSessions(sample).files,
  internal: (sample) => classSessions(sample).internal,
  client: (sample) => classSessions(sample).client,
  /** All that wait for the server itself: neither at work nor waiting for the client. */
  waiting: (sample) => {
    const { cpu, client, ...rest } = classSessions(sample);
    return Object.values(rest).reduce((all, n) => all + n, 0);
  },
  blocked: ({ blockedCount }) => blockedCount,
  /** MB/s. */
  walBytes: (sample) => megabytes(sample.wal?.bytes, sample),
  walPages: (sample) => {
    const pages = sample.wal?.fullPageImages ?? nothing;
    // Pages with free space are logged without it: no more than all of it.
    return Math.min(megabytes(pages * pageBytes, sample), megabytes(sample.wal?.bytes, sample));
  },
  /** Percent. */
  hit: ({ database }) => {
    if (database === null) return nothing;
    const all = database.blocksHit + database.blocksRead;
    return all > 0 ? (100 * database.blocksHit) / all : nothing;
  },
  read: (sample) => megabytes(sample.io?.readBytes, sample),
  checkpointer: (sample) => megabytes(sample.io?.checkpointerBytes, sample),
  backgroundWriter: (sample) => megabytes(sample.io?.backgroundWriterBytes, sample),
  backends: (sample) => megabytes(sample.io?.backendBytes, sample),
  pendingTransactions: ({ applying }) => applying?.transactions ?? nothing,
  pendingRows: ({ applying }) => applying?.rows ?? nothing,
  /** MB. */
  usedMemory: ({ applying }) => (applying?.usedBytes ?? nothing) / 1e6,
  residentMemory: ({ applying }) => (applying?.residentBytes ?? nothing) / 1e6,
  temporary: (sample) => megabytes(sample.database?.tempBytes, sample),
} as const satisfies Record<string, (sample: ServerSample) => number>;
export type ServerColumn = keyof typeof readers;
const names = Object.keys(readers).filter((name): name is ServerColumn => name in readers);

/** A database server's samples as columns, outside React. */
export interface Serverline {
  append(sample: ServerSample): void;
  series(name: ServerColumn): Series;
  has(name: ServerColumn, above?: number): boolean;
  /** Checkpoints and autovacuum. The same list until another sample comes. */
  readonly bands: readonly Band[];
  readonly samples: readonly ServerSample[];
  readonly last: ServerSample | null;
}

export function createServerline(capacity?: number): Serverline {
  const line = createSampleline<ServerSample, ServerColumn>(readers, names, capacity);
  const samples: ServerSample[] = [];
  let bands: readonly Band[] | null = [];
  return {
    append(sample) {
      if (!line.append(sample)) return;
      samples.push(sample);
      // Nothing is drawn again for a second in which there was neither.
      if (sample.checkpoints.length > 0 || sample.autovacuum.length > 0) bands = null;
    },
    series: line.series,
    has: line.has,
    get bands() {
      bands ??= [...checkpoints(samples), ...autovacuum(samples)];
      return bands;
    },
    samples,
    get last() {
      return line.last;
    },
  };
}

function checkpoints(samples: readonly ServerSample[]): Band[] {
  return checkpointBands(samples).map(({ startMs, endMs }) => ({
    kind: 'checkpoint',
    fromMs: Math.max(0, startMs),
    toMs: endMs,
  }));
}

function autovacuum(samples: readonly ServerSample[]): Band[] {
  const bands: Band[] = [];
  for (const { atMs, intervalMs, autovacuum: at } of samples) {
    if (at.length === 0) continue;
    const last = bands.at(-1);
    if (last && atMs - intervalMs - last.toMs <= gapMs) last.toMs = atMs;
    else bands.push({ kind: 'autovacuum', fromMs: atMs - intervalMs, toMs: atMs });
  }
  return bands;
}
