import type { Series } from '../../src-shared/stats/series.ts';

/** What one chart shows. Plain data: the same for a live run, a saved one and several runs over each other. */
export interface Panel {
  id: string;
  title: string;
  /** Shown beside the title and in exports: `rows/s`, `ms`. */
  unit: string;
  scale: 'linear' | 'log';
  /** Value as people read it, unit included where it varies (latency). */
  format: (value: number) => string;
  /** Shorter form for axis labels; `format` where absent. */
  formatAxis?: (value: number) => string;
  /** At most five; more cannot be told apart. */
  series: ChartSeries[];
  /** How the figures are made, one or two plain sentences. */
  help: string;
  /** The axis reaches at least to here: 100 for a share in percent. */
  atLeast?: number;
  /** Parts of a whole: drawn as areas on top of each other, the first at the bottom. All have the same moments. */
  stacked?: boolean;
  /** Counts: the axis has whole numbers only. */
  whole?: boolean;
}

export interface ChartSeries {
  key: string;
  label: string;
  /** A CSS colour; runs differ by it. */
  color: string;
  /** `stroke-dasharray`; metrics differ by it. */
  dash: string;
  data: Series;
}

/** A line across all panels. */
export interface Mark {
  atMs: number;
  kind: 'phase' | 'error' | 'stop';
  label: string;
}

export const bandLabels = {
  throttled: 'throttled',
  'under-voltage': 'under-voltage',
  checkpoint: 'checkpoint',
  autovacuum: 'autovacuum',
} as const;

/** Kinds differ by colour and by border and label as well: never by colour alone. */
export const bandStyles: Record<
  Band['kind'],
  { color: string; dash: string; label: 'insideTop' | 'insideBottom' }
> = {
  throttled: { color: 'var(--warn)', dash: '', label: 'insideTop' },
  'under-voltage': { color: 'var(--bad)', dash: '2 3', label: 'insideBottom' },
  checkpoint: { color: 'var(--chart-1)', dash: '8 3', label: 'insideTop' },
  autovacuum: { color: 'var(--chart-3)', dash: '1 3', label: 'insideBottom' },
};

/** A stretch of time shaded in all panels. */
export interface Band {
  kind: keyof typeof bandLabels;
  fromMs: number;
  toMs: number;
  /** Whose it is, where several runs lie over each other; its colour is the shade's. */
  owner?: { label: string; color: string };
}

/** A rate on an axis, where ticks are round: no digits after the point that say nothing. */
export function formatTick(value: number): string {
  return value.toLocaleString('en-US', { maximumSignificantDigits: value < 100 ? 3 : 15 });
}

/** Dashes of the metrics of one panel, in their order. */
export const dashes = ['', '6 3', '2 3', '10 3 2 3'] as const;

/** Colour of the n-th run: by its place in the comparison, never by what is shown at the moment. */
export function runColor(index: number): string {
  return `var(--chart-${(index % 8) + 1})`;
}
