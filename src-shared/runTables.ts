import type { PrintedLatency, PrintedOperation, PrintedPhase } from './model/printed.ts';
import { knownPhases } from './model/printed.ts';
import type { Operation, Phase, Run } from './model/run.ts';
import { verdictLabels } from './model/verdict.ts';
import { countedSeconds } from './model/wholeOperation.ts';
import {
  formatBytes,
  formatCount,
  formatCounted,
  formatElapsed,
  formatLatency,
  formatRate,
} from './units.ts';

/** A table of texts, the first column left, the others right. */
export interface TextTable {
  title: string;
  header: readonly string[];
  rows: readonly (readonly string[])[];
}

/** `2026-11-30 21:15:52 UTC` */
export function formatMoment(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`;
}

/** What a run was, as pairs of words: what is not known is left out. */
export function runFacts(run: Run): [name: string, value: string][] {
  const { printed, client, host } = run;
  const took = run.endedAt === null ? null : Date.parse(run.endedAt) - Date.parse(run.startedAt);
  const board = host?.before;
  const pairs: [string, string | null | undefined][] = [
    ['Plan', run.plan.name],
    ['Target', printed ? null : run.targetName],
    ['Server', run.serverLabel],
    ['Machine', printed?.hardware ?? board?.model.value],
    ['System', board?.os.value],
    ['Memory', board?.memoryBytes.value == null ? null : formatBytes(board.memoryBytes.value)],
    ['Storage', board?.root.kind.value],
    [
      'Loader',
      client
        ? `${client.cpu}, ${formatCounted(client.cores, 'core')}, ${formatBytes(client.memoryBytes)}`
        : printed?.loader,
    ],
    ['Source', printed && [printed.source.title, printed.source.date].filter(Boolean).join(', ')],
    ['Address', printed?.source.url],
    ['Started', printed ? null : formatMoment(run.startedAt)],
    ['Took', printed || took === null ? null : formatElapsed(took)],
    ['Seed', run.seed === null ? null : String(run.seed)],
    ['Tags', run.tags.join(', ')],
    ['Measured by', client && `Benchberry ${client.toolVersion}`],
    ...(printed?.facts ?? []).map(({ name, value }): [string, string] => [name, value]),
  ];
  return pairs.flatMap(([name, value]) => (value ? [[name, value]] : []));
}

/** Verdicts as lines: the label, then why. */
export function verdictLines(run: Pick<Run, 'verdicts' | 'status'>): [label: string, reason: string][] {
  if (run.verdicts.length === 0) return [['Status', run.status]];
  return run.verdicts.map(({ code, reason, advice }) => [
    verdictLabels[code],
    [reason, advice].filter(Boolean).join(' '),
  ]);
}

/** What fetches have beside what every operation has; nothing of it is printed elsewhere. */
type Shown = PrintedOperation &
  Partial<Pick<Operation, 'rows' | 'bytes' | 'readers' | 'cache' | 'firstRowUs'>>;

interface Column {
  title: string;
  read(operation: Shown): number | null;
  format(value: number): string;
}

const latency = (title: string, key: keyof PrintedLatency): Column => ({
  title,
  read: ({ latencyUs }) => latencyUs?.[key] ?? null,
  format: formatLatency,
});
/** So much a second, only of fetches. */
function fetched({ readers, seconds }: Shown, amount: number | undefined): number | null {
  return readers === undefined || amount === undefined || !seconds ? null : amount / seconds;
}

const columns: readonly Column[] = [
  { title: 'count', read: ({ count }) => count, format: formatCount },
  { title: 'errors', read: ({ errors }) => errors, format: formatCount },
  { title: 'per second', read: ({ perSecond }) => perSecond, format: formatRate },
  { title: 'seconds', read: ({ seconds }) => seconds, format: (value) => value.toFixed(2) },
  { title: 'rows/s', read: (operation) => fetched(operation, operation.rows), format: formatRate },
  {
    title: 'data/s',
    read: (operation) => fetched(operation, operation.bytes),
    format: (value) => `${formatBytes(value)}/s`,
  },
  { title: 'first row p50', read: ({ firstRowUs }) => firstRowUs?.p50 ?? null, format: formatLatency },
  { title: 'first row p99', read: ({ firstRowUs }) => firstRowUs?.p99 ?? null, format: formatLatency },
  latency('min', 'min'),
  latency('mean', 'mean'),
  latency('p50', 'p50'),
  latency('p95', 'p95'),
  latency('p99', 'p99'),
  latency('p99.9', 'p999'),
  latency('max', 'max'),
  latency('stddev', 'stddev'),
];

/** Each phase as a table of its operations; a column that none of them has is left out. Latencies of fetches are of the last row. */
export function phaseTables(run: Run): TextTable[] {
  return knownPhases(run).map((phase) => {
    const told = columns.filter(({ read }) => phase.operations.some((o) => read(o) !== null));
    const fetches = phase.operations.some(({ readers }: Shown) => readers !== undefined);
    return {
      title: `${phaseTitle(phase)}${fetches ? ' · latencies are of the last row' : ''}`,
      header: ['operation', ...told.map(({ title }) => title)],
      rows: phase.operations.map((operation) => [
        operation.name,
        ...told.map(({ read, format }) => {
          const value = read(operation);
          return value === null ? '–' : format(value);
        }),
      ]),
    };
  });
}

/** `tsbs.load: 20,655 rows/s · 1,000,000 rows in 48.6 s · 4 workers` */
function phaseTitle(phase: PrintedPhase & Partial<Pick<Phase, 'visible' | 'unanswered'>>): string {
  const seconds = countedSeconds(phase);
  const { visible, unanswered, rows, rowsPerSecond, metricsPerSecond, workers, transactions } = phase;
  const isLoad = phase.kind === 'load';
  const parts = [
    isLoad && rowsPerSecond !== null && `${formatRate(rowsPerSecond)} rows/s${unanswered ? ' sent' : ''}`,
    visible && `${formatRate(visible.rowsPerSecond)} rows/s until all could be queried`,
    visible === null && 'not all rows could be queried in time',
    isLoad && metricsPerSecond !== null && `${formatRate(metricsPerSecond)} metrics/s`,
    transactions?.tps != null && `${formatRate(transactions.tps)} TPS`,
    rows !== null && phase.kind !== 'transactions' && rows > 0 && formatCounted(rows, 'row'),
    seconds !== null && `in ${formatElapsed(seconds * 1000)}`,
    workers !== null && formatCounted(workers, phase.kind === 'transactions' ? 'client' : 'worker'),
  ].filter((part) => typeof part === 'string');
  return parts.length === 0 ? phase.name : `${phase.name}: ${parts.join(' · ')}`;
}
