import { AppError } from '../../src-shared/errors.ts';
import type { RunSeries } from '../../src-shared/model/runSeries.ts';
import { mainRate, ratesOf, seriesCounts, spreadText } from '../../src-shared/stats/runSeries.ts';
import { spreadOf } from '../../src-shared/stats/spread.ts';
import { textTable } from '../reports/table.ts';
import { type Cli, exitCodes, jsonText, withApp } from './cli.ts';
import { findSeries } from './findSeries.ts';
import { withInterrupts } from './interrupts.ts';
import { printSeries, resumeSeries, type SeriesOptions } from './runSeries.ts';

/** `series list`: newest first. */
export function listSeries(cli: Cli, { json }: { json?: boolean }): Promise<number> {
  return withApp(cli, async ({ api }) => {
    const all = await api.call('series.list', null);
    const header = ['ID', 'Started (UTC)', 'State', 'Runs', 'Targets', 'Plan', ''];
    const rows = all.map((series) => {
      const { runs, finished } = seriesCounts(series);
      return [
        series.id.slice(0, 8),
        series.startedAt.slice(0, 19).replace('T', ' '),
        series.outcome ?? 'on',
        `${finished}/${runs}`,
        series.targets.join(', '),
        series.plan.name,
        listedFigure(series),
      ];
    });
    if (json) cli.terminal.out(jsonText(all));
    else if (all.length === 0)
      cli.terminal.out('No series yet. Start one with: benchberry run plan.yaml --repeat 5');
    else cli.terminal.out(textTable([header, ...rows], 'lllrlll').join('\n'));
    return exitCodes.ok;
  });
}

/** Of a sweep the cells differ by intention: it has no spread that says anything. */
function listedFigure(series: RunSeries): string {
  const rate = mainRate(series);
  if (series.parameters.length > 0) return `${series.parameters.map(({ label }) => label).join(' × ')}`;
  if (series.targets.length > 1 || rate === null) return '';
  return spreadText(spreadOf(ratesOf(series.members, rate)), rate) ?? '';
}

/** `series show ID`: its cells with their figures. */
export function showSeries(cli: Cli, prefix: string, { json }: { json?: boolean }): Promise<number> {
  return withApp(cli, async ({ api }) => {
    await printSeries(cli, api, await findSeries(api, prefix), json === true);
    return exitCodes.ok;
  });
}

/** `series resume ID`: goes on with what has no end yet, to the end. */
export function continueSeries(
  cli: Cli,
  prefix: string,
  options: SeriesOptions & { failed?: boolean; overrideGate?: string },
): Promise<number> {
  return withApp(cli, async ({ api }) => {
    const series = await findSeries(api, prefix);
    return withInterrupts(cli, (signal, interrupted) =>
      resumeSeries(cli, api, series, options, signal, interrupted),
    );
  });
}

/** `series cancel ID`: asks the process that is at it to stop. */
export function cancelSeries(cli: Cli, prefix: string): Promise<number> {
  return withApp(cli, async ({ api }) => {
    const { id, endedAt } = await findSeries(api, prefix);
    if (endedAt !== null) {
      throw new AppError({
        code: 'bad-input',
        message: 'This series has ended already',
        hint: 'benchberry series show tells what came of it.',
      });
    }
    await api.call('series.stop', { id });
    cli.terminal.out('The process that is at it was asked to stop it; what was measured is kept.');
    return exitCodes.ok;
  });
}
