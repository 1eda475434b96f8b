import { entryOf } from '../../../src-shared/entryOf.ts';

/** What sysbench's options are here: taken over as a parameter, or left out with a reason. Names with `-` throughout. */

/** What can stand behind a test's name. */
export const commands = ['prepare', 'run', 'cleanup'] as const;
export type Command = (typeof commands)[number];

export type OptionValue = string | number | boolean;
export type OptionKind = 'whole' | 'number' | 'flag' | 'text';

export interface KnownOption {
  /** Parameter of the steps. */
  key: string;
  kind: OptionKind;
}

const whole = (key: string): KnownOption => ({ key, kind: 'whole' });
const flag = (key: string): KnownOption => ({ key, kind: 'flag' });
const text = (key: string): KnownOption => ({ key, kind: 'text' });

/** Of sysbench 1.0, and of 0.4 and 0.5 with their older names. */
export const knownOptions: ReadonlyMap<string, KnownOption> = new Map(
  Object.entries({
    threads: whole('threads'),
    'num-threads': whole('threads'),
    time: whole('time'),
    'max-time': whole('time'),
    events: whole('events'),
    'max-requests': whole('events'),
    rate: whole('rate'),
    'tx-rate': whole('rate'),
    'warmup-time': whole('warmupTime'),
    'report-interval': whole('reportInterval'),
    percentile: whole('percentile'),
    histogram: flag('histogram'),
    'db-ps-mode': text('dbPsMode'),
    'rand-type': text('randType'),
    'oltp-dist-type': text('randType'),
    'rand-spec-iter': whole('randSpecIter'),
    'oltp-dist-iter': whole('randSpecIter'),
    'rand-spec-pct': whole('randSpecPct'),
    'oltp-dist-pct': whole('randSpecPct'),
    'rand-spec-res': whole('randSpecRes'),
    'oltp-dist-res': whole('randSpecRes'),
    'rand-pareto-h': { key: 'randParetoH', kind: 'number' },
    'rand-zipfian-exp': { key: 'randZipfianExp', kind: 'number' },
    'rand-seed': whole('randSeed'),
    'pgsql-db': text('dbName'),
    tables: whole('tables'),
    'oltp-tables-count': whole('tables'),
    'table-size': whole('tableSize'),
    'oltp-table-size': whole('tableSize'),
    'auto-inc': flag('autoInc'),
    'oltp-auto-inc': flag('autoInc'),
    'create-secondary': flag('createSecondary'),
    'point-selects': whole('pointSelects'),
    'oltp-point-selects': whole('pointSelects'),
    'range-selects': flag('rangeSelects'),
    'oltp-range-selects': flag('rangeSelects'),
    'simple-ranges': whole('simpleRanges'),
    'oltp-simple-ranges': whole('simpleRanges'),
    'sum-ranges': whole('sumRanges'),
    'oltp-sum-ranges': whole('sumRanges'),
    'order-ranges': whole('orderRanges'),
    'oltp-order-ranges': whole('orderRanges'),
    'distinct-ranges': whole('distinctRanges'),
    'oltp-distinct-ranges': whole('distinctRanges'),
    'range-size': whole('rangeSize'),
    'oltp-range-size': whole('rangeSize'),
    'index-updates': whole('indexUpdates'),
    'oltp-index-updates': whole('indexUpdates'),
    'non-index-updates': whole('nonIndexUpdates'),
    'oltp-non-index-updates': whole('nonIndexUpdates'),
    'delete-inserts': whole('deleteInserts'),
    'oltp-delete-inserts': whole('deleteInserts'),
    'skip-trx': flag('skipTrx'),
    'oltp-skip-trx': flag('skipTrx'),
    'random-points': whole('randomPoints'),
    'number-of-ranges': whole('numberOfRanges'),
    delta: whole('delta'),
  }),
);

/** Options that say where the server is, which script is meant, or how it is done; not parameters of their own. */
export const readOptions: ReadonlySet<string> = new Set([
  ...['db-driver', 'pgsql-host', 'pgsql-port', 'pgsql-user', 'pgsql-sslmode'],
  ...['test', 'oltp-test-mode', 'oltp-nontrx-mode', 'oltp-read-only', 'oltp-write-only'],
]);

/** Switches among what is not taken over: no value follows them. */
export const otherFlags: ReadonlySet<string> = new Set([
  ...['oltp-read-only', 'oltp-write-only', 'secondary', 'oltp-secondary', 'validate', 'debug', 'db-debug'],
  ...['help', 'version', 'mysql-ssl', 'mysql-compression', 'mysql-debug', 'mysql-dry-run'],
]);

/** Why an option is left out; keys are its whole name. */
const reasons: Readonly<Record<string, string>> = {
  'config-file': 'a file with options is not read: paste its options too',
  'pgsql-password': 'a password has no place in a plan: it is asked for, and kept with the target',
  secondary: 'sysbench itself fails with it on PostgreSQL: it makes a table of MySQL’s',
  'oltp-secondary': 'sysbench itself fails with it on PostgreSQL: it makes a table of MySQL’s',
  'report-checkpoints': 'there is no report in mid-run; a run has figures of every second',
  'forced-shutdown': 'events under way at the end are always finished',
  'pgsql-variant': 'Amazon’s Redshift is not measured here',
  reconnect: 'each thread keeps its connection',
  'oltp-reconnect-mode': 'each thread keeps its connection',
  'oltp-user-delay-min': 'there is no waiting between statements',
  'oltp-user-delay-max': 'there is no waiting between statements',
  'oltp-table-name': 'tables have the names that sysbench gives them by itself',
  'oltp-sp-name': 'stored procedures are not called',
  'create-table-options': 'tables are made as sysbench makes them by itself',
  'mysql-storage-engine': 'it is MySQL’s',
  'thread-stack-size': 'it is sysbench’s own',
  'thread-init-timeout': 'it is sysbench’s own',
  'luajit-cmd': 'it is sysbench’s own',
  validate: 'sysbench’s OLTP scripts check nothing with it',
  debug: 'it is sysbench’s own',
  'db-debug': 'it is sysbench’s own',
  verbosity: 'it is sysbench’s own',
};

/** Why an option that is not known here is not taken over. */
export function reasonFor(name: string): string {
  return (
    entryOf(reasons, name) ??
    (name.startsWith('mysql-') ? 'MySQL is not measured here' : 'sysbench has no such option')
  );
}

/** null where the text is no such value. */
export function parsedValue(value: string | null, kind: OptionKind): OptionValue | null {
  switch (kind) {
    case 'whole':
      return value !== null && /^\d+$/.test(value) ? Number(value) : null;
    case 'number':
      return value !== null && /^\d*\.?\d+$/.test(value) ? Number(value) : null;
    case 'flag':
      if (value === null || /^(on|true|1|yes)$/i.test(value)) return true;
      return /^(off|false|0|no)$/i.test(value) ? false : null;
    case 'text':
      return value === '' ? null : value;
  }
}
