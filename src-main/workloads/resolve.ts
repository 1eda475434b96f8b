import type { Problem } from '../../src-shared/contract/commands.ts';
import { type Plan, planSchema } from '../../src-shared/model/plan.ts';
import { nearest } from '../../src-shared/nearest.ts';
import { problemsOf } from './problems.ts';
import { steps as knownSteps } from './registry.ts';
import { formatTimestamp } from './timestamp.ts';
import type { PhaseSpec, ResolvedStep, Step } from './workload.ts';

/** A plan with every default filled in, or what is wrong with it. */
export interface ResolvedPlan {
  /** null where it has not even the shape of a plan. */
  plan: Plan | null;
  /** Empty where there are problems, `phases` too. */
  steps: ResolvedStep[];
  phases: PhaseSpec[];
  /** Paths as in `steps[0].tsbs.load.scale`. */
  problems: Problem[];
  /** Rows that one pass of the plan loads; null where there are problems. */
  rows: number | null;
  /** What it will do, one line: `Load 1,000,000 rows into benchmark`; empty where there are problems. */
  summary: string;
}

/**
 * Checks a plan as a form or a file holds it and works out what it does. Never throws for a bad plan. A seed of 0 is
 * replaced by a new one each time; the steps returned hold it.
 */
export function resolvePlan(raw: unknown): ResolvedPlan {
  const plain = normalized(raw);
  const parsed = planSchema.safeParse(plain);
  const shapeProblems = parsed.success ? [] : problemsOf(parsed.error.issues, plain, '', planSchema);
  // Of the steps each one's own schema says more.
  const problems = shapeProblems.filter((problem) => !problem.path.startsWith('steps['));
  const before: ResolvedStep[] = [];
  const done: { step: Step; parameters: Record<string, unknown> }[] = [];
  for (const [index, rawStep] of rawSteps(plain).entries()) {
    const result = resolveStep(rawStep, `steps[${index}]`, before, problems.length > 0);
    problems.push(...result.problems);
    if (!result.step) continue;
    before.push({ id: result.step.id, parameters: result.parameters });
    if (result.problems.length === 0) done.push({ step: result.step, parameters: result.parameters });
  }
  if (problems.length === 0) problems.push(...shapeProblems);
  const plan = parsed.success ? parsed.data : null;
  if (plan === null || problems.length > 0)
    return { plan, steps: [], phases: [], problems, rows: null, summary: '' };
  return {
    plan,
    steps: before,
    phases: done.map(({ step, parameters }) => step.phase(parameters)),
    problems,
    rows: done.reduce((sum, { step, parameters }) => sum + step.rows(parameters), 0),
    summary: summarize(
      done.map(({ step, parameters }, index) => step.summary(parameters, before.slice(0, index))),
      plan.repeat,
    ),
  };
}

interface StepResult {
  step: Step | null;
  /** As far as they could be read, so that later steps can inherit from them. */
  parameters: Record<string, unknown>;
  problems: Problem[];
}

/** @param spoilt whether there are problems already: then what was inherited is not held against this step */
function resolveStep(
  raw: unknown,
  path: string,
  before: readonly ResolvedStep[],
  spoilt: boolean,
): StepResult {
  const failed = (problem: Problem): StepResult => ({ step: null, parameters: {}, problems: [problem] });
  const known = knownSteps.map((step) => step.id);
  if (!isRecord(raw) || Object.keys(raw).length !== 1)
    return failed({
      path,
      message: 'A step has exactly one key, its kind',
      hint: `For example ${known[0]}: { … }. Steps are ${known.join(' and ')}.`,
    });
  const id = Object.keys(raw)[0] ?? '';
  const step = knownSteps.find((candidate) => candidate.id === id);
  if (!step) {
    const guess = nearest(id, known);
    return failed({
      path: `${path}.${id}`,
      message: `There is no step ${JSON.stringify(id)}`,
      hint: guess ? `Did you mean ${guess}?` : `Steps are ${known.join(' and ')}.`,
    });
  }
  const own = raw[id];
  if (!isRecord(own))
    return failed({
      path: `${path}.${id}`,
      message: 'The parameters of a step are keys with values',
      hint: `For example ${id}: { workers: 2 }.`,
    });
  const filled = step.inherit(own, before);
  const parsed = step.parameters.safeParse(filled);
  if (!parsed.success) {
    const { issues } = parsed.error;
    const held = spoilt ? issues.filter(({ path: [key] }) => key === undefined || key in own) : issues;
    return {
      step,
      parameters: filled,
      problems: problemsOf(held, filled, `${path}.${id}`, step.parameters),
    };
  }
  const problems = step
    .check(parsed.data, before)
    .map((problem) => ({ ...problem, path: `${path}.${id}.${problem.path}` }));
  return { step, parameters: parsed.data, problems };
}

/** Parts of a longer plan that its summary has. */
const summarized = 3;

function summarize(parts: readonly string[], repeat: number): string {
  const shown = parts.length > summarized + 1 ? parts.slice(0, summarized) : parts;
  const rest = parts.length - shown.length;
  const text = [...shown, ...(rest > 0 ? [`${rest} more steps`] : [])].join(', then ');
  const times = repeat > 1 ? `, ${repeat} times` : '';
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}${times}`;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function rawSteps(plan: unknown): unknown[] {
  return isRecord(plan) && Array.isArray(plan.steps) ? plan.steps : [];
}

/** YAML reads a time as a date and a step without parameters, `tsbs.load:`, as null; a plan is JSON. */
function normalized(plan: unknown): unknown {
  const plain = withoutDates(plan);
  if (!isRecord(plain) || !Array.isArray(plain.steps)) return plain;
  const steps = plain.steps.map((step: unknown) =>
    isRecord(step)
      ? Object.fromEntries(Object.entries(step).map(([id, parameters]) => [id, parameters ?? {}]))
      : step,
  );
  return { ...plain, steps };
}

function withoutDates(value: unknown): unknown {
  if (value instanceof Date) {
    const ms = value.getTime();
    return Number.isNaN(ms) ? String(value) : formatTimestamp(BigInt(ms) * 1_000_000n);
  }
  if (Array.isArray(value)) return value.map(withoutDates);
  if (isRecord(value))
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutDates(inner)]));
  return value;
}
