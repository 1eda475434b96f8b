import { AppError } from '../../src-shared/errors.ts';
import type { Plan } from '../../src-shared/model/plan.ts';
import type { RunHead } from '../../src-shared/model/run.ts';
import { findDriver } from '../databases/registry.ts';
import type { RunHealth, RunRequest } from '../runs/runner.ts';
import { resolvePlan } from '../workloads/resolve.ts';
import type { AppContext } from './context.ts';
import type { HostDirectory } from './hostDirectory.ts';
import { storablePlan } from './plans.ts';
import type { TargetDirectory } from './targetDirectory.ts';

/** Makes of a plan and a target what the runner takes; the same for a run alone and for those of a rack. */
export interface RunRequests {
  /** @throws AppError `bad-input` for a plan with problems, `not-found` for the target */
  make(plan: Plan, targetId: string): Promise<RunRequest>;
  /** A run has seen its server as well as any test of the connection has: once it has ended, the target knows. */
  follow(head: RunHead, targetId: string): void;
}

export function runRequests(
  { store, runner, publish, log }: AppContext,
  directory: TargetDirectory,
  hosts: HostDirectory,
): RunRequests {
  /** A host that was removed since is no reason not to run. */
  function health(hostId: string | null): RunHealth | null {
    const host = hostId === null ? null : store.hosts.get(hostId);
    return host && { hostName: host.name, open: (signal) => hosts.connect(host.id, signal) };
  }

  return {
    async make(given, targetId) {
      const plan = storablePlan(given);
      const target = await directory.get(targetId);
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
      return {
        plan,
        steps,
        phases,
        targetName: target.name,
        driver: findDriver(target.engine),
        resolve: (signal) => directory.dial(target, signal),
        group: null,
        ...(watched && { health: watched }),
      };
    },
    follow(head, targetId) {
      runner.ended(head.id).then(
        () => {
          const server = store.runs.get(head.id)?.server ?? null;
          if (server === null) return;
          directory.seen(targetId, server);
          publish('lists.changed', { what: 'targets' });
        },
        (error: unknown) => log.error('What the run saw of its server', { error }),
      );
    },
  };
}
