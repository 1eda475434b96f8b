import type { RunHead } from './model/run.ts';

/** How fast a run was, in one figure: transactions a second where it did any, else rows a second; null without either. */
export function headRate(
  head: Pick<RunHead, 'tps' | 'rowsPerSecond'>,
): { perSecond: number; unit: 'TPS' | 'rows/s' } | null {
  if (head.tps !== null) return { perSecond: head.tps, unit: 'TPS' };
  return head.rowsPerSecond === null ? null : { perSecond: head.rowsPerSecond, unit: 'rows/s' };
}
