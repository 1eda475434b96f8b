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
