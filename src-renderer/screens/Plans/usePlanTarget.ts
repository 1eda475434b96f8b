import type { AppError } from '../../../src-shared/errors.ts';
import type { Target } from '../../../src-shared/model/target.ts';
import { useCommand } from '../../api.tsx';

/**
 * The target that a plan means: a saved or built-in one by its name, or one that a connection URL stands for. Undefined
 * until it is known, and where there is none; `error` then says why.
 */
export function usePlanTarget(nameOrUrl: string): { target: Target | undefined; error: AppError | null } {
  const targets = useCommand('targets.list', null).data;
  const named = targets?.find((target) => target.name === nameOrUrl);
  const resolved = useCommand(
    'targets.resolve',
    { nameOrUrl },
    { enabled: targets !== undefined && named === undefined && nameOrUrl !== '' },
  );
  if (named !== undefined) return { target: named, error: null };
  return { target: resolved.data, error: resolved.error };
}
