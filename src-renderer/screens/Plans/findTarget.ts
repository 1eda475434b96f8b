import type { Target } from '../../../src-shared/model/target.ts';

/** The saved target that a plan means: by name, as in its file. */
export function findTarget(targets: readonly Target[], name: string): Target | undefined {
  return targets.find((target) => target.name === name) ?? targets.find((target) => target.id === name);
}
