import { AppError } from '../../src-shared/errors.ts';
import type { Comparison } from '../../src-shared/model/comparison.ts';
import { isActive, type Run } from '../../src-shared/model/run.ts';
import { compareSides } from '../../src-shared/stats/compare.ts';
import { notCounted } from '../../src-shared/stats/sides.ts';
import { readRecordings } from '../runs/recordings.ts';
import type { AppContext, HandlersOf } from './context.ts';
import { findRun, labelledSides, runsIfThere, runsOfSide, sideOfRun } from './sideRuns.ts';

export function comparisonHandlers({
  store,
}: Pick<AppContext, 'store'>): HandlersOf<'comparisons' | 'baselines'> {
  function ofRun(runId: string) {
    const run = findRun(store, runId);
    return { run, side: sideOfRun(store, run), baseline: store.baselines.get(run.plan.name) };
  }

  async function make(
    sides: readonly { label: string | null; runs: readonly Run[] }[],
    base: number,
    signal: AbortSignal,
  ): Promise<Comparison> {
    const recordingOf = await readRecordings(
      store.runs,
      sides.flatMap(({ runs }) => runs),
      signal,
    );
    return compareSides(labelledSides(sides), base, recordingOf);
  }

  return {
    async 'comparisons.make'({ sides, base }, signal) {
      if (base >= sides.length) {
        throw new AppError({
          code: 'bad-input',
          message: `There is no side ${base} to count from: there are ${sides.length}, from 0 on`,
          place: { field: 'base' },
        });
      }
      const found = sides.map(({ label, runIds }) => ({
        label,
        runs: runIds.map((id) => findRun(store, id)),
      }));
      return make(found, base, signal);
    },
    'baselines.list': async () => store.baselines.list(),
    'baselines.get': async ({ plan }) => store.baselines.get(plan),
    async 'baselines.set'({ side }) {
      return store.baselines.set(planOf(runsOfSide(store, side)), side);
    },
    async 'baselines.clear'({ plan }) {
      store.baselines.clear(plan);
      return null;
    },
    async 'baselines.ofRun'({ runId }) {
      const { run, side, baseline } = ofRun(runId);
      return {
        side,
        runs: side === run.id ? 1 : runsOfSide(store, side).length,
        baseline,
        isBaseline: baseline !== null && [side, run.id].includes(baseline.side),
      };
    },
    async 'baselines.compare'({ runId }, signal) {
      const { run, side, baseline } = ofRun(runId);
      if (baseline === null || isActive(run.status) || [side, run.id].includes(baseline.side)) return null;
      const under = runsIfThere(store, baseline.side);
      if (under === null) return null;
      const sides = [
        { label: 'baseline', runs: under },
        { label: side === run.id ? 'this run' : 'these runs', runs: runsOfSide(store, side) },
      ];
      return { baseline, side, comparison: await make(sides, 0, signal) };
    },
  };
}

/** @throws AppError `bad-input` where none of the runs counts */
function planOf(runs: readonly Run[]): string {
  const counted = runs.find((run) => notCounted(run) === null);
  if (counted !== undefined) return counted.plan.name;
  throw new AppError({
    code: 'bad-input',
    message: 'A baseline needs a run that has come to its end',
    detail: runs.map((run) => `${run.name}: ${notCounted(run) ?? ''}`).join('; '),
    hint: 'Choose another run, or run the plan again.',
  });
}
