import type { RackRun } from '../../src-shared/model/rack.ts';
import type { Progress } from '../../src-shared/model/run.ts';
import type { RunSeries, SeriesProgress } from '../../src-shared/model/runSeries.ts';
import { useAction, useCommand } from '../api.tsx';
import { toastError } from '../components/toasts.tsx';
import { paths } from '../routes.ts';
import { useActiveRuns } from './useActiveRun.ts';

/** What is measured now, as one thing: a run, the runs of a rack together, or a series with the waits in it. */
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
  const progress = useCommand('series.progress', null).data ?? null;
  const series = useCommand('series.get', { id: progress?.id ?? '' }, { enabled: progress !== null }).data;
  const stopSeries = useAction('series.stop');
  const [first] = active;
  if (progress !== null && series !== undefined && series.endedAt === null) {
    return {
      ...seriesState(series, progress, first?.progress ?? null),
      stop: () => stopSeries.mutate({ id: series.id }, { onError: toastError }),
      stopping: stopSeries.isPending,
    };
  }
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
  const { progress: own, head } = first;
  return {
    name: head === null ? 'Benchmark' : `${head.name} on ${head.targetName}`,
    href: paths.run(own.runId),
    doing: own.doing,
    elapsedMs: own.elapsedMs,
    fraction: own.fraction,
    stop: () => stopRun.mutate({ id: own.runId }, { onError: toastError }),
    stopping: stopRun.isPending,
  };
}

function seriesState(
  { id, plan, targets, members, startedAt, resumedAt }: RunSeries,
  { member, settling }: SeriesProgress,
  run: Pick<Progress, 'fraction' | 'doing'> | null,
): Pick<ActiveBenchmark, 'name' | 'href' | 'doing' | 'elapsedMs' | 'fraction'> {
  const turn = `run ${member + 1} of ${members.length}`;
  return {
    name: `${plan.name} on ${targets.join(', ')}`,
    href: paths.series(id),
    doing:
      settling === null ? `${turn}: ${run?.doing ?? 'beginning'}` : `waits for ${turn}: ${settling.text}`,
    elapsedMs: Math.max(0, Date.now() - Date.parse(resumedAt ?? startedAt)),
    // Each run counts the same.
    fraction: (member + (settling === null ? (run?.fraction ?? 0) : 0)) / members.length,
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
