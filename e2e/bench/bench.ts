/** What every suite of `npm run bench` gives back. */

/** A figure that has a limit to keep. Ratios of two measurements of one run, not absolute times, wherever that is possible. */
export interface Goal {
  name: string;
  value: number;
  unit: string;
  must: 'at-least' | 'at-most';
  limit: number;
}

/** A figure worth knowing, without a limit. */
export interface Fact {
  name: string;
  value: number;
  unit: string;
}

export interface BenchResult {
  goals: Goal[];
  facts: Fact[];
  /** What the written file has beyond goals and facts. */
  details?: unknown;
}

/** How long and of what; suites that have no use for one of them leave it. */
export interface SuiteOptions {
  /** Of each run. */
  seconds: number;
  /** Runs of each side. */
  pairs: number;
  /** Only cases whose names have this; null: all. */
  only: string | null;
  /** Server to measure on; null: one of the suite's own. */
  url: string | null;
  /** Process that all of the server's descend from, where that is on this machine and not the suite's own. */
  serverProcess?: number;
}

export interface Suite {
  name: string;
  about: string;
  /** @param log one line of what is being done, for people */
  run(log: (line: string) => void, options: SuiteOptions): Promise<BenchResult>;
}

/** Equality keeps a goal; what is not a number never does. */
export function isMet({ value, must, limit }: Goal): boolean {
  return must === 'at-least' ? value >= limit : value <= limit;
}

/** The middle value, of two middle ones the lower; NaN of nothing. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? Number.NaN;
}
