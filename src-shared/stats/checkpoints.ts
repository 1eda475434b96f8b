import type { Checkpoint, ServerSample } from '../model/telemetry.ts';

/** A checkpoint on the time axis. */
export interface CheckpointBand extends Checkpoint {
  /** Where it was last seen, for one whose end is not known. */
  endMs: number;
}

/**
 * The checkpoints of a run in their order: the last report of each counts. One whose end was not seen lasts until it was
 * last reported, and falls out where another one turns out to be the same: after a gap it is found anew.
 */
export function checkpointBands(samples: readonly ServerSample[]): CheckpointBand[] {
  const last = new Map<number, CheckpointBand>();
  for (const { atMs, checkpoints } of samples)
    for (const each of checkpoints)
      last.set(each.id, { ...each, endMs: each.endMs ?? Math.max(each.startMs, atMs) });
  const bands = [...last.values()].filter(({ state }) => state !== 'skipped');
  const whole = bands.filter(({ state }) => state === 'done');
  const same = (open: CheckpointBand) =>
    whole.some(({ startMs, endMs }) => startMs <= open.startMs + 1000 && endMs >= open.startMs);
  const ordered = bands
    .filter((band) => band.state === 'done' || !same(band))
    .sort((a, b) => a.startMs - b.startMs);
  const joined: CheckpointBand[] = [];
  for (const band of ordered) {
    const before = joined.at(-1);
    const sampledBetween = samples.some(({ atMs }) => atMs > (before?.endMs ?? 0) && atMs < band.startMs);
    if (before?.state === 'running' && band.state === 'running' && !sampledBetween) before.endMs = band.endMs;
    else joined.push(band);
  }
  return joined;
}
