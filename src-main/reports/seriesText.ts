import type { RunSeries } from '../../src-shared/model/runSeries.ts';
import {
  cellState,
  formatParameter,
  mainRate,
  type SeriesCell,
  seriesCells,
  seriesRateUnits,
  seriesSentence,
} from '../../src-shared/stats/runSeries.ts';
import { formatRate } from '../../src-shared/units.ts';
import { textTable } from './table.ts';

/** A series for people at a terminal: how it stands, and its cells with their figures. */
export function seriesText(series: RunSeries): string {
  const { plan, targets, parameters } = series;
  const cells = seriesCells(series);
  const rate = mainRate(series);
  const several = targets.length > 1;
  const header = [
    ...(several ? ['Target'] : []),
    ...parameters.map(({ label }) => label),
    ...['Average', 'Median', 'Highest', 'CV', 'Runs', ''],
  ];
  const rows = cells.map((cell) => [
    ...(several ? [targets[cell.target] ?? ''] : []),
    ...cell.values.map(formatParameter),
    ...[cell.average, cell.median, cell.max].map((value) => (value === null ? '–' : formatRate(value))),
    ...[cvText(cell), String(cell.spread?.n ?? 0)],
    cellState(cell.members, series.endedAt !== null),
  ]);
  const align = `${several ? 'l' : ''}${'r'.repeat(parameters.length)}rrrrrl`;
  return [
    `${plan.name} on ${targets.join(', ')} (${series.id})`,
    seriesSentence(series),
    ...(rate === null ? [] : [`${seriesRateUnits[rate]}; ${overText(cells)}`]),
    '',
    ...textTable([header, ...rows], align),
  ].join('\n');
}

function cvText({ spread }: SeriesCell): string {
  return spread === null || spread.cv === null ? '–' : `${(spread.cv * 100).toFixed(1)} %`;
}

function overText(cells: readonly SeriesCell[]): string {
  const over = new Set(cells.map((cell) => cell.over));
  if (over.has('runs')) return 'average, median and highest are over the runs';
  if (over.has('seconds')) return 'median and highest are of the seconds of the load';
  return 'one run each';
}
