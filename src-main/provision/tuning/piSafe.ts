import type { Setting } from './setting.ts';
import { formatPgBytes, GiB, MiB } from './sizes.ts';
import { type Machine, type TuneOptions, timescaledbTune } from './timescaledbTune.ts';

export interface Board extends Machine {
  /** What the system itself needs. */
  reservedBytes: number;
  /** Of the disk that holds the database. */
  disk: 'card' | 'ssd';
}

/** Left for a system without a desktop, and for one that runs it. Own figures, to be measured on the board. */
export const reservedFor = { headless: 200 * MiB, desktop: 500 * MiB } as const;

/** Less than this for the database is no basis for any advice. */
const leastMemory = 128 * MiB;

/**
 * timescaledb-tune's advice with what does not fit a Pi put right: memory that the system needs is left to it, fewer
 * processes, and a disk that may be a card. Own arithmetic, reasons beside it.
 */
export function piSafe(board: Board, options: TuneOptions = {}): Setting[] {
  const memoryBytes = Math.max(board.memoryBytes - board.reservedBytes, leastMemory);
  const advised = timescaledbTune({ ...board, memoryBytes }, { ...options, backgroundWorkers: 8 });
  const changed = changes(board, memoryBytes);
  return advised.map((setting) => changed.get(setting.name) ?? setting).concat(vacuumMemory(memoryBytes));
}

function changes(board: Board, memoryBytes: number): Map<string, Setting> {
  const list: Setting[] = [
    {
      name: 'shared_buffers',
      value: formatPgBytes(Math.floor(memoryBytes / 4)),
      reason: `A quarter of what is left when the system has its ${formatPgBytes(board.reservedBytes)}.`,
    },
    {
      name: 'max_parallel_workers_per_gather',
      value: '0',
      reason: 'On four small cores, that the clients use too, splitting a query rarely pays.',
    },
    {
      name: 'autovacuum_max_workers',
      value: '3',
      reason: 'Ten at once would want more memory, and more of the disk, than the board has.',
    },
  ];
  if (board.disk === 'card') {
    list.push(
      {
        name: 'random_page_cost',
        value: '2',
        reason: 'A card is slower from place to place than in a row; an SSD would be 1.1.',
      },
      {
        name: 'effective_io_concurrency',
        value: '4',
        reason: 'A card serves few reads at once; 256 is meant for an SSD.',
      },
    );
  }
  return new Map(list.map((setting) => [setting.name, setting]));
}

function vacuumMemory(memoryBytes: number): Setting {
  return {
    name: 'autovacuum_work_mem',
    value: memoryBytes < GiB ? '32MB' : '64MB',
    reason: 'For each autovacuum worker; by default each might take all of maintenance_work_mem.',
  };
}
