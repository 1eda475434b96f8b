import type { Api } from '../../src-shared/contract/api.ts';
import { AppError } from '../../src-shared/errors.ts';
import { formatRunFilter } from '../../src-shared/filter/runFilter.ts';
import { headRate } from '../../src-shared/headRate.ts';
import type { Run, RunHead } from '../../src-shared/model/run.ts';
import { verdictLabels } from '../../src-shared/model/verdict.ts';
import { formatLatency, formatRate } from '../../src-shared/units.ts';
import { shownRun } from '../reports/runObject.ts';
import { serverLines } from '../reports/serverLines.ts';
import { runSummary } from '../reports/summary.ts';
import { textTable } from '../reports/table.ts';
import { type Cli, exitCodes, jsonText, withApp } from './cli.ts';

export interface ListOptions {
  search?: string;
  tag?: string;
  filter?: string;
  json?: boolean;
}

/** `list`: the runs, newest first. */
export function listRuns(cli: Cli, options: ListOptions): Promise<number> {
  return withApp(cli, async ({ api }) => {
    const filter = filterOf(options);
    const heads = await api.call('runs.list', { filter });
    if (options.json) cli.terminal.out(jsonText(heads));
    else if (heads.length === 0)
      cli.terminal.out(
        filter === ''
          ? 'No runs yet. Start one with: npm run demo'
          : 'No run has this. All are shown by: benchberry list',
      );
    else cli.terminal.out(textTable([listHeader, ...heads.map(listRow)], 'lllrrll').join('\n'));
    return exitCodes.ok;
  });
}

/** Everything that was asked for, as one filter. */
function filterOf({ search = '', tag, filter = '' }: ListOptions): string {
  const words = search.split(/\s+/).filter((word) => word !== '');
  const terms = formatRunFilter([
    ...words.map((value) => ({ kind: 'text' as const, value, not: false })),
    ...(tag === undefined ? [] : [{ kind: 'facet' as const, key: 'tag' as const, value: tag, not: false }]),
  ]);
  return [terms, filter].filter((part) => part.trim() !== '').join(' ');
}

const listHeader = ['ID', 'Started (UTC)', 'Verdict', 'Rate', 'p99', 'Target', 'Name'];

/** Enough of an id to name a run with. */
export const shownIdLength = 8;

function listRow(head: RunHead): string[] {
  const rate = headRate(head);
  return [
    head.id.slice(0, shownIdLength),
    head.startedAt.slice(0, 19).replace('T', ' '),
    head.verdicts.map((verdict) => verdictLabels[verdict.code]).join(', ') || head.status,
    rate === null ? '–' : `${formatRate(rate.perSecond)} ${rate.unit}`,
    head.p99Us === null ? '–' : formatLatency(head.p99Us),
    head.targetName,
    head.name,
  ];
}

/** `show ID`: one run as summary, JSON object or in the lines of its program. */
export function showRun(
  cli: Cli,
  prefix: string,
  options: { json?: boolean; text?: boolean },
): Promise<number> {
  return withApp(cli, async ({ api }) => {
    const run = await findRun(api, prefix);
    if (options.text) {
      cli.terminal.out((await api.call('runs.text', { id: run.id })).trimEnd());
      return exitCodes.ok;
    }
    const series = await api.call('runs.series', { id: run.id });
    if (options.json) cli.terminal.out(jsonText(shownRun(run, series)));
    else cli.terminal.out([runSummary(run), ...serverLines(run, series)].join('\n'));
    return exitCodes.ok;
  });
}

/** The run whose id is, or begins with, the given text; or the reference of that id. */
export async function findRun(api: Api, prefix: string): Promise<Run> {
  if (prefix.startsWith('reference:')) return api.call('runs.get', { id: prefix });
  const heads = await api.call('runs.list', { filter: 'is:any', limit: 10_000 });
  const exact = heads.filter((head) => head.id === prefix);
  const matches = exact.length > 0 ? exact : heads.filter((head) => head.id.startsWith(prefix.toLowerCase()));
  const [match] = matches;
  if (match === undefined) {
    throw new AppError({
      code: 'not-found',
      message: `There is no run ${prefix}`,
      hint: 'benchberry list shows the runs.',
    });
  }
  if (matches.length > 1) {
    throw new AppError({
      code: 'bad-input',
      message: `${matches.length} runs begin with ${prefix}`,
      detail: matches
        .slice(0, 5)
        .map((head) => `${head.id} (${head.name})`)
        .join(', '),
      hint: 'Give more characters of the id.',
    });
  }
  return api.call('runs.get', { id: match.id });
}
