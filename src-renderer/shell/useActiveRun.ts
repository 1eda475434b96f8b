import { isActive, type Progress, type RunHead } from '../../src-shared/model/run.ts';
import { useCommand } from '../api.tsx';

export interface ActiveRun {
  progress: Progress;
  head: RunHead | null;
}

/** The benchmarks that are on, wherever they were started; several only where they were started together. Changes once a second. */
export function useActiveRuns(): ActiveRun[] {
  const progress = useCommand('runs.progress', null).data ?? [];
  const heads = useCommand('runs.list', { limit: 20 }).data;
  return progress
    .filter(({ status }) => isActive(status))
    .map((each) => ({ progress: each, head: heads?.find(({ id }) => id === each.runId) ?? null }));
}

/** The first of them; null while there is none. */
export function useActiveRun(): ActiveRun | null {
  return useActiveRuns()[0] ?? null;
}
