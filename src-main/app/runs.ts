import { AppError } from '../../src-shared/errors.ts';
import { isActive, type Run, type RunHead, runHeadSchema } from '../../src-shared/model/run.ts';
import { findDriver } from '../databases/registry.ts';
import { runText } from '../reports/runText.ts';
import type { RunHealth } from '../runs/runner.ts';
import { resolvePlan } from '../workloads/resolve.ts';
import type { AppContext, HandlersOf } from './context.ts';
import type { HostDirectory } from './hostDirectory.ts';
import { storablePlan } from './plans.ts';
import type { TargetDirectory } from './targetDirectory.ts';

export function runHandlers(
  { store, runner, publish, log }: AppContext,
  directory: TargetDirectory,
  hosts: HostDirectory,
): HandlersOf<'runs'> {
  function get(id: string): Run {
    const run = store.runs.get(id);
    if (run) return run;
    throw new AppError({
      code: 'not-found',
      message: `There is no run with the id ${JSON.stringify(id)}`,
      hint: 'It may have been deleted.',
    });
  }

  /** A host that was removed since is no reason not to run. */
  function health(hostId: string | null): RunHealth | null {
    const host = hostId === null ? null : store.hosts.get(hostId);
    return host && { hostName: host.name, open: (signal) => hosts.connect(host.id, signal) };
  }

  async function start(input: Parameters<HandlersOf<'runs'>['runs.start']>[0]): Promise<RunHead> {
    const plan = storablePlan(input.plan);
    const target = await directory.get(input.targetId);
    const { steps, phases, problems } = resolvePlan(plan);
    const [problem] = problems;
    if (problem) {
      throw new AppError({
        code: 'bad-input',
        message: problem.message,
        place: { field: problem.path },
        detail: problems.length > 1 ? `${problems.length} problems in the plan` : undefined,
        hint: problem.hint ?? undefined,
      });
    }
    const watched = health(target.hostId);
    const head = runner.start({
      plan,
      steps,
      phases,
      targetName: target.name,
      driver: findDriver(target.engine),
      resolve: (signal) => directory.dial(target, signal),
      group: null,
      ...(watched && { health: watched }),
    });
    // A run has seen its server as well as any test of the connection has.
    runner.ended(head.id).then(
      () => {
        const { server } = get(head.id);
        if (server === null) return;
        directory.seen(target.id, server);
        publish('lists.changed', { what: 'targets' });
      },
      (error: unknown) => log.error('What the run saw of its server', { error }),
    );
    return head;
  }

  return {
    'runs.start': start,
    async 'runs.stop'({ id }) {
      await runner.stop(id);
      if (isActive(get(id).status)) {
        throw new AppError({
          code: 'run-active',
          message: 'This run is executed by another Benchberry process, and only that one can stop it',
          hint: 'Stop it where it was started, or end that process: the run is then listed as interrupted.',
        });
      }
      return null;
    },
    'runs.list': async (filter) => store.runs.list(filter),
    'runs.get': async ({ id }) => get(id),
    async 'runs.series'({ id }) {
      get(id);
      return store.runs.series(id);
    },
    'runs.progress': async () => runner.progress(),
    async 'runs.update'({ id, name, tags, notes }) {
      const patch = {
        ...(name === undefined ? {} : { name }),
        ...(tags === undefined ? {} : { tags: [...new Set(tags)] }),
        ...(notes === undefined ? {} : { notes }),
      };
      return Object.keys(patch).length > 0 ? store.runs.update(id, patch) : runHeadSchema.parse(get(id));
    },
    async 'runs.remove'({ ids }) {
      store.runs.remove(ids);
      return null;
    },
    async 'runs.restore'({ ids }) {
      store.runs.restore(ids);
      return null;
    },
    'runs.text': async ({ id }) => runText(get(id), store.runs.series(id).ticks),
  };
}
