import type { Host } from '../../../src-shared/model/host.ts';
import type {
  Provisioning,
  ProvisionPlan,
  ProvisionStep,
  RecipeInfo,
} from '../../../src-shared/model/provision.ts';
import { formatCounted } from '../../../src-shared/units.ts';

/** The wizard's steps, in their order. */
export const stages = ['connect', 'inventory', 'recipe', 'review', 'apply', 'done'] as const;
export type Stage = (typeof stages)[number];

export const stageLabels: Record<Stage, string> = {
  connect: 'Connect',
  inventory: 'Inventory',
  recipe: 'Recipe',
  review: 'Review',
  apply: 'Apply',
  done: 'Done',
};

/** Which steps can be opened: each needs what the one before it brought. */
export function unlocked(host: Pick<Host, 'inventory'>, provisioning: Provisioning | null): Set<Stage> {
  const open = new Set<Stage>(['connect']);
  if (host.inventory === null) return open;
  open.add('inventory').add('recipe');
  if (provisioning === null) return open;
  open.add('review');
  if (provisioning.status !== 'planned') open.add('apply');
  if (isOver(provisioning.status)) open.add('done');
  return open;
}

/** The step at which a wizard opens. */
export function firstStage(host: Pick<Host, 'inventory'>, provisioning: Provisioning | null): Stage {
  if (provisioning === null) return host.inventory === null ? 'connect' : 'recipe';
  if (provisioning.status === 'planned') return 'review';
  return isOver(provisioning.status) ? 'done' : 'apply';
}

export const isOver = (status: Provisioning['status']): boolean => status === 'done' || status === 'undone';
export const isAtWork = (status: Provisioning['status']): boolean =>
  status === 'applying' || status === 'undoing';

export function labelOf(recipes: readonly RecipeInfo[], id: string): string {
  return recipes.find((recipe) => recipe.id === id)?.label ?? id;
}

/** Steps that will change something, or have. */
export function changing(steps: readonly ProvisionStep[]): ProvisionStep[] {
  return steps.filter(({ state }) => state !== 'already-so');
}

export function changeWords(steps: readonly ProvisionStep[]): string {
  const changes = changing(steps).length;
  if (changes === 0) return 'Nothing to change';
  return formatCounted(changes, 'change');
}

/** What a plan means for the host, in short sentences. */
export function consequences(
  steps: readonly ProvisionStep[],
  host: Pick<Host, 'inventory' | 'auth'>,
): string[] {
  const changes = changing(steps);
  const already = steps.length - changes.length;
  const parts: string[] = [];
  if (already > 0) parts.push(`${formatCounted(already, 'step is', 'steps are')} so already`);
  if (changes.length === 0) return parts;
  const forGood = changes.filter((step) => !step.reversible).length;
  parts.push(
    forGood === 0 ? 'Everything can be undone' : `${formatCounted(forGood, 'change')} cannot be undone`,
  );
  parts.push(
    changes.some((step) => step.needsReboot) ? 'The host restarts once' : 'The host is not restarted',
  );
  if (changes.some((step) => step.needsRoot)) parts.push(rootWords(host));
  return parts;
}

function rootWords({ inventory, auth }: Pick<Host, 'inventory' | 'auth'>): string {
  if (inventory?.sudo.value !== 'password') return 'Works as root, no password is asked';
  return auth.method === 'password'
    ? 'sudo asks for a password: the one of the sign-in is given'
    : 'sudo asks for a password: you are asked for it';
}

/** A field of a plan (`recipes[0].password`) in the words of its form: `Database from packages: Password`. */
export function fieldWords(path: string, plan: ProvisionPlan, recipes: readonly RecipeInfo[]): string {
  const [, index, key] = /^recipes\[(\d+)\]\.(.+)$/.exec(path) ?? [];
  const recipe = recipes.find(({ id }) => id === plan.recipes[Number(index)]?.id);
  const field = recipe?.fields.find((each) => each.key === key);
  return recipe === undefined || field === undefined ? path : `${recipe.label}: ${field.label}`;
}

/** Steps that are through, and how many there are to go through. */
export function progress(steps: readonly ProvisionStep[], undoing: boolean): { done: number; all: number } {
  const through: readonly ProvisionStep['state'][] = undoing
    ? ['undone', 'not-undoable', 'already-so']
    : ['done', 'already-so'];
  return { done: steps.filter(({ state }) => through.includes(state)).length, all: steps.length };
}

/** A provisioning's state as a sentence to be heard. */
export function describeProvisioning(status: Provisioning['status'], hostName: string): string {
  const words: Record<Provisioning['status'], string> = {
    planned: 'every step was looked at, nothing is changed',
    applying: 'setting up',
    done: 'set up',
    failed: 'setting up failed',
    cancelled: 'setting up was stopped',
    undoing: 'undoing',
    undone: 'undone',
  };
  return `${hostName}: ${words[status]}`;
}
