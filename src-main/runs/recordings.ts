import { setImmediate } from 'node:timers/promises';
import type { LatencyCells } from '../../src-shared/model/latencies.ts';
import type { Run } from '../../src-shared/model/run.ts';
import type { Recording, RecordingOf } from '../../src-shared/stats/sides.ts';
import { Distribution } from '../load/distribution.ts';
import type { RunRepository } from '../store/repositories.ts';

/** Histograms that are read at a stretch: some milliseconds, then others have their turn. */
const atATime = 50;

/** The time axes of runs with the histograms of all their seconds, read beforehand so that statistics need not wait. */
export async function readRecordings(
  runs: Pick<RunRepository, 'series' | 'histograms'>,
  of: readonly Pick<Run, 'id' | 'phases'>[],
  signal: AbortSignal,
): Promise<RecordingOf> {
  const recordings = new Map<string, Recording>();
  for (const run of of) recordings.set(run.id, await readRecording(runs, run, signal));
  return (id) => recordings.get(id) ?? null;
}

async function readRecording(
  runs: Pick<RunRepository, 'series' | 'histograms'>,
  run: Pick<Run, 'id' | 'phases'>,
  signal: AbortSignal,
): Promise<Recording> {
  const seconds = new Map<string, LatencyCells[]>();
  for (const { index } of run.phases) {
    for (const [i, { operation, latency }] of runs.histograms(run.id, index).entries()) {
      if (i % atATime === atATime - 1) {
        await setImmediate();
        signal.throwIfAborted();
      }
      if (latency === null) continue;
      const cells = [...Distribution.decode(latency, 0).cellsUs()];
      const key = JSON.stringify([index, operation]);
      const own = seconds.get(key) ?? [];
      own.push({ us: cells.map(([us]) => us), counts: cells.map(([, count]) => count) });
      seconds.set(key, own);
    }
  }
  const { ticks } = runs.series(run.id);
  return { ticks, latencies: (phase, operation) => seconds.get(JSON.stringify([phase, operation])) ?? [] };
}
