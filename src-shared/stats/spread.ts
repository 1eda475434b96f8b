import { mean, median } from './robust.ts';

/** How far values lie apart. */
export interface Spread {
  n: number;
  mean: number;
  median: number;
  min: number;
  max: number;
  /** Standard deviation (n − 1) ÷ mean; null of a single value, and where the mean is 0. */
  cv: number | null;
}

/** Of values of equal weight, such as the rates of repeats; null of none. */
export function spreadOf(values: readonly number[]): Spread | null {
  if (values.length === 0) return null;
  const average = mean(values);
  const squares = values.reduce((sum, value) => sum + (value - average) ** 2, 0);
  return {
    n: values.length,
    mean: average,
    median: median(values),
    min: Math.min(...values),
    max: Math.max(...values),
    cv: values.length > 1 && average !== 0 ? Math.sqrt(squares / (values.length - 1)) / average : null,
  };
}
