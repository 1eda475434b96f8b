import type { Tick } from '../../../src-shared/model/tick.ts';
import { goFixed } from '../goFormat.ts';

/** What of a run its lines of progress depend on. */
export interface ProgressOptions {
  /** Seconds between lines; 0: none. */
  progress: number;
  progressTimestamp: boolean;
  rate: number;
  latencyLimit: number;
  maxTries: number;
}

/** A tick due 5 ms early still closes its interval: timers may fire a little before their time. */
const earlyMs = 5;

const nothing = () => ({
  ...{ count: 0, sumUs: 0, squares: 0, lagSumUs: 0 },
  ...{ failed: 0, skipped: 0, retried: 0, retries: 0 },
});

/**
 * pgbench's lines of progress of one phase: give it the phase's ticks in order. Intervals end on multiples of their length,
 * as near as ticks come; rates are over the time that really went by.
 * @param wallMs wall clock of a tick's end, milliseconds since 1970
 */
export function createProgressLines(
  options: ProgressOptions,
  wallMs: (tick: Tick) => number,
): (tick: Tick) => string[] {
  const intervalMs = options.progress * 1000;
  let sums = nothing();
  let elapsedMs = 0;
  let shownMs = 0;
  return (tick) => {
    elapsedMs += tick.intervalMs;
    if (intervalMs <= 0 || tick.transactions === undefined) return [];
    add(sums, tick);
    const due = Math.floor((elapsedMs + earlyMs) / intervalMs) > Math.floor((shownMs + earlyMs) / intervalMs);
    if (!due) return [];
    const seconds = options.progressTimestamp
      ? goFixed(wallMs(tick) / 1000, 3)
      : goFixed(elapsedMs / 1000, 1);
    const line = progressLine(seconds, (elapsedMs - shownMs) / 1000, sums, options);
    sums = nothing();
    shownMs = elapsedMs;
    return [line];
  };
}

function add(sums: ReturnType<typeof nothing>, tick: Tick): void {
  const [all] = tick.operations;
  const { transactions } = tick;
  const latency = all?.latencyUs;
  const count = all?.count ?? 0;
  sums.count += count;
  if (latency) {
    sums.sumUs += latency.sum;
    // Sum of squares, of which the deviation of the whole interval is made: n·(σ² + mean²).
    sums.squares += latency.count * (latency.stddev ** 2 + latency.mean ** 2);
  }
  sums.lagSumUs += (transactions?.lag?.meanUs ?? 0) * count;
  sums.failed += transactions?.failed ?? 0;
  sums.skipped += transactions?.skipped ?? 0;
  sums.retried += transactions?.retried ?? 0;
  sums.retries += transactions?.retries ?? 0;
}

function progressLine(
  at: string,
  seconds: number,
  sums: ReturnType<typeof nothing>,
  { rate, latencyLimit, maxTries }: ProgressOptions,
): string {
  const { count, sumUs, squares, lagSumUs, failed, skipped, retried, retries } = sums;
  const mean = count > 0 ? sumUs / count : 0;
  const deviation = count > 0 ? Math.sqrt(Math.max(0, squares / count - mean ** 2)) : 0;
  const ms = (us: number) => goFixed(us / 1000, 3);
  return [
    `progress: ${at} s`,
    `${goFixed(count / seconds, 1)} tps`,
    `lat ${ms(mean)} ms stddev ${ms(deviation)}`,
    `${failed} failed`,
    ...(rate > 0 ? [`lag ${ms(count > 0 ? lagSumUs / count : 0)} ms`] : []),
    ...(rate > 0 && latencyLimit > 0 ? [`${skipped} skipped`] : []),
    ...(maxTries !== 1 ? [`${retried} retried`, `${retries} retries`] : []),
  ].join(', ');
}
