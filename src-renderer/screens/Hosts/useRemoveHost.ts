import type { Host } from '../../../src-shared/model/host.ts';
import { useApi } from '../../api.tsx';
import { toastError, toastUndo } from '../../components/toasts.tsx';

/** Removes a host from the list, with a way back. The host itself is not touched. */
export function useRemoveHost(): (host: Pick<Host, 'id' | 'name'>) => void {
  const api = useApi();
  return ({ id, name }) => {
    api
      .call('hosts.remove', { id })
      .then(
        () => toastUndo(`${name} is removed from the list`, () => api.call('hosts.restore', { id })),
        toastError,
      );
  };
}
