import { cpuFields } from '../cpuOnly/model.ts';
import { clamped, free, rising, type Walk } from './walks.ts';

/** A table of TSBS's use case `devops`. */
export interface Measurement {
  name: string;
  /** Further tags, which only this table's rows have. */
  tags: readonly string[];
  fields: readonly string[];
  /** Fields that are no whole numbers. */
  doubles?: readonly string[];
  /** What the random walks behind the fields are, in the order of their steps. */
  walks: readonly Walk[];
}

const gib = 2 ** 30;
/** Bytes of the simulated disk; half of it is free at first. */
export const diskBytes = 1024 * gib;

const wholes = (
  name: string,
  walks: Record<string, Walk>,
  more: { tags?: readonly string[]; before?: string } = {},
): Measurement => ({
  name,
  tags: more.tags ?? [],
  fields: [...(more.before === undefined ? [] : [more.before]), ...Object.keys(walks)],
  walks: Object.values(walks),
});
const each = <N extends string>(names: readonly N[], walk: Walk) =>
  Object.fromEntries(names.map((name) => [name, walk]));

const hundred = clamped(5, 0, 100, 0);
const thousand = clamped(5, 0, 1000, 0);
const tenThousand = clamped(50, 0, 10_000, 0);

/** In TSBS's order, misspelling included. The walks of `mem` take bounds and deviations from the host's memory. */
export const measurements: readonly Measurement[] = [
  wholes('cpu', each(cpuFields, { ...clamped(0, 0, 100, 0) })),
  wholes(
    'diskio',
    {
      ...each(['reads', 'writes'], rising(50)),
      ...each(['read_bytes', 'write_bytes'], rising(100)),
      ...each(['read_time', 'write_time', 'io_time'], rising(5)),
    },
    { tags: ['serial'] },
  ),
  {
    name: 'disk',
    tags: ['path', 'fstype'],
    fields: ['total', 'free', 'used', 'used_percent', 'inodes_total', 'inodes_free', 'inodes_used'],
    walks: [clamped(50, 0, diskBytes, diskBytes / 2)],
  },
  wholes(
    'kernel',
    each(
      ['interrupts', 'context_switches', 'processes_forked', 'disk_pages_in', 'disk_pages_out'],
      rising(5),
    ),
    { before: 'boot_time' },
  ),
  {
    name: 'mem',
    tags: [],
    fields: [
      ...['total', 'available', 'used', 'free', 'cached', 'buffered'],
      ...['used_percent', 'available_percent', 'buffered_percent'],
    ],
    doubles: ['used_percent', 'available_percent', 'buffered_percent'],
    walks: Array.from({ length: 3 }, () => clamped(0, 0, Number.NaN, 0)),
  },
  wholes(
    'net',
    {
      ...each(['bytes_sent', 'bytes_recv', 'packets_sent', 'packets_recv'], rising(50)),
      ...each(['err_in', 'err_out', 'drop_in', 'drop_out'], rising(5)),
    },
    { tags: ['interface'] },
  ),
  wholes(
    'nginx',
    {
      accepts: rising(5),
      active: hundred,
      handled: rising(5),
      reading: hundred,
      requests: rising(5),
      waiting: hundred,
      writing: hundred,
    },
    { tags: ['port', 'server'] },
  ),
  wholes('postgresl', {
    ...each(
      [
        ...['numbackends', 'xact_commit', 'xact_rollback', 'blks_read', 'blks_hit', 'tup_returned'],
        ...['tup_fetched', 'tup_inserted', 'tup_updated', 'tup_deleted', 'conflicts', 'temp_files'],
      ],
      thousand,
    ),
    temp_bytes: clamped(1024, 0, gib, 0),
    ...each(['deadlocks', 'blk_read_time', 'blk_write_time'], thousand),
  }),
  wholes(
    'redis',
    {
      total_connections_received: rising(5),
      ...each(['expired_keys', 'evicted_keys', 'keyspace_hits', 'keyspace_misses'], rising(50)),
      ...each(
        ['instantaneous_ops_per_sec', 'instantaneous_input_kbps', 'instantaneous_output_kbps'],
        free(1),
      ),
      connected_clients: tenThousand,
      ...each(
        ['used_memory', 'used_memory_rss', 'used_memory_peak', 'used_memory_lua'],
        clamped(50, 0, 16 * gib, 8 * gib),
      ),
      rdb_changes_since_last_save: tenThousand,
      ...each(
        [
          ...['sync_full', 'sync_partial_ok', 'sync_partial_err', 'pubsub_channels', 'pubsub_patterns'],
          ...['latest_fork_usec', 'connected_slaves', 'master_repl_offset', 'repl_backlog_active'],
          ...['repl_backlog_size', 'repl_backlog_histlen'],
        ],
        thousand,
      ),
      mem_fragmentation_ratio: hundred,
      ...each(['used_cpu_sys', 'used_cpu_user', 'used_cpu_sys_children', 'used_cpu_user_children'], thousand),
    },
    { tags: ['port', 'server'], before: 'uptime_in_seconds' },
  ),
];
