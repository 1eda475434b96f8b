import { useDebouncedValue } from '@mantine/hooks';
import { useEffect, useMemo, useState } from 'react';
import type { Problem } from '../../../src-shared/contract/commands.ts';
import { type Plan, planSchema } from '../../../src-shared/model/plan.ts';
import { useCommand } from '../../api.tsx';
import { type Json, withValue } from '../../form/values.ts';
import { type DraftStep, moveStep, newStep, type PlanDraft, placeOfProblem, toPlan } from './draft.ts';
import { drafts } from './drafts.ts';

export interface PlanForm {
  draft: PlanDraft;
  /** The draft as a plan; null while its shape is not one. */
  plan: Plan | null;
  /** What the core says about the draft; null until it has said something. */
  judged: { problems: readonly Problem[]; rows: number | null; summary: string; cells: number } | null;
  /** The problems that may be shown by now: of fields that were left, or all once they were asked for. */
  shown: readonly Problem[];
  changed: boolean;
  set: (patch: Partial<Omit<PlanDraft, 'steps'>>) => void;
  setField: (step: DraftStep, field: string, value: Json | undefined) => void;
  addStep: (id: string) => void;
  removeStep: (index: number) => DraftStep | null;
  insertStep: (index: number, step: DraftStep) => void;
  move: (index: number, by: -1 | 1) => void;
  /** A field of the plan (`step` null) or of a step was left. */
  leave: (step: DraftStep | null, field: string) => void;
  showAll: () => void;
  discard: () => void;
}

/**
 * State of the plan form. The core judges every state of it a moment after the typing stops; unsaved changes outlive
 * the screen under `key`.
 */
export function usePlanForm(key: string, saved: PlanDraft, isNew: boolean): PlanForm {
  const [draft, setDraft] = useState<PlanDraft>(() => drafts.get(key) ?? saved);
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [all, setAll] = useState(!isNew);
  const asPlan = useMemo(() => toPlan(draft), [draft]);
  const savedText = useMemo(() => JSON.stringify(toPlan(saved)), [saved]);
  const changed = JSON.stringify(asPlan) !== savedText;
  const [settled] = useDebouncedValue(asPlan, 250);
  const judged = useCommand('plans.validate', { plan: settled }, { keepPrevious: true }).data ?? null;

  useEffect(() => {
    if (changed) drafts.set(key, draft);
    else drafts.delete(key);
  }, [key, draft, changed]);

  const update = (change: (old: PlanDraft) => PlanDraft) => setDraft(change);
  const updateSteps = (change: (steps: readonly DraftStep[]) => readonly DraftStep[]) =>
    update((old) => ({ ...old, steps: change(old.steps) }));

  const parsed = planSchema.safeParse(asPlan);
  const shown = (judged?.problems ?? []).filter((problem) => {
    const place = placeOfProblem(problem.path, draft.steps);
    const step = place.step === null ? null : (draft.steps[place.step] ?? null);
    return all || left.has(leftKey(step, place.field ?? ''));
  });

  return {
    draft,
    plan: parsed.success ? parsed.data : null,
    judged,
    shown,
    changed,
    set: (patch) => update((old) => ({ ...old, ...patch })),
    setField: (step, field, value) =>
      updateSteps((steps) =>
        steps.map((old) =>
          old.key === step.key ? { ...old, values: withValue(old.values, field, value) } : old,
        ),
      ),
    addStep: (id) => updateSteps((steps) => [...steps, newStep(id)]),
    removeStep: (index) => {
      const step = draft.steps[index] ?? null;
      updateSteps((steps) => steps.filter((_, at) => at !== index));
      return step;
    },
    insertStep: (index, step) => updateSteps((steps) => steps.toSpliced(index, 0, step)),
    move: (index, by) => updateSteps((steps) => moveStep(steps, index, by)),
    leave: (step, field) => setLeft((old) => new Set(old).add(leftKey(step, field))),
    showAll: () => setAll(true),
    discard: () => {
      setDraft(saved);
      setLeft(new Set());
    },
  };
}

function leftKey(step: DraftStep | null, field: string): string {
  return `${step?.key ?? ''} ${field}`;
}
