import { gapMs } from '../../src-shared/stats/rates.ts';
import type { Series } from '../../src-shared/stats/series.ts';
import { type Column, createColumn } from './column.ts';

/** As with ticks: 14 hours of seconds. */
const sampleCapacity = 50_000;

interface Sample {
  atMs: number;
  intervalMs: number;
}

/** Samples beside a run as columns, outside React. Time in which nothing was sampled is a gap. */
export interface Sampleline<S extends Sample, N extends string> {
  /** One that is not after the last is passed over: it is there already. Whether it was taken. */
  append(sample: S): boolean;
  series(name: N): Series;
  /** Whether it was told at least once; with `above`, once more than that. */
  has(name: N, above?: number): boolean;
  /** Its highest value so far; NaN where it is not known. */
  most(name: N): number;
  readonly last: S | null;
}

/** @param readers what a chart draws of a sample; NaN where it does not tell */
export function createSampleline<S extends Sample, N extends string>(
  readers: Readonly<Record<N, (sample: S) => number>>,
  names: readonly N[],
  capacity = sampleCapacity,
): Sampleline<S, N> {
  const x = createColumn(capacity);
  const weight = createColumn(capacity);
  const columns = new Map<N, Column>(names.map((name) => [name, createColumn(capacity)]));
  const most = new Map<N, number>();
  let last: S | null = null;

  function write(at: number, length: number, value: (name: N) => number): void {
    x.push(at);
    weight.push(length);
    for (const [name, column] of columns) column.push(value(name));
  }

  return {
    append(sample) {
      if (last !== null && sample.atMs <= last.atMs) return false;
      const from = sample.atMs - sample.intervalMs;
      if (last !== null && from - last.atMs > gapMs) write(last.atMs, 0, () => Number.NaN);
      write(sample.atMs, sample.intervalMs, (name) => {
        const value = readers[name](sample);
        if (!Number.isNaN(value)) most.set(name, Math.max(value, most.get(name) ?? -Infinity));
        return value;
      });
      last = sample;
      return true;
    },
    series: (name) => ({ x: x.view(), y: columns.get(name)?.view() ?? [], weight: weight.view() }),
    has: (name, above = -Infinity) => (most.get(name) ?? -Infinity) > above,
    most: (name) => most.get(name) ?? Number.NaN,
    get last() {
      return last;
    },
  };
}
