import type { UseQueryResult } from '@tanstack/react-query';
import { AppError } from '../../../src-shared/errors.ts';
import type { Run } from '../../../src-shared/model/run.ts';
import type { RunSeries } from '../../../src-shared/model/runSeries.ts';
import { parseGroupKey } from '../../../src-shared/model/sideKey.ts';
import { runLabels } from '../../../src-shared/stats/compare.ts';
import { cellName, groupRunIds } from '../../../src-shared/stats/runSeries.ts';
import { notCounted } from '../../../src-shared/stats/sides.ts';
import { useCommands } from '../../api.tsx';
import { useSideColors } from '../../charts/sideColors.ts';

/** A column of the comparison: a run, or the repeats of a group. */
export interface Side {
  key: string;
  label: string;
  color: string;
  /** Of the run, or of the plan that is repeated. */
  name: string;
  targetName: string;
  group: RunSeries | null;
  /** All that are there. */
  runs: readonly Run[];
  /** Those of them that count; of a run alone itself. */
  counted: readonly Run[];
}

export type Sides =
  | { status: 'loading' }
  /** `key`: the side that is not there. */
  | { status: 'error'; key: string; error: AppError }
  | { status: 'ready'; sides: readonly Side[] };

/** The runs behind the keys of an address, in their order. */
export function useSides(keys: readonly string[]): Sides {
  const groups = keys.flatMap((key) => parseGroupKey(key) ?? []);
  const seriesIds = [...new Set(groups.map(({ series }) => series))];
  const series = useCommands(
    'series.get',
    seriesIds.map((id) => ({ id })),
  );
  const known = new Map(seriesIds.map((id, i) => [id, series[i]]));
  const members = keys.map((key) => memberIds(key, known));
  const runIds = [...new Set(members.flat())];
  const runs = useCommands(
    'runs.get',
    runIds.map((id) => ({ id })),
  );
  const found = new Map(runIds.map((id, i) => [id, runs[i]]));
  const colorOf = useSideColors(keys);
  const parts: Omit<Side, 'label'>[] = [];
  for (const [i, key] of keys.entries()) {
    const group = parseGroupKey(key);
    const query = group === null ? found.get(key) : known.get(group.series);
    if (query?.error) return { status: 'error', key, error: query.error };
    const own = (members[i] ?? []).map((id) => found.get(id));
    if (query?.data === undefined || own.some((each) => each?.isPending)) return { status: 'loading' };
    // Runs of a group that were deleted are no longer in it.
    const there = own.flatMap((each) => each?.data ?? []);
    const side = sideOf(
      key,
      there,
      group === null ? null : (known.get(group.series)?.data ?? null),
      colorOf(key),
    );
    if (side === null) return { status: 'error', key, error: emptyGroup() };
    parts.push(side);
  }
  const labels = runLabels(parts);
  return { status: 'ready', sides: parts.map((part, i) => ({ ...part, label: labels[i] ?? part.name })) };
}

function memberIds(
  key: string,
  series: ReadonlyMap<string, UseQueryResult<RunSeries, AppError> | undefined>,
): string[] {
  const group = parseGroupKey(key);
  if (group === null) return [key];
  const data = series.get(group.series)?.data;
  return groupRunIds(data?.members ?? [], group);
}

function sideOf(
  key: string,
  runs: readonly Run[],
  series: RunSeries | null,
  color: string,
): Omit<Side, 'label'> | null {
  const [first] = runs;
  if (first === undefined) return null;
  const group = parseGroupKey(key);
  if (series === null || group === null) {
    return { key, color, name: first.name, targetName: first.targetName, group: null, runs, counted: runs };
  }
  const values = cellName(series.parameters, group.cell);
  return {
    key,
    color,
    name: values === '' ? series.plan.name : `${series.plan.name}, ${values}`,
    targetName: series.targets[group.target] ?? first.targetName,
    group: series,
    runs,
    counted: runs.length === 1 ? runs : runs.filter((run) => notCounted(run) === null),
  };
}

function emptyGroup(): AppError {
  return new AppError({
    code: 'not-found',
    message: 'No run of this series is there',
    hint: 'They may have been deleted, or are still to come.',
  });
}
