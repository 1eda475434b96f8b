import { normalCdf } from '../../../src-shared/stats/distributions.ts';
import { alpha, percentiles, ratioOfMeans } from '../../../src-shared/stats/ratio.ts';
import { mean } from '../../../src-shared/stats/robust.ts';
import type { Random } from './noise.ts';

/** Ways to make a bootstrap's interval of a ratio of means, to see which of them holds the truth as often as it says. */
export const intervalForms = ['expanded percentiles', 'percentiles', 'BCa'] as const;
export type IntervalForm = (typeof intervalForms)[number];

const resamples = 999;

/** Whether each form's 95 % interval holds the true ratio. */
export function holds(
  base: readonly number[],
  side: readonly number[],
  truth: number,
  random: Random,
): Record<IntervalForm, boolean> {
  const ratio = mean(side) / mean(base);
  const drawn = Float64Array.from(
    { length: resamples },
    () => drawnMean(side, random) / drawnMean(base, random),
  ).sort();
  const inside = ([low, high]: readonly [number, number]) => low <= truth && truth <= high;
  const own = ratioOfMeans(base, side);
  return {
    'expanded percentiles': inside([own.low, own.high]),
    percentiles: inside(percentiles(drawn, alpha / 2)),
    BCa: inside(biasCorrected(base, side, ratio, drawn)),
  };
}

function drawnMean(values: readonly number[], random: Random): number {
  let sum = 0;
  for (let i = 0; i < values.length; i += 1) sum += values[Math.floor(random() * values.length)] ?? 0;
  return sum / values.length;
}

/** Bias-corrected and accelerated percentiles (Efron 1987), the acceleration from the jackknife over both samples. */
function biasCorrected(
  base: readonly number[],
  side: readonly number[],
  ratio: number,
  drawn: Float64Array,
): [number, number] {
  const below = drawn.filter((each) => each < ratio).length / drawn.length;
  const z0 = normalQuantile(Math.min(1 - 1 / drawn.length, Math.max(1 / drawn.length, below)));
  const without = (values: readonly number[], i: number) => mean(values.filter((_, j) => j !== i));
  const influence = [
    ...base.map((_, i) => (base.length - 1) * (ratio - mean(side) / without(base, i))),
    ...side.map((_, i) => (side.length - 1) * (ratio - without(side, i) / mean(base))),
  ];
  const squares = influence.reduce((sum, each) => sum + each ** 2, 0);
  const acceleration =
    squares > 0 ? influence.reduce((sum, each) => sum + each ** 3, 0) / (6 * squares ** 1.5) : 0;
  const at = (p: number) => {
    const z = z0 + normalQuantile(p);
    return percentiles(drawn, normalCdf(z0 + z / (1 - acceleration * z)))[0];
  };
  return [at(alpha / 2), at(1 - alpha / 2)];
}

function normalQuantile(p: number): number {
  let [low, high] = [-9, 9];
  for (let i = 0; i < 60; i += 1) {
    const middle = (low + high) / 2;
    if (normalCdf(middle) < p) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
