import { setImmediate } from 'node:timers/promises';
import { AppError } from '../../src-shared/errors.ts';
import { isActive, type Run } from '../../src-shared/model/run.ts';
import type { RunRepository } from '../store/repositories.ts';
import { type Second, thinSeconds } from './thinTicks.ts';

/**
 * Writes a run's seconds anew as tens of them.
 * @returns whether it did; false for one that was thinned before, or whose percentiles could not be made again
 * @throws AppError `run-active`
 */
export async function thinRun(
  runs: Pick<RunRepository, 'series' | 'histograms' | 'replaceSeconds'>,
  run: Pick<Run, 'id' | 'name' | 'status' | 'phases' | 'thinned'>,
): Promise<boolean> {
  if (isActive(run.status)) {
    throw new AppError({
      code: 'run-active',
      message: `${run.name} is still on`,
      hint: 'Thin it once it has ended.',
    });
  }
  if (run.thinned === true) return false;
  const { ticks } = runs.series(run.id);
  const thinned: Second[] = [];
  const phases = [...new Set(ticks.map(({ phase }) => phase))].sort((a, b) => a - b);
  for (const phase of phases) {
    // A phase at a time: others have their turn between.
    await setImmediate();
    const bySeq = Map.groupBy(runs.histograms(run.id, phase), ({ seq }) => seq);
    const seconds = ticks
      .filter((tick) => tick.phase === phase)
      .map((tick) => ({ tick, histograms: bySeq.get(tick.seq) ?? [] }));
    const joined = thinSeconds(seconds);
    if (joined === null) return false;
    for (const { tick, histograms } of joined)
      thinned.push({ tick: { ...tick, seq: thinned.length }, histograms });
  }
  runs.replaceSeconds(run.id, thinned);
  return true;
}
