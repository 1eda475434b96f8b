import type { RackRun } from '../../src-shared/model/rack.ts';
import type { Progress } from '../../src-shared/model/run.ts';
import { useAction, useCommand } from '../api.tsx';
import { toastError } from '../components/toasts.tsx';
import { paths } from '../routes.ts';
import { useActiveRuns } from './useActiveRun.ts';

/** What is measured now, as one thing: a run, or the runs of a rack together. */
export interface ActiveBenchmark {
  name: string;
  href: string;
  doing: string;
  elapsedMs: number;
  /** 0 to 1; null where it cannot be known. */
  fraction: number | null;
  stop: () => void;
  stopping: boolean;
}

export function useActiveBenchmark(): ActiveBenchmark | null {
  const active = useActiveRuns();
  const racks = useCommand('racks.list', {}).data ?? [];
  const stopRun = useAction('runs.stop');
  const stopRack = useAction('racks.stop');
  const [first] = active;
  if (first === undefined) return null;
  const rack = racks.find(({ id, endedAt }) => endedAt === null && id === first.head?.group);
  if (rack !== undefined) {
    return {
      name: `${rack.plan.name} on ${rack.rack}`,
      href: paths.rackRun(rack.id),
      doing: active.length === 1 ? first.progress.doing : `${active.length} runs at once`,
      elapsedMs: Math.max(0, Date.now() - Date.parse(rack.startedAt)),
      fraction: rackFraction(
        rack,
        active.map(({ progress }) => progress),
      ),
      stop: () => stopRack.mutate({ id: rack.id }, { onError: toastError }),
      stopping: stopRack.isPending,
    };
  }
  const { progress, head } = first;
  return {
    name: head === null ? 'Benchmark' : `${head.name} on ${head.targetName}`,
    href: paths.run(progress.runId),
    doing: progress.doing,
    elapsedMs: progress.elapsedMs,
    fraction: progress.fraction,
    stop: () => stopRun.mutate({ id: progress.runId }, { onError: toastError }),
    stopping: stopRun.isPending,
  };
}

/** How far a rack is: each run of each host counts the same. */
export function rackFraction(
  { members, plan }: Pick<RackRun, 'members' | 'plan'>,
  active: readonly Pick<Progress, 'runId' | 'fraction'>[],
): number {
  const done = members.map(({ runIds }) => {
    const on = active.find(({ runId }) => runIds.includes(runId));
    return runIds.length - (on === undefined ? 0 : 1 - (on.fraction ?? 0));
  });
  return Math.min(1, done.reduce((sum, each) => sum + each, 0) / (members.length * plan.repeat));
}
