import type { Plan, SavedPlan } from '../../src-shared/model/plan.ts';
import type { Run } from '../../src-shared/model/run.ts';
import { useCommand } from '../api.tsx';

/** A published benchmark: the plan that does the same, and what was published of it. */
export interface Preset {
  plan: SavedPlan;
  references: readonly Run[];
}

/** The presets, the newest article first; undefined until they are known. */
export function useGallery(): readonly Preset[] | undefined {
  const plans = useCommand('plans.list', null).data;
  const references = useCommand('exchange.references', null).data;
  if (plans === undefined || references === undefined) return undefined;
  const found = plans.flatMap((plan) => {
    const own = references.filter(({ presetId }) => presetId === plan.id).map(({ run }) => run);
    return own.length > 0 ? [{ plan, references: own }] : [];
  });
  const date = ({ references: [first] }: Preset) => first?.startedAt ?? '';
  return found.sort((a, b) => date(b).localeCompare(date(a)));
}

/** Whether two plans measure the same, wherever and how often. */
export function sameSteps(one: Plan, other: Plan): boolean {
  return JSON.stringify(one.steps) === JSON.stringify(other.steps);
}
