import type { Api } from '../../src-shared/contract/api.ts';
import { AppError, describeError, toAppError } from '../../src-shared/errors.ts';
import type { Plan } from '../../src-shared/model/plan.ts';
import type { RunSeries } from '../../src-shared/model/runSeries.ts';
import type { Target } from '../../src-shared/model/target.ts';
import {
  cellCount,
  cellName,
  formatParameter,
  groupRunIds,
  isThrough,
  mainRate,
  memberName,
  memberState,
  ratesOf,
  seriesRateUnits,
} from '../../src-shared/stats/runSeries.ts';
import { formatCount, formatElapsed, formatRate } from '../../src-shared/units.ts';
import { runObject } from '../reports/runObject.ts';
import { seriesText } from '../reports/seriesText.ts';
import { outcomeText } from '../reports/summary.ts';
import { atHost } from './atHost.ts';
import { againstBaseline } from './baselines.ts';
import { type Cli, exitCodes, jsonText } from './cli.ts';
import { type FollowedRuns, followRuns } from './followRuns.ts';
import { exitCodeOfRun, type RunOptions } from './runPlan.ts';
import { targetForRun } from './targets.ts';

export interface SeriesOptions {
  json?: boolean;
  quiet?: boolean;
}

/** Each cell on each target against the baseline of the plan; one with several says which. */
async function cellsAgainstBaseline(api: Api, series: RunSeries): Promise<string[]> {
  const { parameters, targets, members } = series;
  const texts: string[] = [];
  for (const [target, name] of targets.entries()) {
    for (let cell = 0; cell < cellCount(parameters); cell += 1) {
      const last = groupRunIds(members, { cell, target }).at(-1);
      const found = last === undefined ? [] : await againstBaseline(api, last);
      if (found.length > 0 && (targets.length > 1 || parameters.length > 0))
        texts.push([cellName(parameters, cell), `on ${name}`].filter((part) => part !== '').join(' '));
      texts.push(...found);
    }
  }
  return texts;
}

/** What it will do, before it is done: how many runs, in which order, how long, and what speaks against it. */
async function tellPreview(
  cli: Cli,
  api: Api,
  plan: Plan,
  targets: readonly Target[],
  quiet: boolean,
): Promise<void> {
  const preview = await api.call('series.preview', { plan, targetIds: targets.map(({ id }) => id) });
  for (const text of preview.warnings) cli.terminal.err(`Warning: ${text}`);
  if (quiet) return;
  const lists = preview.parameters.map(
    ({ label, values }) => `${label} ${values.map(formatParameter).join(', ')}`,
  );
  const time = preview.estimatedMs === null ? '' : `, about ${formatElapsed(preview.estimatedMs)}`;
  cli.terminal.err(`${[`${formatCount(preview.runs)} runs`, ...lists].join(' · ')}${time}`);
  for (const text of [preview.basis, ...preview.order]) cli.terminal.err(text);
}

/** A plan with repeats, lists or several targets, to its end. @throws AppError for a target that cannot be reached */
export async function startSeries(
  cli: Cli,
  api: Api,
  plan: Plan,
  names: readonly string[],
  options: RunOptions,
  signal: AbortSignal,
  onInterrupt: (stop: () => void) => void,
): Promise<number> {
  const targets: Target[] = [];
  for (const name of names) targets.push(await targetForRun(cli, api, name, signal));
  await tellPreview(cli, api, plan, targets, options.quiet === true);
  const targetIds = targets.map(({ id }) => id);
  const overrideGate = options.overrideGate ?? null;
  return followSeries(cli, api, options, onInterrupt, () =>
    atHosts(cli, api, plan, targets, options, signal, () =>
      api.call('series.start', { plan, targetIds, overrideGate }, signal),
    ),
  );
}

/** What has no end yet of a series, to its end. @throws AppError for a target that cannot be reached, and where all have an end */
export async function resumeSeries(
  cli: Cli,
  api: Api,
  series: RunSeries,
  options: SeriesOptions & { failed?: boolean; overrideGate?: string },
  signal: AbortSignal,
  onInterrupt: (stop: () => void) => void,
): Promise<number> {
  const targets: Target[] = [];
  // No password is asked for where nothing is left: that is said instead.
  const left = series.members.some((member) => !isThrough(member, options.failed));
  for (const name of left ? series.targets : []) targets.push(await targetForRun(cli, api, name, signal));
  const input = {
    id: series.id,
    failed: options.failed === true,
    overrideGate: options.overrideGate ?? null,
  };
  return followSeries(cli, api, options, onInterrupt, () =>
    atHosts(cli, api, series.plan, targets, options, signal, () => api.call('series.resume', input, signal)),
  );
}

/** A start with the passwords of all hosts behind the targets. */
function atHosts<T>(
  cli: Cli,
  api: Api,
  plan: Plan,
  targets: readonly Target[],
  options: SeriesOptions,
  signal: AbortSignal,
  start: () => Promise<T>,
): Promise<T> {
  const [target, ...others] = targets;
  if (target === undefined) return start();
  return atHost(cli, api, plan, target, options, signal, () =>
    atHosts(cli, api, plan, others, options, signal, start),
  );
}

