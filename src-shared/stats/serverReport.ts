import type { CommandOutput } from '../contract/commands.ts';
import type { Phase, Run } from '../model/run.ts';
import type { Blocked } from '../model/telemetry.ts';
import type { Tick } from '../model/tick.ts';
import { formatDelta, formatElapsed } from '../units.ts';
import { type CheckpointBand, checkpointBands } from './checkpoints.ts';
import { longestWaits, type ServerTotals, serverTotals } from './serverTotals.ts';
import { findStalls, type Stall, type Work } from './stalls.ts';
import { type Change, type Drift, driftOf } from './steady.ts';
import { type WaitProfile, waitProfile } from './waits.ts';

/** What the time axis of a phase says of the server and of the rate. */
export interface PhaseReport {
  name: string;
  fromMs: number;
  toMs: number;
  /** null where the server was not watched. */
  waits: WaitProfile | null;
  checkpoints: CheckpointBand[];
  totals: ServerTotals;
  /** The longest queues for a lock. */
  queues: Blocked[];
  stalls: Stall[];
  /** null for what is no steady work: making tables, several query types one after the other. */
  drift: Drift | null;
}

/** Screens and the command line show the same. */
export function serverReport(run: Pick<Run, 'phases'>, series: CommandOutput<'runs.series'>): PhaseReport[] {
  const bands = checkpointBands(series.server);
  return run.phases.map((phase, i) => {
    const ticks = series.ticks.filter((tick) => tick.phase === phase.index);
    const intervals = phaseIntervals(ticks, phase);
    const fromMs = intervals[0]?.fromMs ?? phase.startedMs;
    // Without ticks, as of a run that is on: until the next phase.
    const toMs = intervals.at(-1)?.toMs ?? run.phases[i + 1]?.startedMs ?? Infinity;
    const samples = series.server.filter(({ atMs }) => atMs > fromMs && atMs <= toMs);
    // With what was counted until the watch ended: sessions tell the server what they did up to a second later. The server is
    // watched for each phase by itself, so that no sample is of two.
    const counted = series.server.filter(({ atMs, intervalMs }) => atMs > fromMs && atMs - intervalMs < toMs);
    const waits = waitProfile(samples);
    const steadyWork =
      intervals.length > 0 &&
      (phase.kind === 'load' ||
        phase.kind === 'transactions' ||
        (phase.kind === 'queries' &&
          new Set(ticks.flatMap(({ operations }) => operations.map((o) => o.name))).size === 1));
    return {
      name: phase.name,
      fromMs,
      toMs,
      waits: waits.samples > 0 ? waits : null,
      checkpoints: bands.filter((band) => band.startMs < toMs && band.endMs > fromMs),
      totals: serverTotals(counted),
      queues: longestWaits(samples, 5),
      stalls: steadyWork ? findStalls(intervals, series) : [],
      drift: steadyWork ? driftOf(intervals) : null,
    };
  });
}

/** What a phase did in each interval: rows of a load, else operations. */
function phaseIntervals(ticks: readonly Tick[], { kind }: Pick<Phase, 'kind'>): Work[] {
  return ticks.map((tick) => {
    const { atMs, intervalMs } = tick;
    // Of transactions the first operation has those of all scripts.
    const of = kind === 'transactions' ? tick.operations.slice(0, 1) : tick.operations;
    const operations = of.reduce((all, { count }) => all + count, 0);
    const sum = kind === 'load' ? of.reduce((all, { rows }) => all + rows, 0) : operations;
    return { fromMs: atMs - intervalMs, toMs: atMs, sum, operations };
  });
}

/** A statement of how steady the rate was, with its figures. */
export function driftSentences({ warmUpMs, sinceTenMinutes, steadiness }: Drift): string[] {
  const left = `The first ${formatElapsed(warmUpMs)} are left out as warm-up.`;
  if (steadiness.verdict === 'too-short')
    return [
      `Too short to judge whether the rate is steady: ${formatElapsed(steadiness.judgedMs)} after the warm-up, of which the seconds depend on each other.`,
    ];
  const { verdict, judgedMs, halves, trend, blockSeconds } = steadiness;
  const most = Math.max(...[halves, trend].flatMap(({ low, high }) => [Math.abs(low), Math.abs(high)]));
  const words = {
    steady: 'Steady',
    'not-steady': 'Not steady',
    open: `Cannot be told from this run, a change of ${formatDelta(most).slice(1)} cannot be excluded`,
  };
  return [
    `${words[verdict]}: over ${formatElapsed(judgedMs)} the second half ran ${change(halves)} against the first, and the line through all of it moves by ${change(trend)}. ${left} Intervals by blocks of ${Math.round(blockSeconds)} s.`,
    ...(sinceTenMinutes === null
      ? []
      : [`The whole ran ${formatDelta(sinceTenMinutes)} against its first ten minutes.`]),
  ];
}

function change({ value, low, high }: Change): string {
  return `${formatDelta(value)} (95 % interval ${formatDelta(low)} to ${formatDelta(high)})`;
}
