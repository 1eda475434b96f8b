import type { Metric } from '../model/comparison.ts';

const numbers =
  'no one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty'.split(
    ' ',
  );

/** `five`; from 21 on in digits. */
export function numberWord(n: number): string {
  return numbers[n] ?? n.toLocaleString('en-US');
}

/** `five against five`, `one run against one`: the side's, then the base's. */
export function against(side: number, base: number): string {
  return `${numberWord(side)}${side < 2 ? ' run' : ''} against ${base === 0 ? 'none' : numberWord(base)}`;
}

/** From tenfold on a change is told as a factor: nobody reads `5,071,900 %`. */
const factorFrom = 10;

/** `18.4 % more rows/s`, `3.1 % lower latency p99`, `12.0 times the rows/s`. @param ratio above 0 */
export function changeWords(ratio: number, metric: Metric): string {
  if (ratio >= factorFrom) return `${ratio.toFixed(1)} times the ${noun(metric)}`;
  return `${percent(ratio)} % ${comparative(ratio > 1, metric)} ${noun(metric)}`;
}

/** `95 % interval 15.1 to 21.6 %`: of the same kind and in the same direction as `changeWords(ratio)`. */
export function intervalWords(ratio: number, { low, high }: { low: number; high: number }): string {
  if (ratio >= factorFrom) return `95 % interval ${low.toFixed(1)} to ${high.toFixed(1)} times`;
  const [from, to] = ratio > 1 ? [low, high] : [high, low];
  if (from > 1 === to > 1) return `95 % interval ${percent(from)} to ${percent(to)} %`;
  return `95 % interval ${signed(low)} to ${signed(high)} %`;
}

/** `−2.1`, `+3.0`, `0.0`: percent of change. */
export function signed(ratio: number): string {
  const rounded = Math.round((ratio - 1) * 1000) / 10;
  const sign = rounded > 0 ? '+' : rounded < 0 ? '−' : '';
  return `${sign}${Math.abs(rounded).toFixed(1)}`;
}

function percent(ratio: number): string {
  return Math.abs((ratio - 1) * 100).toFixed(1);
}

function comparative(more: boolean, { kind }: Metric): string {
  if (kind === 'latency') return more ? 'higher' : 'lower';
  if (kind === 'seconds') return more ? 'longer' : 'shorter';
  return more ? 'more' : 'fewer';
}

function noun({ kind, unit, label }: Metric): string {
  return kind === 'rate' ? unit : `${label.slice(0, 1).toLowerCase()}${label.slice(1)}`;
}
