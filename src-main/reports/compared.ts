import type { ComparisonCell, Metric } from '../../src-shared/model/comparison.ts';
import { formatChange, formatFigure } from '../../src-shared/stats/compare.ts';
import { signed } from '../../src-shared/stats/words.ts';

/** A figure and, after it, how it stands to the base: `+18.4 % (95 % interval +15.1 to +21.6 %)`, `~` where none is shown. */
export function cellTexts(cell: ComparisonCell, metric: Metric): { value: string; change: string } {
  const { value, delta, verdict } = cell;
  return { value: formatFigure(value, metric), change: delta === null ? '' : changeText(delta, verdict) };
}

function changeText(delta: number, verdict: ComparisonCell['verdict']): string {
  const change = formatChange(delta);
  if (verdict === null) return change;
  const interval = verdict.interval;
  const range =
    interval === null ? '' : ` (95 % interval ${signed(interval.low)} to ${signed(interval.high)} %)`;
  switch (verdict.kind) {
    case 'faster':
    case 'slower':
      return `${change}${range}`;
    case 'no-difference':
      return `~${range}`;
    case 'cannot-tell':
      return `${change}, can't tell`;
    case 'not-comparable':
      return `${change}, not comparable`;
  }
}
