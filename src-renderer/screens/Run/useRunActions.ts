import { useState } from 'react';
import { useLocation } from 'wouter';
import type { Run, RunHead } from '../../../src-shared/model/run.ts';
import { useApi } from '../../api.tsx';
import { toastError, toastUndo } from '../../components/toasts.tsx';
import { paths } from '../../routes.ts';

/** Starts the same plan on the same target once more and goes there. */
export function useRunAgain(): { runAgain: (run: Run) => void; pending: boolean } {
  const api = useApi();
  const [, navigate] = useLocation();
  const [pending, setPending] = useState(false);
  async function start(run: Run): Promise<void> {
    setPending(true);
    try {
      const target = await api.call('targets.resolve', { nameOrUrl: run.targetName });
      const head = await api.call('runs.start', { plan: run.plan, targetId: target.id });
      navigate(paths.run(head.id));
    } finally {
      setPending(false);
    }
  }
  return { runAgain: (run) => void start(run).catch(toastError), pending };
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
