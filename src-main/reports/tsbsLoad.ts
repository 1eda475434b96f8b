import type { Phase } from '../../src-shared/model/run.ts';
import type { Tick } from '../../src-shared/model/tick.ts';
import { goExponent, goFixed } from './goFormat.ts';

/** The first line of TSBS's loader. */
export const loadHeader =
  'time,per. metric/s,metric total,overall metric/s,per. row/s,row total,overall row/s';

/** A tick due 5 ms early still closes its period: timers may fire a little before their time. */
const earlyMs = 5;

interface Counts {
  metrics: number;
  rows: number;
}

/**
 * TSBS's progress lines of one load phase: give it that phase's ticks in order; it answers with a line whenever a period
 * has gone by, else null. Rates are over the time that really went by, the final partial period gets no line.
 * @param runStartMs wall clock at the run's start, milliseconds since 1970
 * @param periodSeconds time between lines; 0 prints none
 */
export function createLoadProgress(runStartMs: number, periodSeconds: number): (tick: Tick) => string | null {
  const periodMs = periodSeconds * 1000;
  const total: Counts = { metrics: 0, rows: 0 };
  let shown: Counts = { metrics: 0, rows: 0 };
  let shownAtMs = 0;
  let elapsedMs = 0;
  let nextMs = periodMs;
  return (tick) => {
    elapsedMs += tick.intervalMs;
    for (const operation of tick.operations) {
      total.metrics += operation.metrics;
      total.rows += operation.rows;
    }
    if (periodMs <= 0 || elapsedMs + earlyMs < nextMs) return null;
    const sinceMs = elapsedMs - shownAtMs;
    const unixSeconds = Math.floor((runStartMs + tick.atMs) / 1000);
    const metrics = columns(total.metrics - shown.metrics, sinceMs, total.metrics, elapsedMs);
    const rows =
      total.rows === 0 ? '-,-,-' : columns(total.rows - shown.rows, sinceMs, total.rows, elapsedMs);
    shown = { ...total };
    shownAtMs = elapsedMs;
    nextMs = (Math.floor((elapsedMs + earlyMs) / periodMs) + 1) * periodMs;
    return `${unixSeconds},${metrics},${rows}`;
  };
}

function columns(part: number, partMs: number, total: number, totalMs: number): string {
  return `${goFixed((part * 1000) / partMs, 2)},${goExponent(total)},${goFixed((total * 1000) / totalMs, 2)}`;
}

/** TSBS's `Summary:` block of a load; the line of rows is left out while there are none. */
export function loadSummary(
  phase: Pick<Phase, 'metrics' | 'rows' | 'seconds'> & { workers: number },
): string[] {
  const line = (count: number, noun: string) => {
    const rate = phase.seconds > 0 ? count / phase.seconds : 0;
    return (
      `loaded ${count} ${noun} in ${goFixed(phase.seconds, 3)}sec with ${phase.workers} workers ` +
      `(mean rate ${goFixed(rate, 2)} ${noun}/sec)`
    );
  };
  return ['Summary:', line(phase.metrics, 'metrics'), ...(phase.rows > 0 ? [line(phase.rows, 'rows')] : [])];
}
