import { setImmediate } from 'node:timers/promises';
import { heatBandsPerDecade, type LatencyHeat, type RunLatencies } from '../../src-shared/model/latencies.ts';
import type { Run } from '../../src-shared/model/run.ts';
import { Distribution } from '../load/distribution.ts';
import type { RunRepository } from '../store/repositories.ts';

/** Histograms that are read at a stretch: some milliseconds, then others have their turn. */
const atATime = 50;

/**
 * The latencies of one operation of a run: all its seconds merged, and spread over time. From the scheduled start where a
 * rate was set, as every figure of the run.
 * @param operation null for the batches of a load
 * @param stepMs length of a column of the heat map
 */
export async function runLatencies(
  runs: Pick<RunRepository, 'series' | 'histograms'>,
  run: Pick<Run, 'id' | 'phases'>,
  part: { phase: string; operation: string | null; stepMs: number },
  signal: AbortSignal,
): Promise<RunLatencies> {
  const none = { id: run.id, cells: null, heat: null };
  const phase = run.phases.find(({ name }) => name === part.phase);
  const operation = part.operation ?? phase?.operations[0]?.name;
  if (phase === undefined || operation === undefined) return none;
  const stored = runs.histograms(run.id, phase.index).filter((each) => each.operation === operation);
  const ticks = new Map(runs.series(run.id).ticks.map((tick) => [tick.seq, tick]));
  const own = stored.flatMap(({ seq, latency }) => {
    const tick = ticks.get(seq);
    return tick && latency !== null ? [{ tick, latency }] : [];
  });
  const [first] = own;
  if (first === undefined) return none;
  const start = first.tick.atMs - first.tick.intervalMs;
  const all = new Distribution();
  const heat = new Map<number, Map<number, number>>();
  for (const [i, { tick, latency }] of own.entries()) {
    if (i % atATime === atATime - 1) {
      await setImmediate();
      signal.throwIfAborted();
    }
    const second = Distribution.decode(latency, 0);
    all.add(second);
    // An interval goes whole to the stretch of its middle, as the rates of a chart do.
    const at = Math.max(0, Math.floor((tick.atMs - tick.intervalMs / 2 - start) / part.stepMs));
    const column = heat.get(at) ?? new Map<number, number>();
    for (const [us, count] of second.cellsUs()) {
      const band = Math.max(0, Math.floor(Math.log10(us) * heatBandsPerDecade));
      column.set(band, (column.get(band) ?? 0) + count);
    }
    heat.set(at, column);
  }
  const cells = [...all.cellsUs()];
  return {
    id: run.id,
    cells: { us: cells.map(([us]) => us), counts: cells.map(([, count]) => count) },
    heat: { stepMs: part.stepMs, columns: columnsOf(heat) },
  };
}

function columnsOf(heat: ReadonlyMap<number, ReadonlyMap<number, number>>): LatencyHeat['columns'] {
  return [...heat]
    .sort(([a], [b]) => a - b)
    .map(([at, bands]) => ({
      at,
      bands: [...bands].sort(([a], [b]) => a - b).map(([band, count]) => ({ band, count })),
    }));
}
