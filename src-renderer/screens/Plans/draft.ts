import type { Problem } from '../../../src-shared/contract/commands.ts';
import type { StepInfo, WorkloadInfo } from '../../../src-shared/model/engine.ts';
import { type Plan, stepId, stepParameters } from '../../../src-shared/model/plan.ts';
import { type ThresholdEntry, thresholdEntry, thresholdText } from '../../../src-shared/thresholds/parse.ts';
import type { Json, Values } from '../../form/values.ts';

/** One step as the form holds it. `key` is React's, nobody else's. */
export interface DraftStep {
  key: string;
  id: string;
  values: Values;
}

/** A plan as the form holds it: what is not a plan yet (no name, no steps) fits as well. */
export interface PlanDraft {
  name: string;
  target: string;
  steps: readonly DraftStep[];
  /** Text while it is no number. */
  repeat: Json;
  /** Between the runs of a series; texts as they are typed, empty where nothing is waited for. */
  settle: SettleDraft;
  /** After this no further run of a series begins; empty: no limit. */
  budget: string;
  /** As they are typed, one a line. */
  thresholds: string;
  /** Stop what disturbs on the target's host for the length of the run. */
  quietHost: boolean;
  /** Look at the database server meanwhile. */
  telemetry: boolean;
}

export interface SettleDraft {
  idle: string;
  /** Text while it is no number. */
  below: Json;
  atMost: string;
}
const noSettle: SettleDraft = { idle: '', below: '', atMost: '' };

export function newStep(id: string, values: Values = {}): DraftStep {
  return { key: crypto.randomUUID(), id, values };
}

/**
 * The plan that *New benchmark* opens with: the first workload's step that makes the data and the one that measures,
 * everything at its default.
 */
export function freshDraft(workloads: readonly WorkloadInfo[], target: string): PlanDraft {
  const first = workloads[0];
  return {
    name: first?.label ?? '',
    target,
    steps: first?.steps.slice(0, 2).map((step) => newStep(step.id)) ?? [],
    repeat: 1,
    settle: noSettle,
    budget: '',
    thresholds: '',
    quietHost: false,
    telemetry: true,
  };
}

export function fromPlan(plan: Plan): PlanDraft {
  const { name, target, steps, repeat, settle, budget = '', quietHost = false, telemetry = true } = plan;
  const { thresholds = [] } = plan;
  return {
    name,
    target,
    repeat,
    settle: settle === undefined ? noSettle : { below: '', ...settle },
    budget,
    thresholds: thresholds.map(thresholdText).join('\n'),
    quietHost,
    telemetry,
    steps: steps.map((step) => newStep(stepId(step), stepParameters(step))),
  };
}

/** The plan as the core gets it to judge: maybe not one yet. */
export function toPlan(draft: PlanDraft): {
  version: 1;
  name: string;
  target: string;
  steps: Json[];
  repeat: Json;
  settle?: Record<string, Json>;
  budget?: string;
  thresholds?: ThresholdEntry[];
  quietHost?: true;
  telemetry?: false;
} {
  return {
    version: 1,
    name: draft.name,
    target: draft.target,
    steps: draft.steps.map((step) => ({ [step.id]: { ...step.values } })),
    repeat: draft.repeat,
    ...settleOf(draft.settle),
    ...(draft.budget.trim() !== '' && { budget: draft.budget.trim() }),
    ...thresholdsOf(draft.thresholds),
    ...(draft.quietHost && { quietHost: true }),
    ...(!draft.telemetry && { telemetry: false }),
  };
}

function thresholdsOf(text: string): { thresholds?: ThresholdEntry[] } {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.length === 0 ? {} : { thresholds: lines.map(thresholdEntry) };
}

/** Only what is set; what is left out has the defaults of the plan's schema. */
function settleOf(settle: SettleDraft): { settle?: Record<string, Json> } {
  const set = Object.entries(settle).filter(([, value]) => value !== '');
  return set.length === 0 ? {} : { settle: Object.fromEntries(set) };
}

export function moveStep(steps: readonly DraftStep[], index: number, by: -1 | 1): readonly DraftStep[] {
  const step = steps[index];
  const other = steps[index + by];
  if (step === undefined || other === undefined) return steps;
  return steps.map((old, at) => (at === index ? other : at === index + by ? step : old));
}

/** Where a problem belongs in the form: a step's field, a step as a whole, or a field of the plan. */
export type ProblemPlace = { step: number; field: string | null } | { step: null; field: string | null };

/** Reads a problem's path: `steps[0].tsbs.load.scale`, `steps[1]`, `name`, or nothing. */
export function placeOfProblem(path: string, steps: readonly { id: string }[]): ProblemPlace {
  const match = /^steps\[(\d+)\](?:\.(.*))?$/.exec(path);
  if (match === null) return { step: null, field: /^[A-Za-z]+/.exec(path)?.[0] ?? null };
  const step = Number(match[1]);
  const id = steps[step]?.id;
  const rest = match[2] ?? '';
  if (id === undefined || !rest.startsWith(`${id}.`)) return { step, field: null };
  // `types[1]` is about `types`.
  return { step, field: /^[^.[]+/.exec(rest.slice(id.length + 1))?.[0] ?? null };
}

/** The problems of one step by field; those that no field of its form has are kept apart. */
export function problemsOfStep(
  problems: readonly Problem[],
  steps: readonly { id: string }[],
  index: number,
  info: StepInfo | undefined,
): { byField: Map<string, string>; others: Problem[] } {
  const byField = new Map<string, string>();
  const others: Problem[] = [];
  for (const problem of problems) {
    const place = placeOfProblem(problem.path, steps);
    if (place.step !== index) continue;
    const { field } = place;
    if (field === null || info?.fields.every((known) => known.key !== field) !== false) others.push(problem);
    else if (!byField.has(field)) byField.set(field, withHint(problem));
  }
  return { byField, others };
}

const planFields = ['name', 'target', 'repeat', 'settle', 'budget', 'thresholds'] as const;
type PlanField = (typeof planFields)[number];

/** The problems of the plan itself; `others` are about none of its fields. */
export function problemsOfPlan(
  problems: readonly Problem[],
  steps: readonly { id: string }[],
): Record<PlanField, string | undefined> & { others: Problem[] } {
  const own = problems.filter((problem) => placeOfProblem(problem.path, steps).step === null);
  const at = (field: string) => own.find((problem) => placeOfProblem(problem.path, []).field === field);
  const text = (problem: Problem | undefined) => (problem === undefined ? undefined : withHint(problem));
  return {
    name: text(at('name')),
    target: text(at('target')),
    repeat: text(at('repeat')),
    settle: text(at('settle')),
    budget: text(at('budget')),
    thresholds: text(at('thresholds')),
    others: own.filter(
      (problem) => !planFields.some((field) => field === placeOfProblem(problem.path, []).field),
    ),
  };
}

export function withHint(problem: Pick<Problem, 'message' | 'hint'>): string {
  if (problem.hint === null) return problem.message;
  return `${problem.message.replace(/[.]$/, '')}. ${problem.hint}`;
}
