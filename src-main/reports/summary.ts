import { describeError } from '../../src-shared/errors.ts';
import type { Phase, Run } from '../../src-shared/model/run.ts';
import { verdictLabels } from '../../src-shared/model/verdict.ts';
import {
  formatCount,
  formatCounted,
  formatElapsed,
  formatLatency,
  formatRate,
} from '../../src-shared/units.ts';
import { textTable } from './table.ts';
import { merged } from './tsbsQueries.ts';

/** A run for people at a terminal: what it was, each phase with its figures, the verdict with its reason. */
export function runSummary(run: Run): string {
  const head = textTable(
    [
      ['Run', run.id],
      ['Plan', run.name],
      ['Target', [run.targetName, run.serverLabel].filter(Boolean).join(' · ')],
      [
        'Started',
        `${run.startedAt}, ${run.endedAt ? tookText(run.startedAt, run.endedAt) : 'still running'}`,
      ],
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
  const workers = formatCounted(phase.workers, 'worker');
  const figures =
    phase.kind === 'load'
      ? [
          `${formatCounted(phase.rows, 'row')} in ${formatElapsed(phase.seconds * 1000)}`,
          `${formatRate(phase.rowsPerSecond)} rows/s`,
          `${formatRate(phase.metricsPerSecond)} metrics/s`,
          workers,
          phase.verifiedRows === null
            ? 'rows not counted'
            : `${formatCounted(phase.verifiedRows, 'row')} counted in the database`,
        ]
      : [`${formatCounted(phase.rows, 'row')} read in ${formatElapsed(phase.seconds * 1000)}`, workers];
  return [
    `${phase.name}: ${figures.join(' · ')}`,
    ...operationLines(phase),
    ...scheduleLines(phase),
    ...phase.notes.map((n) => `  ${n}`),
  ];
}

function operationLines(phase: Phase): string[] {
  if (phase.operations.length === 0) return [];
  const rate = phase.kind === 'load' ? 'batches/s' : 'queries/s';
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

/** With a schedule: what did not keep it, and how much of the latency is the server's own. */
function scheduleLines(phase: Phase): string[] {
  return phase.operations.flatMap(({ name, count, errors, late, dropped, serviceUs }) =>
    serviceUs === null || merged.includes(name)
      ? []
      : [
          `  ${name}, latency from the planned start: ${formatCount(late)} of ${formatCount(count + errors)} started late, ` +
            `${formatCount(dropped)} never; from the actual start p50 ${formatLatency(serviceUs.p50)}, p99 ${formatLatency(serviceUs.p99)}`,
        ],
  );
}
