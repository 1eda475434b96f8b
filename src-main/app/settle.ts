import { durationMs } from '../../src-shared/duration.ts';
import { toAppError } from '../../src-shared/errors.ts';
import type { Settle } from '../../src-shared/model/plan.ts';
import type { SeriesMember, SeriesProgress } from '../../src-shared/model/runSeries.ts';
import { formatElapsed } from '../../src-shared/units.ts';

export type Settled = NonNullable<SeriesMember['settled']>;

export interface Settling {
  rule: Settle;
  /** How warm the host of the next run is, °C, or null where it has no thermometer; null where no host is known. */
  temperature: ((signal: AbortSignal) => Promise<number | null>) | null;
  /** Told once a second. */
  tell(wait: NonNullable<SeriesProgress['settling']>): void;
  /** ms that only grow. */
  now(): number;
  /** Resolves early when the signal is aborted. */
  pause(ms: number, signal: AbortSignal): Promise<void>;
}

const askEveryMs = 5000;

/**
 * Waits until the rule is kept: idle for so long, and the host cool enough, for which it does not wait longer than the rule
 * says. A host without a thermometer is taken for cool; one that cannot be asked now is asked again. Never throws.
 * @param signal of a skip, or a stop
 */
export async function settle(settling: Settling, signal: AbortSignal): Promise<Settled> {
  const { rule, temperature, now } = settling;
  const start = now();
  const [idleMs, mostMs] = [durationMs(rule.idle), durationMs(rule.atMost)];
  const below = temperature === null ? undefined : rule.below;
  let reading: Reading = { temperatureC: null, words: 'asking how warm it is', cool: below === undefined };
  let nextAsk = 0;
  for (;;) {
    if (below !== undefined && temperature !== null && now() - start >= nextAsk && !signal.aborted) {
      reading = await read(temperature, below, signal);
      nextAsk = now() - start + askEveryMs;
    }
    const waitedMs = now() - start;
    const done = (end: Settled['end']): Settled => ({ waitedMs, temperatureC: reading.temperatureC, end });
    if (signal.aborted) return done('skipped');
    if (waitedMs >= idleMs) {
      if (reading.cool) return done('settled');
      if (waitedMs >= mostMs) return done('too-long');
    }
    const text = waitedMs < idleMs && reading.cool ? `idle for ${formatElapsed(idleMs)}` : reading.words;
    settling.tell({ text, waitedMs, atMostMs: below === undefined ? idleMs : Math.max(idleMs, mostMs) });
    await settling.pause(
      Math.min(1000, ...[idleMs - waitedMs, mostMs - waitedMs].filter((ms) => ms > 0)),
      signal,
    );
  }
}

interface Reading {
  temperatureC: number | null;
  words: string;
  cool: boolean;
}

async function read(
  temperature: (signal: AbortSignal) => Promise<number | null>,
  below: number,
  signal: AbortSignal,
): Promise<Reading> {
  try {
    const value = await temperature(signal);
    if (value === null) return { temperatureC: null, words: 'no thermometer', cool: true };
    const words = `${value.toFixed(0)} °C, under ${below} °C wanted`;
    return { temperatureC: value, words, cool: value < below };
  } catch (error) {
    const words = `the temperature cannot be read (${toAppError(error).message}), under ${below} °C wanted`;
    return { temperatureC: null, words, cool: false };
  }
}
