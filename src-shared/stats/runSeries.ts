import { parseDuration } from '../duration.ts';
import type {
  MemberFigures,
  RunSeries,
  SeriesMember,
  SeriesOutcome,
  SweptParameter,
} from '../model/runSeries.ts';
import { formatCount, formatCounted, formatRate } from '../units.ts';
import { mean } from './robust.ts';
import { type Spread, spreadOf } from './spread.ts';

/** Rates that a series can be about, the one that is looked for first at the front. */
export const seriesRates = ['transactionsPerSecond', 'rowsPerSecond', 'queriesPerSecond'] as const;
export type SeriesRate = (typeof seriesRates)[number];
export const seriesRateUnits: Record<SeriesRate, string> = {
  transactionsPerSecond: 'TPS',
  rowsPerSecond: 'rows/s',
  queriesPerSecond: 'queries/s',
};

/** How many combinations the parameters' values have; 1 without parameters. */
export function cellCount(parameters: readonly Pick<SweptParameter, 'values'>[]): number {
  return parameters.reduce((product, { values }) => product * values.length, 1);
}

/** The value of each parameter in a cell; the last parameter changes fastest. */
export function cellValues(parameters: readonly Pick<SweptParameter, 'values'>[], cell: number): number[] {
  let rest = cell;
  return parameters
    .toReversed()
    .map(({ values }) => {
      const value = values[rest % values.length] ?? Number.NaN;
      rest = Math.floor(rest / values.length);
      return value;
    })
    .reverse();
}

/** A parameter's value as people read it: full digits. */
export function formatParameter(value: number): string {
  return Number.isInteger(value) ? formatCount(value) : String(value);
}

/** `Workers 8, Batch size 1,000`; empty without parameters. */
export function cellName(parameters: readonly SweptParameter[], cell: number): string {
  const values = cellValues(parameters, cell);
  return parameters.map(({ label }, i) => `${label} ${formatParameter(values[i] ?? Number.NaN)}`).join(', ');
}

/** What tells a member from the others: its cell, its target where there are several, its round where there are several. */
export function memberName(
  { parameters, targets, plan }: Pick<RunSeries, 'parameters' | 'targets' | 'plan'>,
  { cell, target, round }: Pick<SeriesMember, 'cell' | 'target' | 'round'>,
): string {
  return [
    cellName(parameters, cell),
    targets.length > 1 ? `on ${targets[target] ?? ''}` : '',
    plan.repeat > 1 ? `round ${round} of ${plan.repeat}` : '',
  ]
    .filter((part) => part !== '')
    .join(', ');
}

/** Whether a member has had its turn: resumed or not, it is not run again. A failed one has, unless `failed` ones count as open. */
export function isThrough({ figures }: Pick<SeriesMember, 'figures'>, failed = false): boolean {
  if (figures === null) return false;
  return figures.status === 'finished' || (figures.status === 'failed' && !failed);
}

/** The runs of one cell on one target: of a member that was run again the last one. */
export function groupRunIds(
  members: RunSeries['members'],
  { cell, target }: { cell: number; target: number },
): string[] {
  return members
    .filter((member) => member.cell === cell && member.target === target)
    .flatMap(({ runIds }) => runIds.at(-1) ?? []);
}

/** The rate that the series' figures are about; null before there is any. */
export function mainRate({ members }: Pick<RunSeries, 'members'>): SeriesRate | null {
  const has = (rate: SeriesRate) => members.some(({ figures }) => (figures?.[rate] ?? null) !== null);
  return seriesRates.find(has) ?? null;
}

/** A member that counts: its run has finished and was not left out. */
function counts({ figures, leftOut }: Pick<SeriesMember, 'figures' | 'leftOut'>): boolean {
  return figures?.status === 'finished' && leftOut === null;
}

/** A rate of each run that counts. What was cut short, failed or left out has none that compares. */
export function ratesOf(
  members: readonly Pick<SeriesMember, 'figures' | 'leftOut'>[],
  rate: SeriesRate,
): number[] {
  return members.filter(counts).flatMap(({ figures }) => figures?.[rate] ?? []);
}

