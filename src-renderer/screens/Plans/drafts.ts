import type { PlanDraft } from './draft.ts';

/** Changes that are not saved yet, by plan (`new` for a new one): leaving the screen does not lose them. */
export const drafts = new Map<string, PlanDraft>();
