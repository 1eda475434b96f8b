import type { EventData } from '../../src-shared/contract/commands.ts';
import type { Run } from '../../src-shared/model/run.ts';
import { type Tick, tickKind } from '../../src-shared/model/tick.ts';
import { formatCounted, formatElapsed, formatLatency, formatRate } from '../../src-shared/units.ts';
import { dialectOf } from '../reports/dialects.ts';
import { reportingPeriodSeconds } from '../reports/runText.ts';
import { createLoadProgress, loadHeader } from '../reports/tsbsLoad.ts';
import { createQueryProgress } from '../reports/tsbsQueries.ts';

/** TSBS's default: queries between two blocks. */
const defaultPrintInterval = 100;

/** What a run prints while it is on: lines in the words of its tool, and the line at the foot of a terminal. */
export interface ProgressPrinter {
  /** A tick's lines, each phase's header first. */
  tick(tick: Tick): string[];
  /** The report of the phase that has just ended, where its tool prints one. @param run as recorded now */
  phaseEnd(run: Run): string[];
  /** The status line. */
  status(progress: EventData<'run.progress'>): string;
}

/** @param run as recorded at its start */
export function createProgressPrinter(
  run: Pick<Run, 'startedAt' | 'resolvedSteps' | 'plan' | 'client'>,
): ProgressPrinter {
  let phase = -1;
  /** Ticks of the phase, where its report is made of them. */
  let seen: Tick[] | null = null;
  let lines: (tick: Tick) => string[] = () => [];
  let last: Tick | null = null;

  function startPhase(tick: Tick): string[] {
    phase = tick.phase;
    const told = dialectOf(run, phase);
    seen = told && [];
    if (told !== null) {
      lines = told.dialect.progress(told.about);
      return told.dialect.head(told.about);
    }
    if (tickKind(tick) !== 'load') {
      lines = createQueryProgress(
        numberOf(run, phase, 'workers', 1),
        numberOf(run, phase, 'printInterval', defaultPrintInterval),
      );
      return [];
    }
    const period = reportingPeriodSeconds(run, phase);
    const line = createLoadProgress(Date.parse(run.startedAt), period);
    lines = (t) => [line(t)].filter((text) => text !== null);
    return period > 0 ? [loadHeader] : [];
  }

  return {
    tick(tick) {
      last = tick;
      const header = tick.phase === phase ? [] : startPhase(tick);
      seen?.push(tick);
      return [...header, ...lines(tick)];
    },
    phaseEnd(now) {
      const told = dialectOf(now, phase);
      const ended = now.phases[phase];
      if (told === null || ended === undefined || seen === null) return [];
      return told.dialect.end(told.about, ended, seen);
    },
    status(progress) {
      return [
        progress.phaseName ? `${progress.phaseName}: ${progress.doing}` : progress.doing,
        progress.detail ?? null,
        formatElapsed(progress.elapsedMs),
        progress.fraction === null ? null : `${Math.floor(progress.fraction * 100)} %`,
        ...(last && last.phase === progress.phase ? tickFigures(last) : []),
        progress.remainingMs === null ? null : `about ${formatElapsed(progress.remainingMs)} left`,
      ]
        .filter((part) => part !== null)
        .join(' · ');
    },
  };
}

function rowsAreCounted(kind: ReturnType<typeof tickKind>): boolean {
  return kind === 'load' || kind === 'initialize';
}

/** A parameter of the step that became a phase. */
function numberOf(run: Pick<Run, 'resolvedSteps'>, phase: number, key: string, fallback: number): number {
  const value = run.resolvedSteps[phase]?.parameters[key];
  return typeof value === 'number' ? value : fallback;
}

/** This interval's rate, the p99 of the operation that did most, errors if there are any. */
function tickFigures(tick: Tick): string[] {
  const seconds = tick.intervalMs / 1000;
  const kind = tickKind(tick);
  const sum = (of: (operation: Tick['operations'][number]) => number) =>
    tick.operations.reduce((total, operation) => total + of(operation), 0);
  const errors = sum((operation) => operation.errors);
  const [busiest] = [...tick.operations].sort((a, b) => b.count - a.count);
  return [
    rowsAreCounted(kind)
      ? `${formatRate(sum((operation) => operation.rows) / seconds)} rows/s`
      : `${formatRate(sum((operation) => operation.count) / seconds)} ${kind === 'transactions' ? 'TPS' : 'queries/s'}`,
    ...(busiest?.latencyUs ? [`p99 ${formatLatency(busiest.latencyUs.p99)}`] : []),
    ...(errors > 0 ? [formatCounted(errors, 'error')] : []),
  ];
}
