import type { ComparisonSide } from '../model/comparison.ts';
import type { LatencyCells } from '../model/latencies.ts';
import { isActive, type Run, type RunHead, type RunStatus } from '../model/run.ts';
import type { Tick } from '../model/tick.ts';

/** One column of a comparison: a run, or the runs of a group. */
export interface Side {
  label: string;
  /** That count. */
  runs: readonly Run[];
  leftOut: ComparisonSide['leftOut'];
}

/** What lies on a run's time axis, where it is at hand: intervals within a run and merged percentiles are made from it. */
export interface Recording {
  ticks: readonly Tick[];
  /** The histogram of each second of an operation, in their order; empty where none were kept. @param phase its index */
  latencies(phase: number, operation: string): readonly LatencyCells[];
}

export type RecordingOf = (runId: string) => Recording | null;

const unfinished: Partial<Record<RunStatus, string>> = {
  failed: 'it failed',
  cancelled: 'it was stopped',
  interrupted: 'it was interrupted',
};

/** Why a run does not count in its group: what was said when it was left out, or that it has no end; null: it counts. */
export function notCounted(run: Pick<RunHead, 'status' | 'leftOut'>): string | null {
  if (run.leftOut !== undefined) return run.leftOut;
  return isActive(run.status) ? 'it is still on' : (unfinished[run.status] ?? null);
}

/** A side of the given runs. One alone counts whatever it is: what is wrong with it is told in the comparison. */
export function sideOf(label: string, runs: readonly Run[]): Side {
  if (runs.length === 1) return { label, runs, leftOut: [] };
  const reasons = runs.map((run) => ({ run, reason: notCounted(run) }));
  return {
    label,
    runs: reasons.flatMap(({ run, reason }) => (reason === null ? [run] : [])),
    leftOut: reasons.flatMap(({ run: { id, name }, reason }) =>
      reason === null ? [] : [{ id, name, reason }],
    ),
  };
}
