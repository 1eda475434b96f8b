import type { Plan } from '../../src-shared/model/plan.ts';
import type { RunGate, RunHead } from '../../src-shared/model/run.ts';
import { sideOf } from '../../src-shared/stats/sides.ts';
import { judgeThresholds } from '../../src-shared/thresholds/judge.ts';
import type { ThresholdEntry } from '../../src-shared/thresholds/parse.ts';
import { findDriver } from '../databases/registry.ts';
import type { RunRequest } from '../runs/runner.ts';
import type { Store } from '../store/repositories.ts';
import { resolvePlan } from '../workloads/resolve.ts';
import type { AppContext } from './context.ts';
import type { HostDirectory } from './hostDirectory.ts';
import { storablePlan } from './plans.ts';
import { runHealth } from './runHealth.ts';
import { runsIfThere } from './sideRuns.ts';
import { refuse, refuseSweep } from './sweep.ts';
import type { TargetDirectory } from './targetDirectory.ts';

/** Makes of a plan and a target what the runner takes; the same for a run alone and for those of a rack. */
export interface RunRequests {
  /**
   * @param overrideGate why it may begin whatever the gate says
   * @throws AppError `bad-input` for a plan with problems, `not-found` for the target
   */
  make(plan: Plan, targetId: string, overrideGate?: string | null): Promise<RunRequest>;
  /**
   * Asks the gate of the request's host before there is a run; the answer then counts for its first one.
   * @throws AppError `host-not-ready`, `password-needed` of the host, `cancelled`
   */
  admit(request: RunRequest, signal: AbortSignal): Promise<RunRequest>;
  /** A run has seen its server as well as any test of the connection has: once it has ended, the target knows. */
  follow(head: RunHead, targetId: string): void;
}

export function runRequests(
  context: AppContext,
  directory: TargetDirectory,
  hosts: HostDirectory,
): RunRequests {
  const { store, runner, publish, log, dataFolder } = context;
  return {
    async make(given, targetId, overrideGate = null) {
      const plan = storablePlan(given);
      const target = await directory.get(targetId);
      refuseSweep(plan);
      const { steps, phases, problems } = resolvePlan(plan);
      refuse(problems);
      const health = runHealth(context, directory, hosts, { plan, target, phases, override: overrideGate });
      const driver = findDriver(target.engine);
      const { managed } = driver;
      return {
        plan,
        steps,
        phases,
        targetName: target.name,
        driver,
        resolve: (signal) => directory.dial(target, signal),
        ...(managed && { restart: (signal) => managed.restart({ dataFolder, signal }) }),
        group: null,
        ...(plan.thresholds && { thresholds: heldTo(store, plan.thresholds) }),
        ...(health && { health }),
      };
    },
    async admit(request, signal) {
      const { health } = request;
      // Beside a run that is on nothing is started: that is said at once, not after a wait.
      if (!health?.gate || runner.progress().length > 0) return request;
      const ask = health.gate;
      let first: RunGate | null = await ask(signal, () => undefined);
      return {
        ...request,
        health: {
          ...health,
          async gate(each, doing) {
            const passed = first;
            first = null;
            return passed ?? ask(each, doing);
          },
        },
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

/** The baseline is looked up when the run has ended: it may have been set meanwhile. */
function heldTo(store: Store, thresholds: readonly ThresholdEntry[]): NonNullable<RunRequest['thresholds']> {
  return (run) => {
    const baseline = store.baselines.get(run.plan.name);
    const runs = baseline === null ? null : runsIfThere(store, baseline.side);
    return judgeThresholds(thresholds, run, runs && sideOf('', runs).runs);
  };
}
