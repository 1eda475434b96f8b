import { describeError } from '../../src-shared/errors.ts';
import type { Phase, Run } from '../../src-shared/model/run.ts';
import { conflictName, type TransactionFigures } from '../../src-shared/model/transactions.ts';
import { verdictLabels } from '../../src-shared/model/verdict.ts';
import { countedSeconds, isDistinct } from '../../src-shared/model/wholeOperation.ts';
import { phaseTables, runFacts } from '../../src-shared/runTables.ts';
import {
  formatCount,
  formatCounted,
  formatElapsed,
  formatLatency,
  formatRate,
} from '../../src-shared/units.ts';
import { fetchTable, hasFetches } from './fetch.ts';
import { textTable } from './table.ts';

/** A run for people at a terminal: what it was, each phase with its figures, the verdict with its reason. */
export function runSummary(run: Run): string {
  if (run.printed) return printedSummary(run, run.printed.missing);
  const head = textTable(
    [
      ['Run', run.id],
      ['Plan', run.name],
      ['Target', [run.targetName, run.serverLabel].filter(Boolean).join(' · ')],
      [
        'Started',
        `${run.startedAt}, ${run.endedAt ? tookText(run.startedAt, run.endedAt) : 'still running'}`,
      ],
      ...(run.server?.notes ?? []).map((note, i) => [i === 0 ? 'Server' : '', note]),
      ...(run.tags.length > 0 ? [['Tags', run.tags.join(', ')]] : []),
      ...(run.notes ? [['Notes', run.notes]] : []),
    ],
    'll',
  );
  const verdictTells = run.verdicts.some((verdict) => verdict.code === 'failed');
  return [
    ...head,
    ...run.phases.flatMap((phase) => ['', ...phaseLines(phase)]),
    '',
    outcomeText(run),
    ...(run.error && !verdictTells ? ['', describeError(run.error)] : []),
  ].join('\n');
}

/** Figures that were printed elsewhere, with what is known of where they come from, and what is not. */
function printedSummary(run: Run, missing: readonly string[]): string {
  const tables = phaseTables(run).flatMap(({ title, header, rows }) => [
    '',
    title,
    ...(rows.length === 0 ? [] : textTable([header, ...rows], `l${'r'.repeat(header.length - 1)}`)),
  ]);
  return [
    ...textTable([['Run', run.id], ...runFacts(run)], 'll'),
    ...tables,
    ...(missing.length === 0 ? [] : ['', `Not told by the source: ${missing.join('; ')}.`]),
    '',
    outcomeText(run),
  ].join('\n');
}

/** How a run ended: its verdicts, each with the reason and what to do next. */
export function outcomeText(run: Pick<Run, 'status' | 'verdicts'>): string {
  if (run.verdicts.length === 0) return `Status: ${run.status}`;
  return run.verdicts
    .flatMap(({ code, reason, advice }) => [
      `${verdictLabels[code]}: ${reason}`,
      ...(advice ? [`  next: ${advice}`] : []),
    ])
    .join('\n');
}

function tookText(from: string, to: string): string {
  return `took ${formatElapsed(Date.parse(to) - Date.parse(from))}`;
}

function phaseLines(phase: Phase): string[] {
  return [
    `${phase.name}: ${figuresOf(phase).join(' · ')}`,
    ...operationLines(phase),
    ...(phase.transactions ? transactionLines(phase.transactions) : scheduleLines(phase)),
    ...phase.notes.map((n) => `  ${n}`),
  ];
}

function figuresOf(phase: Phase): string[] {
  const workers = formatCounted(phase.workers, 'worker');
  const took = formatElapsed((countedSeconds(phase) ?? phase.seconds) * 1000);
  switch (phase.kind) {
    case 'load':
      return [
        `${formatCounted(phase.rows, 'row')} in ${took}`,
        `${formatRate(phase.rowsPerSecond)} rows/s${phase.unanswered ? ' sent' : ''}`,
        `${formatRate(phase.metricsPerSecond)} metrics/s`,
        workers,
        ...(phase.visible === undefined ? [] : [visibleText(phase.visible)]),
        phase.verifiedRows === null
          ? 'rows not counted'
          : `${formatCounted(phase.verifiedRows, 'row')} counted in the database`,
      ];
    case 'initialize':
      return [`${formatCounted(phase.rows, 'row')} in ${took}`, formatCounted(phase.workers, 'connection')];
    case 'queries':
      return [`${formatCounted(phase.rows, 'row')} read in ${took}`, workers];
    case 'transactions':
      return [
        `${formatRate(phase.transactions?.tps ?? 0)} TPS`,
        `${formatCounted(phase.operations[0]?.count ?? 0, 'transaction')} in ${took}`,
        formatCounted(phase.workers, 'client'),
        ...(phase.transactions ? [formatCounted(phase.transactions.threads, 'thread')] : []),
      ];
  }
}

