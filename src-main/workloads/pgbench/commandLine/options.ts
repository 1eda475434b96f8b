/** pgbench's own options, as getopt reads them, and what becomes of each. */

export interface PgbenchOption {
  long: string | null;
  short: string | null;
  takesValue: boolean;
  use: OptionUse;
}

export type OptionUse =
  /** A parameter of a step, and how its value is read. */
  | { kind: 'parameter'; of: 'init' | 'run' | 'both'; key: string; value: ValueKind }
  /** Read by itself. */
  | { kind: 'special'; name: SpecialName }
  /** Left out, and why. */
  | { kind: 'left-out'; reason: string };

export type ValueKind = 'on' | 'count' | 'zero-or-more' | 'positive' | 'share' | 'text';
type SpecialName =
  | 'initialize'
  | 'host'
  | 'port'
  | 'user'
  | 'database'
  | 'builtin'
  | 'file'
  | 'select-only'
  | 'simple-update'
  | 'define'
  | 'log-prefix'
  | 'seed'
  | 'help';

const option = (
  short: string | null,
  long: string | null,
  takesValue: boolean,
  use: OptionUse,
): PgbenchOption => ({
  ...{ short, long, takesValue, use },
});
const parameter = (
  of: 'init' | 'run' | 'both',
  short: string | null,
  long: string,
  key: string,
  value: ValueKind,
): PgbenchOption => option(short, long, value !== 'on', { kind: 'parameter', of, key, value });
const special = (short: string | null, long: string, takesValue: boolean, name: SpecialName): PgbenchOption =>
  option(short, long, takesValue, { kind: 'special', name });
const leftOut = (short: string | null, long: string, takesValue: boolean, reason: string): PgbenchOption =>
  option(short, long, takesValue, { kind: 'left-out', reason });

export const pgbenchOptions: readonly PgbenchOption[] = [
  parameter('run', 'c', 'client', 'clients', 'count'),
  parameter('run', 'j', 'jobs', 'jobs', 'count'),
  parameter('run', 't', 'transactions', 'transactions', 'count'),
  parameter('run', 'T', 'time', 'seconds', 'count'),
  parameter('run', 'P', 'progress', 'progress', 'count'),
  parameter('run', 'M', 'protocol', 'protocol', 'text'),
  parameter('run', 'R', 'rate', 'rate', 'positive'),
  parameter('run', 'L', 'latency-limit', 'latencyLimit', 'positive'),
  parameter('run', 'C', 'connect', 'connect', 'on'),
  parameter('run', 'r', 'report-per-command', 'reportPerCommand', 'on'),
  parameter('run', null, 'report-latencies', 'reportPerCommand', 'on'),
  parameter('run', 'l', 'log', 'log', 'on'),
  parameter('run', null, 'sampling-rate', 'samplingRate', 'share'),
  parameter('run', null, 'aggregate-interval', 'aggregateInterval', 'count'),
  special(null, 'log-prefix', true, 'log-prefix'),
  parameter('run', 'v', 'vacuum-all', 'vacuumAll', 'on'),
  parameter('run', null, 'max-tries', 'maxTries', 'zero-or-more'),
  parameter('run', null, 'progress-timestamp', 'progressTimestamp', 'on'),
  parameter('run', null, 'failures-detailed', 'failuresDetailed', 'on'),
  parameter('run', null, 'continue-on-error', 'continueOnError', 'on'),
  parameter('run', null, 'exit-on-abort', 'exitOnAbort', 'on'),
  parameter('both', 'n', 'no-vacuum', 'noVacuum', 'on'),
  parameter('both', 's', 'scale', 'scale', 'count'),
  parameter('init', 'I', 'init-steps', 'initSteps', 'text'),
  parameter('init', 'F', 'fillfactor', 'fillfactor', 'count'),
  parameter('init', 'q', 'quiet', 'quiet', 'on'),
  parameter('init', null, 'foreign-keys', 'foreignKeys', 'on'),
  parameter('init', null, 'unlogged-tables', 'unloggedTables', 'on'),
  parameter('init', null, 'tablespace', 'tablespace', 'text'),
  parameter('init', null, 'index-tablespace', 'indexTablespace', 'text'),
  parameter('init', null, 'partitions', 'partitions', 'zero-or-more'),
  parameter('init', null, 'partition-method', 'partitionMethod', 'text'),
  special('i', 'initialize', false, 'initialize'),
  special('h', 'host', true, 'host'),
  special('p', 'port', true, 'port'),
  special('U', 'username', true, 'user'),
  special('d', 'dbname', true, 'database'),
  special('b', 'builtin', true, 'builtin'),
  special('f', 'file', true, 'file'),
  special('S', 'select-only', false, 'select-only'),
  special('N', 'skip-some-updates', false, 'simple-update'),
  special('D', 'define', true, 'define'),
  special(null, 'random-seed', true, 'seed'),
  special('?', 'help', false, 'help'),
  special('V', 'version', false, 'help'),
  special(null, 'show-script', true, 'help'),
  leftOut(null, 'verbose-errors', false, 'conflicts are counted by SQLSTATE, not printed one by one'),
  leftOut(null, 'debug', false, 'it is pgbench’s own'),
];