/** One cell on one target, with all its rounds. */
export interface SeriesCell {
  cell: number;
  target: number;
  /** Of the parameters, in their order. */
  values: readonly number[];
  members: readonly SeriesMember[];
  /** Of the main rate over its finished runs; null without one. */
  spread: Spread | null;
  /**
   * What average, median and highest are of: `runs` where several have finished; where a cell has one run and no more, the
   * `seconds` of its load, if it has them; else null, and there is the average only. Of repeats never the seconds of the one
   * that has finished: they would stand in a column of runs, and the highest second is above any run.
   */
  over: 'runs' | 'seconds' | null;
  average: number | null;
  median: number | null;
  max: number | null;
}

/** The cells of a series: target by target, in each of them in the order of the cells. */
export function seriesCells(series: Pick<RunSeries, 'parameters' | 'targets' | 'members'>): SeriesCell[] {
  const rate = mainRate(series);
  return series.targets.flatMap((_, target) =>
    Array.from({ length: cellCount(series.parameters) }, (_each, cell) => {
      const members = series.members.filter((m) => m.target === target && m.cell === cell);
      return {
        cell,
        target,
        values: cellValues(series.parameters, cell),
        members,
        ...figuresOf(members, rate),
      };
    }),
  );
}

function figuresOf(
  members: readonly SeriesMember[],
  rate: SeriesRate | null,
): Pick<SeriesCell, 'spread' | 'over' | 'average' | 'median' | 'max'> {
  const spread = rate === null ? null : spreadOf(ratesOf(members, rate));
  const average = spread?.mean ?? null;
  if (spread !== null && spread.n > 1) {
    return { spread, over: 'runs', average, median: spread.median, max: spread.max };
  }
  const [only] = members.length === 1 ? members.filter(counts) : [];
  const seconds = rate === 'rowsPerSecond' ? only?.figures?.perSecond : null;
  return {
    spread,
    over: seconds ? 'seconds' : null,
    average,
    median: seconds?.median ?? null,
    max: seconds?.max ?? null,
  };
}

/** `median 12,480 rows/s (12,310–12,544, CV 0.8 %, 5 runs)`; of one run its rate alone; null of none. */
export function spreadText(spread: Spread | null, rate: SeriesRate | null): string | null {
  if (spread === null || rate === null) return null;
  const unit = seriesRateUnits[rate];
  if (spread.n === 1) return `${formatRate(spread.median)} ${unit}`;
  return `median ${formatRate(spread.median)} ${unit} (${apart(spread)})`;
}

const statusWords: Record<MemberFigures['status'], string> = {
  preparing: 'on',
  running: 'on',
  finished: 'finished',
  failed: 'failed',
  cancelled: 'stopped',
  interrupted: 'interrupted',
};

/** What became of a member, in a word or with the reason. */
export function memberState({ figures, error, runIds, leftOut }: SeriesMember, ended: boolean): string {
  if (leftOut !== null) return `left out: ${leftOut}`;
  if (error !== null) return error.message;
  if (figures !== null) return statusWords[figures.status];
  if (runIds.length > 0) return ended ? 'interrupted' : 'on';
  return ended ? 'not run' : 'waiting';
}

/** What the members of a cell that do not count have come to: `1 failed, 2 not run`; empty where all count. */
export function cellState(members: readonly SeriesMember[], ended: boolean): string {
  const states = members.filter((member) => !counts(member)).map((member) => memberState(member, ended));
  return [...new Set(states)]
    .map((state) => {
      const times = states.filter((other) => other === state).length;
      return members.length === 1 ? state : `${times} ${state}`;
    })
    .join(', ');
}

/** How a series stands, in a sentence: what was run, what failed, and what is left. */
export function seriesSentence(series: Pick<RunSeries, 'members' | 'outcome'>): string {
  const { runs, finished, failed, open } = seriesCounts(series);
  const done = [
    `${finished} of ${formatCounted(runs, 'run')} finished`,
    ...(failed > 0 ? [`${failed} failed, and the series went on`] : []),
  ].join('; ');
  const ends: Record<SeriesOutcome, string> = {
    finished: open > 0 ? `; ${open} stopped or not run` : '',
    stopped: `; stopped with ${open} left`,
    'out-of-time': `; the time budget is used up, ${open} left`,
    interrupted: `; interrupted with ${open} left`,
  };
  return `${done}${series.outcome === null ? '' : ends[series.outcome]}.`;
}

