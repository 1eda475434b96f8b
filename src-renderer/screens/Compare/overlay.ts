import type { Series } from '../../../src-shared/stats/series.ts';
import type { Band, Panel } from '../../charts/panel.ts';
import { type Part, partSpan, type Recording } from './panels.ts';

/** A panel of one column, in which each run has a line. */
export type OverlaySpec<C extends string> = Omit<Panel, 'series' | 'scale'> & { column: C };

/** What was sampled beside a run. */
interface Samples<C extends string> {
  has(column: C): boolean;
  series(column: C): Series;
  readonly bands: readonly Band[];
}

/**
 * The samples of the runs over each other, each in its run's colour; a panel that none of them has is left out.
 * @param lines one for each recording, in their order
 */
export function overlay<C extends string>(
  recordings: readonly Recording[],
  lines: readonly Samples<C>[],
  specs: readonly OverlaySpec<C>[],
): { panels: Panel[]; bands: Band[] } {
  const owners = recordings.flatMap(({ key, label, color }, i) => {
    const line = lines[i];
    return line === undefined ? [] : [{ key, label, color, line }];
  });
  const panels = specs.map(({ column, ...panel }): Panel => {
    const series = owners
      .filter(({ line }) => line.has(column))
      .map(({ key, label, color, line }) => ({ key, label, color, dash: '', data: line.series(column) }));
    return { ...panel, scale: 'linear', series };
  });
  const bands = owners.flatMap(({ label, color, line }) =>
    line.bands.map((band) => ({ ...band, owner: { label, color } })),
  );
  return { panels: panels.filter(({ series }) => series.length > 0), bands };
}

/** The samples of a part on the time since it began: what was measured before that is not of it. */
export function samplesOf<S extends { atMs: number; intervalMs: number }>(
  samples: readonly S[],
  recording: Recording,
  part: Part,
): { fromMs: number; samples: S[] } {
  const span = partSpan(recording, part);
  if (span === null) return { fromMs: 0, samples: [] };
  return {
    fromMs: span.fromMs,
    samples: samples
      .filter(({ atMs }) => atMs > span.fromMs && atMs <= span.toMs)
      .map((sample) => {
        const atMs = sample.atMs - span.fromMs;
        return { ...sample, atMs, intervalMs: Math.min(sample.intervalMs, atMs) };
      }),
  };
}
