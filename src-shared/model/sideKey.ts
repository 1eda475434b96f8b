import type { RunSeries } from './runSeries.ts';

/** As many stand side by side: more colours cannot be told apart. */
export const mostSides = 8;

/** The repeats of one cell of a series on one of its targets. */
export interface SideGroup {
  series: string;
  cell: number;
  target: number;
}

/** What names a side in addresses: a run's id, or `SERIES.CELL.TARGET` for a group. */
export function groupKey({ series, cell, target }: SideGroup): string {
  return `${series}.${cell}.${target}`;
}

/** The group that a key names; null where it is the id of a run. */
export function parseGroupKey(key: string): SideGroup | null {
  const [, series, cell, target] = /^(.+)\.(\d{1,6})\.(\d{1,4})$/.exec(key) ?? [];
  return series === undefined ? null : { series, cell: Number(cell), target: Number(target) };
}

/**
 * The sides that chosen runs make: all runs of one cell of a series on one target are a group, others stand alone.
 * @param ids in the order of choosing; a side stands where its first run does
 */
export function sidesOf(
  ids: readonly string[],
  all: readonly Pick<RunSeries, 'id' | 'members'>[],
): { keys: string[]; keyOf: ReadonlyMap<string, string> } {
  const chosen = new Set(ids);
  const keyOf = new Map<string, string>();
  for (const { id: series, members } of all) {
    const groups = Map.groupBy(members, ({ cell, target }) => groupKey({ series, cell, target }));
    for (const [key, group] of groups) {
      const runs = group.flatMap(({ runIds }) => runIds.at(-1) ?? []);
      if (runs.length < 2 || !runs.every((id) => chosen.has(id))) continue;
      for (const id of runs) keyOf.set(id, key);
    }
  }
  for (const id of ids) if (!keyOf.has(id)) keyOf.set(id, id);
  return { keys: [...new Set(ids.map((id) => keyOf.get(id) ?? id))], keyOf };
}

/** On the button that puts sides beside each other. */
export function compareWords(keys: readonly string[]): string {
  const groups = keys.filter((key) => parseGroupKey(key) !== null).length;
  const what = groups === 0 ? ' runs' : groups === keys.length ? ' groups' : '';
  return `Compare ${keys.length.toLocaleString('en-US')}${what}`;
}
