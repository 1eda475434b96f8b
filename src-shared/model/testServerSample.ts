import type { ServerSample } from './telemetry.ts';

/** A second of a PostgreSQL with four sessions that write; for tests. A partial overrides. */
export function makeServerSample(part: Partial<ServerSample> = {}): ServerSample {
  return {
    atMs: 1000,
    intervalMs: 1000,
    waits: { samples: 10, events: { CPU: 12, 'IO:WALSync': 20, 'Client:ClientRead': 8 }, idle: 0 },
    background: {},
    checkpoints: [],
    autovacuum: [],
    blocked: [],
    blockedCount: 0,
    wal: { bytes: 1e6, records: 5000, fullPageImages: 10, buffersFull: 0 },
    database: {
      commits: 1000,
      rollbacks: 0,
      blocksRead: 100,
      blocksHit: 9900,
      tempFiles: 0,
      tempBytes: 0,
      deadlocks: 0,
      rowsReturned: 1000,
      rowsFetched: 1000,
      rowsInserted: 1000,
      rowsUpdated: 3000,
      rowsDeleted: 0,
    },
    io: {
      readBytes: 819_200,
      checkpointerBytes: 0,
      backgroundWriterBytes: 0,
      backendBytes: 8192,
      evictions: 0,
    },
    sizes: null,
    ...part,
  };
}