/**
 * Starts or resumes a series and prints what it does until it has ended.
 * @returns the exit code: 0 all runs valid, 1 one failed, is not valid or was not run, 130 stopped
 */
async function followSeries(
  cli: Cli,
  api: Api,
  options: SeriesOptions,
  onInterrupt: (stop: () => void) => void,
  begin: () => Promise<RunSeries>,
): Promise<number> {
  const line = options.json ? cli.terminal.err : cli.terminal.out;
  const follow = followRuns(api, cli.terminal, options.quiet ? null : line);
  const over = Promise.withResolvers<RunSeries>();
  let known: RunSeries | null = null;
  let shown = { member: -1, settling: false };
  const off = [
    api.on('series.changed', (series) => {
      if (known !== null && known.id !== series.id) return;
      if (!options.quiet) for (const text of outcomes(known, series)) line(text);
      known = series;
      if (series.endedAt !== null) over.resolve(series);
    }),
    api.on('series.progress', ({ member, settling }) => {
      if (options.quiet || known === null) return;
      const isNew = member !== shown.member || (settling !== null) !== shown.settling;
      shown = { member, settling: settling !== null };
      if (settling !== null) {
        const text = `Waiting ${formatElapsed(settling.waitedMs)} before the next run: ${settling.text}`;
        if (isNew) cli.terminal.err(text);
        else cli.terminal.status(text);
      } else if (isNew) cli.terminal.err(turnText(known, member));
    }),
  ];
  try {
    const series = await begin();
    known ??= series;
    onInterrupt(() => {
      cli.terminal.err('Stopping; what was measured so far is kept. Ctrl-C again ends at once.');
      const failed = (error: unknown) => cli.terminal.err(describeError(toAppError(error)));
      api.call('series.stop', { id: series.id }).catch(failed);
    });
    if (series.endedAt !== null) over.resolve(series);
    const { members } = known ?? series;
    const begun = members.findLast(({ figures, runIds }) => figures === null && runIds.length > 0);
    await follow.begin({ id: begun?.runIds.at(-1) ?? members[0]?.runIds.at(-1) ?? '' });
    const ended = await Promise.race([over.promise, failure(follow)]);
    await printSeries(cli, api, ended, options.json === true);
    for (const text of await cellsAgainstBaseline(api, ended)) line(text);
    return exitCodeOfSeries(api, ended);
  } finally {
    follow.close();
    for (const unsubscribe of off) unsubscribe();
  }
}

/** What has gone wrong in following the runs; their ends are told by the series. */
async function failure(follow: FollowedRuns): Promise<never> {
  for (;;) await follow.ended();
}

/** A line for each run that has ended since, or could not be recorded. */
function outcomes(before: RunSeries | null, series: RunSeries): string[] {
  const rate = mainRate(series);
  return series.members.flatMap((member, i) => {
    const old = before?.members[i];
    const isNew =
      (member.figures !== null && (old?.figures ?? null) === null) ||
      (member.error !== null && (old?.error ?? null) === null);
    if (!isNew) return [];
    const [value] = rate === null ? [] : ratesOf([member], rate);
    const figure =
      rate === null || value === undefined ? '' : `, ${formatRate(value)} ${seriesRateUnits[rate]}`;
    const invalid = member.figures?.status === 'finished' && !member.figures.valid ? ', not valid' : '';
    return [`${turnText(series, i)}: ${memberState(member, false)}${figure}${invalid}`];
  });
}

/** `Run 5 of 9: Workers 8, Batch size 1,000`. */
function turnText(series: RunSeries, place: number): string {
  const member = series.members[place];
  const words = member === undefined ? '' : memberName(series, member);
  return `Run ${place + 1} of ${series.members.length}${words === '' ? '' : `: ${words}`}`;
}

/** The series as text, or as one object with its runs in it. */
export async function printSeries(cli: Cli, api: Api, series: RunSeries, json: boolean): Promise<void> {
  if (!json) {
    cli.terminal.out(seriesText(series));
    return;
  }
  const ids = series.members.flatMap(({ runIds }) => runIds);
  const runs = await Promise.all(ids.map((id) => api.call('runs.get', { id }).catch(goneRun)));
  const kept = runs.flatMap((run) => run ?? []);
  cli.terminal.out(jsonText({ series, runs: kept.map(runObject) }));
  for (const run of kept) {
    if (exitCodeOfRun(run) !== exitCodes.ok) cli.terminal.err(`${run.name}: ${outcomeText(run)}`);
  }
}

/** A run that was deleted leaves its figures in the series. */
function goneRun(error: unknown): null {
  if (error instanceof AppError && error.code === 'not-found') return null;
  throw error;
}

async function exitCodeOfSeries(api: Api, { members, outcome }: RunSeries): Promise<number> {
  if (outcome === 'stopped') return exitCodes.cancelled;
  const codes = await Promise.all(
    members.map(async ({ runIds }) => {
      const last = runIds.at(-1);
      return last === undefined
        ? exitCodes.notValid
        : exitCodeOfRun(await api.call('runs.get', { id: last }));
    }),
  );
  return Math.max(exitCodes.ok, ...codes);
}
