import type { Phase } from '../../../src-shared/model/run.ts';
import type { Tick } from '../../../src-shared/model/tick.ts';
import { goFixed } from '../goFormat.ts';

/** What of an initialisation its lines depend on. */
export interface InitOptions {
  scale: number;
  partitions: number;
  quiet: boolean;
}

const accountsPerScale = 100_000;
/** Branches and tellers, which go before the accounts and are not told. */
const othersPerScale = 11;
/** Rows between two lines of progress; with `quiet`, seconds. */
const rowsPerLine = 100_000;
const quietMs = 5000;

/** What pgbench says as each of its steps begins, by the step's name. */
const announcements: Readonly<Record<string, (options: InitOptions) => string[]>> = {
  'drop tables': () => ['dropping old tables...'],
  'create tables': ({ partitions }) => [
    'creating tables...',
    ...(partitions > 0 ? [`creating ${partitions} partitions...`] : []),
  ],
  'client-side generate': () => ['generating data (client-side)...'],
  'server-side generate': () => ['generating data (server-side)...'],
  vacuum: () => ['vacuuming...'],
  'primary keys': () => ['creating primary keys...'],
  'foreign keys': () => ['creating foreign keys...'],
};
function announce(step: string, options: InitOptions): string[] {
  return announcements[step]?.(options) ?? [];
}

/**
 * The lines on the way: each step as it shows in the ticks, and how many accounts there are. Between two lines there may be
 * more than 100,000 rows: the last full hundred thousand is told.
 */
export function createInitLines(options: InitOptions): (tick: Tick) => string[] {
  const total = accountsPerScale * options.scale;
  let step = '';
  let rows = 0;
  let told = 0;
  let toldMs = 0;
  let elapsedMs = 0;
  return (tick) => {
    const [operation] = tick.operations;
    if (operation === undefined) return [];
    const lines = operation.name === step ? [] : announce(operation.name, options);
    if (operation.name !== step) rows = told = toldMs = elapsedMs = 0;
    step = operation.name;
    elapsedMs += tick.intervalMs;
    rows += operation.rows;
    if (step !== 'client-side generate') return lines;
    const accounts = Math.max(0, rows - othersPerScale * options.scale);
    const full = Math.floor(accounts / rowsPerLine) * rowsPerLine;
    const due = options.quiet ? elapsedMs - toldMs >= quietMs || accounts === total : full > told;
    if (!due || accounts === told) return lines;
    told = options.quiet ? accounts : full;
    toldMs = elapsedMs;
    return [...lines, rowsLine(told, total, elapsedMs / 1000)];
  };
}

function rowsLine(done: number, total: number, elapsed: number): string {
  const remaining = ((total - done) * elapsed) / done;
  return (
    `${done} of ${total} tuples (${Math.floor((done * 100) / total)}%) done ` +
    `(elapsed ${goFixed(elapsed, 2)} s, remaining ${goFixed(remaining, 2)} s)`
  );
}

/** Steps that no tick showed, and the line that pgbench ends with. */
export function initEnd(options: InitOptions, phase: Phase, ticks: readonly Tick[]): string[] {
  const shown = new Set(ticks.map((tick) => tick.operations[0]?.name));
  const times = phase.operations.map(({ name, seconds }) => `${name} ${goFixed(seconds, 2)} s`).join(', ');
  return [
    ...phase.operations.filter(({ name }) => !shown.has(name)).flatMap(({ name }) => announce(name, options)),
    `done in ${goFixed(phase.seconds, 2)} s (${times}).`,
  ];
}
