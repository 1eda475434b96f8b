import { AppError, toAppError } from '../../src-shared/errors.ts';
import type { Run } from '../../src-shared/model/run.ts';
import { groupKey, parseGroupKey } from '../../src-shared/model/sideKey.ts';
import { runLabels } from '../../src-shared/stats/compare.ts';
import { cellCount, groupRunIds } from '../../src-shared/stats/runSeries.ts';
import { type Side, sideOf } from '../../src-shared/stats/sides.ts';
import type { Store } from '../store/repositories.ts';
import { shippedReference } from './references.ts';

/** A run of the store, or a reference that ships with the app. @throws AppError `not-found` */
export function findRun(store: Store, id: string): Run {
  const run = shippedReference(id) ?? store.runs.get(id);
  if (run !== null) return run;
  throw new AppError({
    code: 'not-found',
    message: `There is no run with the id ${JSON.stringify(id)}`,
    hint: 'It may have been deleted.',
  });
}

/**
 * The runs that a side's key names: a run, or the repeats of one cell of a series on one of its targets. Of a member that
 * was run again the last run counts.
 * @throws AppError `not-found`; `bad-input` where a series has several cells or targets and the key names none
 */
export function runsOfSide(store: Store, key: string): Run[] {
  const group = parseGroupKey(key);
  const series = store.series.get(group?.series ?? key);
  if (series === null) return [findRun(store, key)];
  const { id, plan, parameters, targets, members } = series;
  if (group === null && (cellCount(parameters) > 1 || targets.length > 1)) {
    throw new AppError({
      code: 'bad-input',
      message: `${plan.name} has several sides: which one is meant?`,
      detail: `${cellCount(parameters)} combinations of parameters on ${targets.length} targets`,
      hint: `Name one as ${id}.CELL.TARGET, counted from 0: ${id}.0.0 is the first.`,
    });
  }
  const { cell, target } = group ?? { cell: 0, target: 0 };
  const runs = groupRunIds(members, { cell, target }).flatMap((runId) => store.runs.get(runId) ?? []);
  if (runs.length > 0) return runs;
  throw new AppError({
    code: 'not-found',
    message: `No run of ${plan.name} is there for ${key}`,
    hint: 'They may have been deleted, or are still to come.',
  });
}

/** As `runsOfSide`; null where they were deleted. */
export function runsIfThere(store: Store, key: string): Run[] | null {
  try {
    return runsOfSide(store, key);
  } catch (thrown) {
    if (toAppError(thrown).code === 'not-found') return null;
    throw thrown;
  }
}

/** The key of the repeats that a run is one of; the run itself where it is alone. */
export function sideOfRun(store: Store, run: Run): string {
  const series = run.group === null ? null : store.series.get(run.group);
  const member = series?.members.find(({ runIds }) => runIds.includes(run.id));
  return series && member && series.plan.repeat > 1
    ? groupKey({ series: series.id, cell: member.cell, target: member.target })
    : run.id;
}

/** Sides with names that tell them apart, for those that were given none. */
export function labelledSides(sides: readonly { label: string | null; runs: readonly Run[] }[]): Side[] {
  const names = sides.map(({ runs: [first, ...more] }) => ({
    // Repeats have their number in the name.
    name: (more.length > 0 ? first?.plan.name : first?.name) ?? '',
    targetName: first?.targetName ?? '',
  }));
  const labels = runLabels(names);
  return sides.map(({ label, runs }, i) => sideOf(label ?? labels[i] ?? '', runs));
}
