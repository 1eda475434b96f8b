import type { Target } from '../../../src-shared/model/target.ts';
import { useApi } from '../../api.tsx';
import { toastError, toastUndo } from '../../components/toasts.tsx';

/** Removes a target from the list, with a way back. The database itself is not touched. */
export function useRemoveTarget(): (target: Pick<Target, 'id' | 'name'>) => void {
  const api = useApi();
  return ({ id, name }) => {
    api
      .call('targets.remove', { id })
      .then(
        () => toastUndo(`${name} is removed from the list`, () => api.call('targets.restore', { id })),
        toastError,
      );
  };
}
