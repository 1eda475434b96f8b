import { type Board, piSafe } from './piSafe.ts';
import type { Setting } from './setting.ts';
import { type FormulaVersion, timescaledbTune } from './timescaledbTune.ts';

export const profileIds = [
  'timescaledb-tune',
  'pi-safe',
  'article-p1',
  'article-p2',
  'durable',
  'custom',
] as const;
export type ProfileId = (typeof profileIds)[number];

/** The settings of a profile, each with its reason. `custom` has none of its own. */
export function profileSettings(id: ProfileId, board: Board, formulas: FormulaVersion): Setting[] {
  switch (id) {
    case 'timescaledb-tune':
      return timescaledbTune(board, { formulas });
    case 'pi-safe':
      return piSafe(board, { formulas });
    case 'article-p1':
      return articleP1;
    case 'article-p2':
      return articleP2(board.postgres);
    case 'durable':
      return durable(board.postgres);
    case 'custom':
      return [];
  }
}

const p1 = (
  name: string,
  value: string,
  reason = 'As the article of May 2021 set it on its Raspberry Pi 3.',
) => ({
  name,
  value,
  reason,
});

/** TSBS on TimescaleDB, Raspberry Pi 3 with 1 GB: what its author put into postgresql.conf by hand. */
const articleP1: Setting[] = [
  p1('shared_buffers', '223094kB'),
  p1('effective_cache_size', '669282kB'),
  p1('maintenance_work_mem', '111547kB'),
  p1('work_mem', '2788kB'),
  p1('timescaledb.max_background_workers', '8'),
  p1('max_worker_processes', '15'),
  p1('max_parallel_workers_per_gather', '2'),
  p1('max_parallel_workers', '4'),
  p1('wal_buffers', '6692kB'),
  p1('min_wal_size', '512MB'),
  p1('default_statistics_target', '500'),
  p1('random_page_cost', '1.1'),
  p1('checkpoint_completion_target', '0.9'),
  p1('max_connections', '20', 'As the article set it: more clients than this are turned away.'),
  p1('max_locks_per_transaction', '64'),
  p1('autovacuum_max_workers', '10'),
  p1('autovacuum_naptime', '10'),
  p1('effective_io_concurrency', '200'),
];

/** pgbench on Raspberry Pi 3B (2019), and what its wal_level asks for. */
function articleP2(postgres: number): Setting[] {
  return [
    {
      name: 'wal_level',
      value: 'minimal',
      reason:
        'As the article set it: just enough WAL to recover from a crash. No replication, archiving or base backup; backups made before cannot be rolled forward.',
    },
    {
      name: 'max_wal_senders',
      value: '0',
      reason: 'The server does not start with wal_level minimal otherwise.',
    },
    { name: 'archive_mode', value: 'off', reason: 'With wal_level minimal there is nothing to archive.' },
    ...(postgres >= 17
      ? [
          {
            name: 'summarize_wal',
            value: 'off',
            reason: 'What wal_level minimal writes cannot be summarized.',
          },
        ]
      : []),
    {
      name: 'checkpoint_timeout',
      value: '30min',
      reason:
        'As the article set it: fewer checkpoints, unless max_wal_size is reached before. Recovery after a power cut takes longer.',
    },
    {
      name: 'checkpoint_completion_target',
      value: '0.8',
      reason: 'As the article set it: a checkpoint’s writes are spread over 80 % of the time there is.',
    },
    {
      name: 'max_parallel_workers_per_gather',
      value: '2',
      reason: 'As the article set it; it found next to no difference to 0.',
    },
  ];
}

/** What PostgreSQL does by default, written down: nothing that was acknowledged is lost in a power cut. */
function durable(postgres: number): Setting[] {
  return [
    { name: 'fsync', value: 'on', reason: 'What is written reaches the disk.' },
    {
      name: 'synchronous_commit',
      value: 'on',
      reason: 'A commit is acknowledged when it is on the disk, not before.',
    },
    { name: 'full_page_writes', value: 'on', reason: 'A page half written in a power cut can be repaired.' },
    { name: 'wal_level', value: 'replica', reason: 'Backups and replicas are possible.' },
    {
      name: 'max_wal_senders',
      value: '10',
      reason: 'PostgreSQL’s default: backups and replicas may connect.',
    },
    { name: 'checkpoint_timeout', value: '5min', reason: 'PostgreSQL’s default: recovery stays short.' },
    {
      name: 'checkpoint_completion_target',
      value: postgres >= 14 ? '0.9' : '0.5',
      reason: 'PostgreSQL’s default in this version.',
    },
    {
      name: 'max_wal_size',
      value: '1GB',
      reason: 'PostgreSQL’s default: so much WAL until a checkpoint is forced.',
    },
  ];
}
