import type { HealthSample } from '../model/host.ts';
import type { ServerSample } from '../model/telemetry.ts';
import type { Tick } from '../model/tick.ts';
import { type CheckpointBand, checkpointBands } from './checkpoints.ts';
import { gapMs, type Interval, perSecond, shortestMs } from './rates.ts';
import { median } from './robust.ts';
import { waitClass, waitProfile } from './waits.ts';

export const stallCauses = ['client', 'checkpoint', 'locks', 'autovacuum', 'throttled', 'disk'] as const;
export type StallCause = (typeof stallCauses)[number];

export const stallCauseLabels: Record<StallCause, string> = {
  client: 'Benchberry itself stood still',
  checkpoint: 'a checkpoint',
  locks: 'a queue for locks',
  autovacuum: 'autovacuum',
  throttled: "the host's processor was held back",
  disk: 'the disk',
};

/** Seconds in a row in which next to nothing was done. */
export interface Stall {
  fromMs: number;
  toMs: number;
  /** All that was seen at the time; empty where nothing explains it. */
  causes: StallCause[];
  /** What the server's sessions waited for most, as the server names it; null where it was not seen. */
  event: string | null;
}

/** A second is one with less than this share of the median of its phase. */
const stallShare = 0.1;
/** A checkpoint that has just ended still has the disk at work. */
const afterCheckpointMs = 2000;
/** From this share of all findings on an event is what the server waited for. */
const mostly = 0.5;
const diskBusy = 0.95;
const loopDelayMs = 500;
/** Fewer seconds have no median to speak of. */
const leastIntervals = 10;
/**
 * So many operations end in a stall's time on average. Of fewer it happens by chance that none does: where 4 arrive a second
 * (Poisson), in every 50th second. Below a tenth of 20 are 4 in 10⁸.
 */
const leastMissed = 20;

/** A second of work. */
export interface Work extends Interval {
  /** That ended in it: batches of a load, queries, transactions. */
  operations: number;
}

/** Everything that lies on a run's time axis. */
export interface Axis {
  ticks: readonly Pick<Tick, 'atMs' | 'intervalMs' | 'client'>[];
  server: readonly ServerSample[];
  health: readonly HealthSample[];
}

/**
 * Seconds with less than a tenth of the median second of their phase, joined where they follow each other, if that is more
 * than chance; each with what else was seen at the time. That is no proof of a cause; what is not seen is not told.
 * @param intervals of one phase, in their order, about a second each
 */
export function findStalls(intervals: readonly Work[], axis: Axis): Stall[] {
  const seconds = intervals.filter(({ fromMs, toMs }) => toMs - fromMs >= shortestMs);
  if (seconds.length < leastIntervals) return [];
  const rate = ({ fromMs, toMs, sum }: Interval) => perSecond(sum, toMs - fromMs);
  const limit = stallShare * median(seconds.map(rate));
  const spans: { fromMs: number; toMs: number }[] = [];
  for (const second of seconds) {
    if (!(rate(second) < limit)) continue;
    const last = spans.at(-1);
    if (last && second.fromMs - last.toMs <= gapMs) last.toMs = second.toMs;
    else spans.push({ fromMs: second.fromMs, toMs: second.toMs });
  }
  const operations = seconds.reduce((all, second) => all + second.operations, 0);
  const usual = perSecond(operations, stalledMs(seconds));
  const long = spans.filter(({ fromMs, toMs }) => usual * (toMs - fromMs) >= leastMissed * 1000);
  const checkpoints = checkpointBands(axis.server);
  return long.map((span) => explained(span, axis, checkpoints));
}

function explained(
  span: { fromMs: number; toMs: number },
  axis: Axis,
  checkpoints: readonly CheckpointBand[],
): Stall {
  const during = <T extends { atMs: number; intervalMs: number }>(samples: readonly T[]) =>
    samples.filter(({ atMs, intervalMs }) => atMs > span.fromMs && atMs - intervalMs < span.toMs);
  const server = during(axis.server);
  const health = during(axis.health);
  const { waits } = waitProfile(server);
  const share = (wanted: readonly string[]) =>
    waits.reduce((all, wait) => all + (wanted.includes(waitClass(wait.event)) ? wait.share : 0), 0);
  const seen: Record<StallCause, boolean> = {
    client: during(axis.ticks).some(({ client }) => client.loopDelayMs >= loopDelayMs),
    checkpoint: checkpoints.some(
      ({ startMs, endMs }) => startMs < span.toMs && endMs > span.fromMs - afterCheckpointMs,
    ),
    locks: share(['locks']) >= mostly,
    autovacuum: server.some(({ autovacuum }) => autovacuum.length > 0),
    throttled: health.some(
      ({ throttle }) =>
        throttle !== null &&
        (throttle.throttled || throttle.frequencyCapped || throttle.softTemperatureLimit),
    ),
    disk: share(['wal', 'files']) >= mostly || health.some(({ disk }) => (disk?.busy ?? 0) >= diskBusy),
  };
  return { ...span, causes: stallCauses.filter((cause) => seen[cause]), event: waits[0]?.event ?? null };
}

/** How long stalls were in all, ms. */
export function stalledMs(stalls: readonly Pick<Stall, 'fromMs' | 'toMs'>[]): number {
  return stalls.reduce((all, { fromMs, toMs }) => all + toMs - fromMs, 0);
}
