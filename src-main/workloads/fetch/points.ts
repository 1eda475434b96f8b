import { z } from 'zod';
import type { Dataset, Expected } from '../../databases/driver.ts';
import { duration, instantOf, nanosOf, timestamp } from '../fields.ts';
import type { RowSource, RowSourceSpec } from '../workload.ts';

/** Names in the database: the table (or metric), its one tag and its one value. */
export const names = { table: 'test', tag: 'sel', field: 'value' } as const;

const nsPerMs = 1_000_000n;

/** Which points are inserted: the plain data of a `RowSourceSpec`. `seed` is never 0 here. */
export const pointsSchema = z.object({
  seed: z.int(),
  /** In all, those of every selection included. */
  points: z.int().min(1),
  /** Points of one selection. */
  selected: z.int().min(1),
  /** How many disjoint selections there are. */
  selections: z.int().min(1),
  /** Tag values that all other points have in turn. */
  otherSeries: z.int().min(1),
  /** Values are whole numbers from 0 to one below. */
  valueRange: z.int().min(1),
  timestampStart: timestamp(),
  interval: duration(1n),
});
export type PointsSpec = z.output<typeof pointsSchema>;

/**
 * Points in order of time, each of them computed from its number alone: any worker can begin anywhere, and what a
 * selection must bring back is known without reading anything.
 *
 * Every `stride`-th point belongs to a selection, in turn, until each has its points: the points of one tag value lie far
 * apart, from the beginning to the end. A selection by date is as many points one after the other.
 */
export class Points {
  readonly spec: PointsSpec;
  readonly #stride: number;
  readonly #startMs: number;
  readonly #stepMs: number;
  readonly #seed: number;

  constructor(spec: PointsSpec) {
    this.spec = spec;
    this.#stride = Math.max(1, Math.floor(spec.points / this.#selectedInAll));
    this.#startMs = Number(instantOf(spec.timestampStart) / nsPerMs);
    this.#stepMs = Number(nanosOf(spec.interval) / nsPerMs);
    this.#seed = spec.seed | 0;
  }

  get #selectedInAll(): number {
    return this.spec.selected * this.spec.selections;
  }

  /** Milliseconds since 1970. The first point after the last is where the data ends. */
  timeMs(point: number): number {
    return this.#startMs + point * this.#stepMs;
  }

  /** Number of the tag value: selections come first. */
  series(point: number): number {
    const { selections, otherSeries } = this.spec;
    const nth = point / this.#stride;
    const selected = Number.isInteger(nth) && nth < this.#selectedInAll;
    return selected ? nth % selections : selections + (point % otherSeries);
  }

  /** The finalizer of MurmurHash3 (Austin Appleby, public domain) over number and seed, scaled to the range. */
  value(point: number): number {
    let hash = Math.imul(point, 0x9e3779b1) ^ this.#seed;
    hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
    hash = (hash ^ (hash >>> 16)) >>> 0;
    return Math.floor((hash / 0x1_0000_0000) * this.spec.valueRange);
  }

  /** What a fetch of all points with that tag value brings back. */
  byTag(selection: number): Expected {
    const { selections, selected } = this.spec;
    return this.#sum(selected, (nth) => (nth * selections + selection) * this.#stride);
  }

  /** First point of a selection by date, and what a fetch of it brings back. */
  byRange(selection: number): Expected & { from: number } {
    const { points, selections, selected } = this.spec;
    const from = selection * Math.floor(points / selections);
    return { from, ...this.#sum(selected, (nth) => from + nth) };
  }

  #sum(rows: number, pointOf: (nth: number) => number): Expected {
    let sum = 0;
    for (let nth = 0; nth < rows; nth += 1) sum += this.value(pointOf(nth));
    return { rows, sum };
  }
}

/** Value of the tag that points of that number have. */
export function seriesName(series: number, { selections }: Pick<PointsSpec, 'selections'>): string {
  return series < selections ? `selected-${series}` : `other-${series - selections}`;
}

export function openFetchRows(source: RowSourceSpec): RowSource {
  const points = new Points(pointsSchema.parse(source.parameters));
  const { spec } = points;
  const dataset: Dataset = {
    tags: [{ name: names.tag, type: 'string' }],
    tables: [{ name: names.table, fields: [{ name: names.field, type: 'integer' }] }],
    devices: spec.selections + spec.otherSeries,
    deviceTags: (device) => [seriesName(device, spec)],
  };
  const values = new Float64Array(1);
  let next = 0;
  return {
    dataset,
    totalRows: spec.points,
    fill(sink, max) {
      const end = Math.min(spec.points, next + max);
      const from = next;
      for (; next < end; next += 1) {
        values[0] = points.value(next);
        sink.row(0, points.series(next), points.timeMs(next), 0, values);
      }
      return end - from;
    },
    skip(rows) {
      const end = Math.min(spec.points, next + rows);
      const passed = end - next;
      next = end;
      return passed;
    },
  };
}