function visibleText(visible: NonNullable<Phase['visible']> | null): string {
  if (visible === null) return 'not all rows could be queried in time';
  return `${formatRate(visible.rowsPerSecond)} rows/s until all could be queried`;
}

const rates: Record<Phase['kind'], string> = {
  load: 'batches/s',
  queries: 'queries/s',
  initialize: 'parts/s',
  transactions: 'TPS',
};

function operationLines(phase: Phase): string[] {
  if (phase.operations.length === 0) return [];
  if (phase.kind === 'initialize') return stepLines(phase);
  if (hasFetches(phase)) return fetchTable(phase.operations, '  ');
  const rate = rates[phase.kind];
  const rows = phase.operations.map(({ name, count, errors, perSecond, latencyUs }) => [
    `  ${name}`,
    formatCount(count),
    formatCount(errors),
    formatRate(perSecond),
    ...(latencyUs
      ? [latencyUs.min, latencyUs.p50, latencyUs.p95, latencyUs.p99, latencyUs.max].map(formatLatency)
      : Array<string>(5).fill('–')),
  ]);
  return textTable(
    [['  operation', 'count', 'errors', rate, 'min', 'p50', 'p95', 'p99', 'max'], ...rows],
    'lrrrrrrrr',
  );
}

/** Of making tables: how long each step took. */
function stepLines({ operations }: Phase): string[] {
  const steps = operations.map(({ name, rows, seconds }) => [
    `  ${name}`,
    `${seconds.toFixed(2)} s`,
    rows > 0 ? formatCount(rows) : '',
  ]);
  return textTable([['  step', 'took', 'rows'], ...steps], 'lrr');
}

/** What became of transactions that were not simply done, and how many statements there were. */
function transactionLines(figures: TransactionFigures): string[] {
  const { skipped, late, latencyLimitMs: limit, lag, retried, retries, endedClients, clients } = figures;
  const conflicts = Object.entries(figures.conflicts)
    .sort(([, a], [, b]) => b - a)
    .map(([state, count]) => `${formatCount(count)} × ${conflictName(state)}`);
  const { reads, writes, others } = figures;
  const statements = [
    `${formatCount(reads)} that read`,
    `${formatCount(writes)} that wrote`,
    `${formatCount(others)} others`,
  ];
  return [
    ...(conflicts.length > 0 ? [`conflicts: ${conflicts.join(', ')}`] : []),
    ...(retried > 0 ? [`${formatCount(retried)} tried again, ${formatCount(retries)} times in all`] : []),
    ...(limit === null
      ? []
      : [`${formatCount(late)} above the limit of ${limit} ms, ${formatCount(skipped)} skipped`]),
    ...(lag === null
      ? []
      : [
          `latency from the schedule; begun ${formatLatency(lag.meanUs)} late on average, ${formatLatency(lag.maxUs)} at most`,
        ]),
    ...(reads + writes + others > 0 ? [`statements: ${statements.join(', ')}`] : []),
    ...(endedClients > 0
      ? [`${formatCount(endedClients)} of ${formatCounted(clients, 'client')} ended in an error`]
      : []),
  ].map((line) => `  ${line}`);
}

/** With a schedule: what did not keep it, and how much of the latency is the server's own. */
function scheduleLines(phase: Phase): string[] {
  return phase.operations.flatMap(({ name, count, errors, late, dropped, serviceUs }) =>
    serviceUs === null || !isDistinct({ name })
      ? []
      : [
          `  ${name}, latency from the planned start: ${formatCount(late)} of ${formatCount(count + errors)} started late, ` +
            `${formatCount(dropped)} never; from the actual start p50 ${formatLatency(serviceUs.p50)}, p99 ${formatLatency(serviceUs.p99)}`,
        ],
  );
}
