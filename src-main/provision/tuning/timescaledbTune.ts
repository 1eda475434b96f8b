import type { Setting } from './setting.ts';
import { formatPgBytes, GiB, KiB, MiB } from './sizes.ts';

/** Sets of formulas: of the newest timescaledb-tune, and of the one the article of May 2021 used. */
export const formulaVersions = ['0.19.0', '0.11.0'] as const;
export type FormulaVersion = (typeof formulaVersions)[number];

export interface Machine {
  memoryBytes: number;
  cores: number;
  /** PostgreSQL's major version. */
  postgres: number;
}

export interface TuneOptions {
  formulas?: FormulaVersion;
  /** At least 25; the formulas' own number without it. */
  connections?: number;
  /** At least 16 for timescaledb-tune itself; the formulas' own number without it. */
  backgroundWorkers?: number;
  /** Room set aside for the WAL. */
  walDiskBytes?: number;
}

const constants = {
  '0.19.0': {
    leastConnections: 25,
    backgroundWorkers: 16,
    workMem: 400 * MiB,
    statistics: 100,
    locks: [128, 256, 512, 1024],
  },
  '0.11.0': {
    leastConnections: 20,
    backgroundWorkers: 8,
    workMem: 128 * MiB,
    statistics: 500,
    locks: [64, 128, 256, 512],
  },
} as const;

/**
 * What timescaledb-tune advises on Linux, number for number and in its order (formulas read in its source, versions 0.19.0
 * and 0.11.0). It prints only what is missing in the file or more than 5 % off; this is all of it.
 */
export function timescaledbTune(machine: Machine, options: TuneOptions = {}): Setting[] {
  const formulas = options.formulas ?? '0.19.0';
  const chosen = {
    connections: options.connections ?? connectionsFor(machine.memoryBytes, formulas),
    backgroundWorkers: options.backgroundWorkers ?? constants[formulas].backgroundWorkers,
  };
  return [
    ...memory(machine, chosen.connections, formulas),
    ...parallelism(machine, chosen.backgroundWorkers),
    ...wal(machine, options.walDiskBytes),
    ...miscellaneous(machine, chosen.connections, formulas),
  ];
}

function memory({ memoryBytes, cores }: Machine, connections: number, formulas: FormulaVersion): Setting[] {
  const workMem = ((memoryBytes / GiB) * constants[formulas].workMem) / connections / Math.round(cores / 2);
  const maintenance = Math.min(Math.floor(memoryBytes / 8), 2047 * MiB);
  return [
    bytes('shared_buffers', memoryBytes / 4, 'A quarter of the memory for the server’s own page cache.'),
    bytes(
      'effective_cache_size',
      (memoryBytes * 3) / 4,
      'Three quarters of the memory: what the planner may count on to be cached, by the server or by Linux.',
    ),
    bytes('maintenance_work_mem', maintenance, 'An eighth of the memory, for making indexes and for vacuum.'),
    bytes(
      'work_mem',
      Math.max(workMem, 64 * KiB),
      'For each sort or hash of each connection: small enough that all connections fit at once.',
    ),
  ];
}

function parallelism({ cores, postgres }: Machine, backgroundWorkers: number): Setting[] {
  if (cores <= 1) return []; // timescaledb-tune has no advice for one core
  const perGather = Math.round(cores / 2);
  return [
    plain(
      'timescaledb.max_background_workers',
      backgroundWorkers,
      'Workers for TimescaleDB’s own jobs, for all databases together.',
    ),
    plain(
      'max_worker_processes',
      3 + backgroundWorkers + cores,
      'TimescaleDB’s workers, one for each core, and three to spare.',
    ),
    plain('max_parallel_workers_per_gather', perGather, 'One query may use half of the cores.'),
    ...(postgres >= 10
      ? [plain('max_parallel_workers', cores, 'All queries together may use every core.')]
      : []),
  ];
}

function wal({ memoryBytes }: Machine, walDiskBytes?: number): Setting[] {
  const segment = 16 * MiB;
  const buffers = memoryBytes < 2 * GiB ? (memoryBytes / GiB) * 7864 * KiB : 16 * MiB;
  const most = walDiskBytes === undefined ? GiB : Math.ceil((walDiskBytes * 0.6) / segment) * segment;
  return [
    bytes('wal_buffers', buffers, 'About 3 % of shared_buffers, for changes on their way to the disk.'),
    bytes('min_wal_size', most / 2, 'WAL files up to this size are used again instead of being made anew.'),
    bytes('max_wal_size', most, 'So much WAL may pile up before a checkpoint is forced.'),
  ];
}

function miscellaneous(
  { memoryBytes, postgres }: Machine,
  connections: number,
  formulas: FormulaVersion,
): Setting[] {
  const { locks, statistics } = constants[formulas];
  const [first, second, third, last] = locks;
  const lock =
    memoryBytes < 8 * GiB ? first : memoryBytes < 16 * GiB ? second : memoryBytes < 32 * GiB ? third : last;
  const newer = formulas === '0.19.0';
  return [
    plain('default_statistics_target', statistics, 'How finely the planner knows the values of a column.'),
    plain(
      'random_page_cost',
      1.1,
      'A page from anywhere costs about as much as the next one: true for an SSD.',
    ),
    plain(
      'checkpoint_completion_target',
      0.9,
      'A checkpoint’s writes are spread over 90 % of the time there is.',
    ),
    plain('max_connections', connections, 'Each connection costs memory: no more than the board can carry.'),
    plain(
      'max_locks_per_transaction',
      lock,
      'A query over many chunks locks each of them, and each of their indexes.',
    ),
    plain('autovacuum_max_workers', 10, 'Many chunks are vacuumed side by side.'),
    plain('autovacuum_naptime', 10, 'Autovacuum looks for work every ten seconds.'),
    ...(newer && postgres >= 14
      ? [plain('default_toast_compression', 'lz4', 'Faster to compress and to read than the older pglz.')]
      : []),
    ...(newer && postgres >= 12
      ? [plain('jit', 'off', 'Compiling a query takes longer than it saves on queries of this kind.')]
      : []),
    plain(
      'effective_io_concurrency',
      newer && postgres >= 13 ? 256 : 200,
      'So many reads may be under way at once: meant for an SSD.',
    ),
  ];
}

function connectionsFor(memoryBytes: number, formulas: FormulaVersion): number {
  if (memoryBytes <= 2 * GiB) return constants[formulas].leastConnections;
  if (memoryBytes <= 4 * GiB) return 50;
  return memoryBytes <= 6 * GiB ? 75 : 100;
}

const bytes = (name: string, value: number, reason: string): Setting => ({
  name,
  value: formatPgBytes(Math.floor(value)),
  reason,
});
const plain = (name: string, value: number | string, reason: string): Setting => ({
  name,
  value: String(value),
  reason,
});
