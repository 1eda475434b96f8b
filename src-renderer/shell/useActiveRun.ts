import { isActive, type Progress, type RunHead } from '../../src-shared/model/run.ts';
import { useCommand } from '../api.tsx';

/** The benchmark that is on, wherever it was started; null while there is none. Changes once a second. */
export function useActiveRun(): { progress: Progress; head: RunHead | null } | null {
  const progress = useCommand('runs.progress', null).data;
  const heads = useCommand('runs.list', { limit: 20 }).data;
  if (progress === undefined || progress === null || !isActive(progress.status)) return null;
  return { progress, head: heads?.find((head) => head.id === progress.runId) ?? null };
}
