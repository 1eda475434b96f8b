import type { SavedPlan } from '../../../src-shared/model/plan.ts';
import { useApi } from '../../api.tsx';
import { toastError, toastUndo } from '../../components/toasts.tsx';
import { drafts } from './drafts.ts';

/** Deletes a plan, with a way back. Runs made from it keep their own copy. */
export function useDeletePlan(): (saved: SavedPlan) => void {
  const api = useApi();
  return ({ id, plan }) => {
    api.call('plans.remove', { id }).then(() => {
      drafts.delete(id);
      toastUndo(`${plan.name} is deleted`, () => api.call('plans.restore', { id }));
    }, toastError);
  };
}