/** How many runs a series has, and what became of them. */
export function seriesCounts(series: Pick<RunSeries, 'members'>): {
  runs: number;
  finished: number;
  failed: number;
  /** Still to be run: no run yet, or one that was cut short. */
  open: number;
} {
  const { members } = series;
  const failed = members.filter(({ figures }) => figures?.status === 'failed').length;
  const finished = members.filter(({ figures }) => figures?.status === 'finished').length;
  return { runs: members.length, finished, failed, open: members.length - finished - failed };
}

/**
 * How long a series that is on will still take, ms: by what its finished runs took for each planned row, or for each run
 * where not all load rows, and with the waits to come. Rows that others take longer for make it an estimate. null before
 * one has finished.
 * @param now place of the run that is on, or waited for, and how long it takes, or is waited for, already
 */
export function remainingMs(
  { members, plan }: Pick<RunSeries, 'members' | 'plan'>,
  now: { place: number; elapsedMs: number; waitedMs: number | null },
): number | null {
  const byRows = members.every(({ plannedRows }) => plannedRows > 0);
  const weight = (list: readonly SeriesMember[]) =>
    list.reduce((sum, { plannedRows }) => sum + (byRows ? plannedRows : 1), 0);
  const done = members.filter(({ figures }) => figures?.status === 'finished');
  if (done.length === 0) return null;
  const rate = done.reduce((sum, { figures }) => sum + (figures?.tookMs ?? 0), 0) / weight(done);
  const waits = members.flatMap(({ settled }) =>
    settled === null || settled.end === 'skipped' ? [] : [settled.waitedMs],
  );
  const idleMs = Number(parseDuration(plan.settle?.idle ?? '0s') ?? 0n) / 1e6;
  const waitMs = Math.max(idleMs, waits.length > 0 ? mean(waits) : 0);
  const on = members[now.place];
  const later = members.filter((member, i) => i !== now.place && !isThrough(member));
  const own = on === undefined || isThrough(on) ? 0 : Math.max(0, weight([on]) * rate - now.elapsedMs);
  const wait = now.waitedMs === null ? 0 : Math.max(0, waitMs - now.waitedMs);
  return wait + own + weight(later) * rate + later.length * waitMs;
}

/** What a series came to, in a few words for lists. */
export interface SeriesHeadline {
  /** The target where there are several, else empty. */
  target: string;
  /** `median 51,667 rows/s`, `highest 339,893 rows/s`. */
  figure: string;
  /** How far its runs lie apart, or with which values that was; empty of a single run. */
  detail: string;
}

/** Of repeats the spread on each target; of a sweep its cell with the highest average. Empty before a run has finished. */
export function seriesHeadlines(series: RunSeries): SeriesHeadline[] {
  const rate = mainRate(series);
  if (rate === null) return [];
  const { targets, parameters } = series;
  const unit = seriesRateUnits[rate];
  const cells = seriesCells(series).filter(({ spread }) => spread !== null);
  const nameOf = (target: number) => (targets.length > 1 ? (targets[target] ?? '') : '');
  if (parameters.length === 0) {
    return cells.flatMap(({ spread, target }) => {
      if (spread === null) return [];
      const detail = spread.n > 1 ? apart(spread) : '';
      const figure = `${spread.n > 1 ? 'median ' : ''}${formatRate(spread.median)} ${unit}`;
      return [{ target: nameOf(target), figure, detail }];
    });
  }
  const best = cells.reduce<SeriesCell | null>(
    (found, cell) => ((cell.average ?? 0) > (found?.average ?? 0) ? cell : found),
    null,
  );
  if (best === null || best.average === null) return [];
  const figure = `highest ${formatRate(best.average)} ${unit}`;
  return [{ target: nameOf(best.target), figure, detail: cellName(parameters, best.cell) }];
}

/** `12,310–12,544, CV 0.8 %, 5 runs` */
function apart({ min, max, cv, n }: Spread): string {
  const variation = cv === null ? '' : `, CV ${(cv * 100).toFixed(1)} %`;
  return `${formatRate(min)}–${formatRate(max)}${variation}, ${n} runs`;
}
