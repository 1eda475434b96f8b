import { z } from 'zod';
import { parseDuration } from '../../../src-shared/duration.ts';
import { parseTimestamp } from '../timestamp.ts';

const nanos = (parse: (text: string) => bigint | null, what: string) =>
  z.string().transform((text, context) => {
    const value = parse(text);
    if (value === null) context.addIssue({ code: 'custom', message: `${text} is not ${what}` });
    return value ?? 0n;
  });

/** TSBS's use cases that can be simulated here, by its names. */
export const useCases = ['cpu-only', 'cpu-single', 'devops', 'iot', 'devops-generic'] as const;
export type UseCase = (typeof useCases)[number];

/** What each simulates, for forms and help. */
export const useCaseLabels: Record<UseCase, string> = {
  'cpu-only': 'CPU usage of servers: ten metrics a host',
  'cpu-single': 'One metric of servers’ CPUs; TSBS has no queries for it',
  devops: 'Servers whole: nine tables, 101 metrics a host',
  iot: 'Trucks: where they are and how they do, with rows that are lost, late or incomplete',
  'devops-generic': 'Servers that come and go, with few or many metrics; TSBS has no queries for it',
};

/**
 * Which rows a simulation gives: the plain data of a `RowSourceSpec`, parsed. `seed` is never 0 here; the limits are 0 for
 * none, `initialScale` is 0 for `scale`.
 */
export const simulationSchema = z.object({
  useCase: z.enum(useCases),
  seed: z.int(),
  scale: z.int().min(1),
  initialScale: z.int().min(0).default(0),
  maxDataPoints: z.int().min(0).default(0),
  /** Of a host; only `devops-generic` has it. */
  maxMetricCount: z.int().min(1).default(100),
  /** Nanoseconds since 1970 once parsed. */
  timestampStart: nanos(parseTimestamp, 'a time'),
  timestampEnd: nanos(parseTimestamp, 'a time'),
  logInterval: nanos(parseDuration, 'a duration'),
  /** Rows given at most; TSBS's loader has it, its generator has not. */
  limit: z.int().min(0).default(0),
});
export type Simulation = z.output<typeof simulationSchema>;

/**
 * Which points of the simulation are written. Points are numbered epoch by epoch, in an epoch table by table, in a table
 * device by device: a lap is one table's turn in one epoch. All points count against `maxDataPoints` and move the random
 * stream, but in an epoch only the first `visible` devices' are written.
 */
export class Schedule {
  readonly epochs: number;
  readonly scale: number;
  readonly #tables: number;
  readonly #first: number;
  /** Points that are made in all, written or not. */
  readonly points: number;
  readonly #limit: number;

  constructor(simulation: Simulation, tables = 1) {
    const { scale, initialScale, maxDataPoints, limit, timestampStart, timestampEnd, logInterval } =
      simulation;
    this.epochs = timestampEnd > timestampStart ? Number((timestampEnd - timestampStart) / logInterval) : 0;
    this.scale = scale;
    this.#first = initialScale || scale;
    this.#tables = tables;
    const points = this.epochs * tables * scale;
    this.points = maxDataPoints > 0 ? Math.min(points, maxDataPoints) : points;
    this.#limit = limit > 0 ? limit : Number.POSITIVE_INFINITY;
  }

  /**
   * Rows written in a lap; they belong to the devices 0 … n − 1.
   * @param before rows written in the laps before it
   */
  rowsIn(lap: number, before: number): number {
    const made = Math.max(0, this.points - lap * this.scale);
    return Math.min(this.visible(Math.floor(lap / this.#tables)), made, this.#limit - before);
  }

  /** Whether no row is written from this lap on. */
  endsAt(lap: number, before: number): boolean {
    return lap * this.scale >= this.points || before >= this.#limit;
  }

  /** How many of the devices are there in an epoch: those with the lowest numbers. */
  visible(epoch: number): number {
    if (epoch === 0) return this.#first;
    return this.#first + Math.trunc(((this.scale - this.#first) * epoch) / (this.epochs - 1));
  }

  /** Epochs of which rows are written, the last one perhaps not whole: fewer than `epochs` where a limit ends it before. */
  epochsWritten(): number {
    const rows = Math.min(this.points, this.#limit);
    if (this.#first === this.scale) return Math.ceil(rows / (this.scale * this.#tables));
    let lap = 0;
    for (let before = 0; !this.endsAt(lap, before); lap++) before += this.rowsIn(lap, before);
    return Math.ceil(lap / this.#tables);
  }

  /**
   * Rows written in all.
   * @param among how many of the first `n` devices count; all of them unless given
   */
  countRows(among: (n: number) => number = (n) => n): number {
    if (this.#first === this.scale) {
      const rows = Math.min(this.points, this.#limit);
      return Math.floor(rows / this.scale) * among(this.scale) + among(rows % this.scale);
    }
    let total = 0;
    let before = 0;
    for (let lap = 0; !this.endsAt(lap, before); lap++) {
      const rows = this.rowsIn(lap, before);
      before += rows;
      total += among(rows);
    }
    return total;
  }
}
