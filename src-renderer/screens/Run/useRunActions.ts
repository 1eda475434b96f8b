import type { ReactNode } from 'react';
import type { Run, RunHead } from '../../../src-shared/model/run.ts';
import { useApi } from '../../api.tsx';
import { useStartRun } from '../../components/StartRun.tsx';
import { toastError, toastUndo } from '../../components/toasts.tsx';

/** Starts the same plan on the same target once more and goes there; `dialog` asks for a password where none is kept. */
export function useRunAgain(): { runAgain: (run: Run) => void; pending: boolean; dialog: ReactNode } {
  const api = useApi();
  const { start, pending, dialog } = useStartRun(toastError);
  return {
    runAgain: (run) =>
      void api
        .call('targets.resolve', { nameOrUrl: run.targetName })
        .then((target) => start(run.plan, target))
        .catch(toastError),
    pending,
    dialog,
  };
}

/** Takes runs off the list, with a way back. */
export function useRemoveRuns(): (heads: readonly Pick<RunHead, 'id' | 'name'>[]) => void {
  const api = useApi();
  return (heads) => {
    const ids = heads.map(({ id }) => id);
    const [first] = heads;
    if (!first) return;
    const what = heads.length === 1 ? first.name : `${heads.length} runs`;
    api
      .call('runs.remove', { ids })
      .then(() => toastUndo(`${what} deleted`, () => api.call('runs.restore', { ids })), toastError);
  };
}
