import { randomUUID } from 'node:crypto';
import { AppError } from '../../src-shared/errors.ts';
import type { Plan } from '../../src-shared/model/plan.ts';
import type { RunSeries, SeriesMember } from '../../src-shared/model/runSeries.ts';
import type { Target } from '../../src-shared/model/target.ts';
import { isThrough, memberName } from '../../src-shared/stats/runSeries.ts';
import { resolvePlan } from '../workloads/resolve.ts';
import type { AppContext, HandlersOf } from './context.ts';
import type { HostDirectory } from './hostDirectory.ts';
import { storablePlan } from './plans.ts';
import { runRequests } from './runRequests.ts';
import { previewSeries } from './seriesPreview.ts';
import { seriesRunner } from './seriesRunner.ts';
import { cellPlans, mostRuns, refuse, tooMany } from './sweep.ts';
import type { TargetDirectory } from './targetDirectory.ts';

/** Names of runs are kept to this. */
const longestName = 200;

export function seriesHandlers(
  context: AppContext,
  directory: TargetDirectory,
  hosts: HostDirectory,
): HandlersOf<'series'> {
  const { store, now } = context;
  const requests = runRequests(context, directory, hosts);
  const execution = seriesRunner(context, requests);

  function get(id: string): RunSeries {
    const series = store.series.get(id);
    if (series) return series;
    throw new AppError({
      code: 'not-found',
      message: `There is no series with the id ${JSON.stringify(id)}`,
      hint: 'It may have been deleted.',
    });
  }

  /** Runs the given members, which are places in the series. */
  async function execute(
    series: RunSeries,
    targets: readonly Target[],
    places: readonly number[],
    overrideGate: string | null,
    signal: AbortSignal,
  ): Promise<RunSeries> {
    const { plans } = cellPlans(series.plan);
    const turns = [];
    for (const place of places) {
      const member = series.members[place];
      const plan = plans[member?.cell ?? -1];
      const target = targets[member?.target ?? -1];
      if (member === undefined || plan === undefined || target === undefined) continue;
      const words = memberName({ ...series, targets: [] }, member);
      const request = await requests.make(plan, target.id, overrideGate);
      const name = `${plan.name}${words === '' ? '' : ` (${words})`}`.slice(0, longestName);
      turns.push({ place, targetId: target.id, request: { ...request, name } });
    }
    const [first, ...others] = turns;
    if (first === undefined) throw nothingToDo();
    const admitted = { ...first, request: await requests.admit(first.request, signal) };
    execution.start(series, [admitted, ...others]);
    return get(series.id);
  }

  return {
    async 'series.preview'({ plan, targetIds }) {
      return previewSeries(plan, await targetsOf(directory, targetIds), store.runs);
    },
    async 'series.start'({ plan: given, targetIds, overrideGate }, signal) {
      const targets = await targetsOf(directory, targetIds);
      const { plan, parameters, plans } = cellPlans(storablePlan(given));
      const members = membersOf(plan, plans, targets.length);
      if (members.length > mostRuns) refuse([tooMany(parameters[0]?.path ?? 'repeat', members.length)]);
      const series: RunSeries = {
        id: randomUUID(),
        plan,
        targets: targets.map(({ name }) => name),
        parameters,
        members,
        startedAt: now().toISOString(),
        resumedAt: null,
        endedAt: null,
        outcome: null,
      };
      return execute(series, targets, [...members.keys()], overrideGate, signal);
    },
    async 'series.resume'({ id, failed, overrideGate }, signal) {
      const series = get(id);
      if (series.endedAt === null) {
        throw new AppError({
          code: 'run-active',
          message: 'This series is on',
          hint: 'Wait until it has ended.',
        });
      }
      const targets = await Promise.all(series.targets.map((name) => directory.resolve(name)));
      const open = [...series.members.keys()].filter((place) => {
        const member = series.members[place];
        return member !== undefined && !isThrough(member, failed);
      });
      const resumed = { ...series, resumedAt: now().toISOString(), endedAt: null, outcome: null };
      return execute(resumed, targets, open, overrideGate, signal);
    },
    async 'series.stop'({ id }) {
      await execution.stop(id);
      const series = get(id);
      // On in another process: it looks for this once a second.
      if (series.endedAt === null) store.series.askStop(id);
      return series;
    },
    async 'series.skipWait'({ id }) {
      execution.skipWait(id);
      return null;
    },
    'series.list': async () => store.series.list(),
    'series.get': async ({ id }) => get(id),
    'series.progress': async () => execution.progress(),
  };
}

/** Round by round, in each of them cell by cell, each cell on all targets. */
function membersOf(plan: Plan, plans: readonly Plan[], targets: number): SeriesMember[] {
  const rows = plans.map((each) => resolvePlan(each).rows ?? 0);
  const places = (n: number) => Array.from({ length: n }, (_, i) => i);
  return places(plan.repeat).flatMap((round) =>
    places(plans.length).flatMap((cell) =>
      places(targets).map((target) => ({
        cell,
        target,
        round: round + 1,
        plannedRows: rows[cell] ?? 0,
        runIds: [],
        error: null,
        figures: null,
        leftOut: null,
        settled: null,
      })),
    ),
  );
}

/** @throws AppError `not-found`, `bad-input` where one is named twice */
async function targetsOf(directory: TargetDirectory, ids: readonly string[]): Promise<Target[]> {
  const targets = await Promise.all(ids.map((id) => directory.get(id)));
  const twice = targets.find(({ id }, i) => ids.indexOf(id) !== i);
  if (twice === undefined) return targets;
  throw new AppError({
    code: 'bad-input',
    message: `${twice.name} is chosen twice`,
    hint: 'To run a plan several times on one target, repeat it.',
  });
}

function nothingToDo(): AppError {
  return new AppError({
    code: 'bad-input',
    message: 'Every run of this series has had its end',
    hint: 'Start it anew, or resume it with the failed ones where there are any.',
  });
}
