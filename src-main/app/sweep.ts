import type { z } from 'zod';
import type { Problem } from '../../src-shared/contract/commands.ts';
import { AppError } from '../../src-shared/errors.ts';
import type { FormField } from '../../src-shared/model/form.ts';
import { type Plan, planSchema, stepId, stepParameters } from '../../src-shared/model/plan.ts';
import type { SweptParameter } from '../../src-shared/model/runSeries.ts';
import { cellCount, cellName, cellValues } from '../../src-shared/stats/runSeries.ts';
import { formatCount } from '../../src-shared/units.ts';
import { steps } from '../workloads/registry.ts';
import { type ResolvedPlan, resolvePlan } from '../workloads/resolve.ts';
import { formFields } from './forms.ts';

/** More runs than this are a slip of the hand. */
export const mostRuns = 1000;
/** Problems that are worth telling; in a sweep each cell may have its own. */
const mostProblems = 20;

/** A plan as a form or a file holds it, resolved with its lists. */
export interface ResolvedSweep extends Pick<ResolvedPlan, 'problems' | 'rows' | 'summary'> {
  /** Parameters that are lists; empty where it is no sweep. */
  parameters: SweptParameter[];
}

/** Like `resolvePlan`, of each cell where numeric parameters are lists. Never throws for a bad plan. */
export function resolveSweep(raw: unknown): ResolvedSweep {
  const swept = sweptOf(raw);
  const parameters = swept.map(({ parameter }) => parameter);
  if (swept.length === 0) {
    const { problems, rows, summary } = resolvePlan(raw);
    return { problems, rows, summary, parameters };
  }
  const failed = (problems: Problem[]) => ({ problems, rows: null, summary: '', parameters });
  const twice = parameters.flatMap(doubled);
  if (twice.length > 0) return failed(twice);
  const cells = cellCount(parameters);
  const [first] = parameters;
  if (cells > mostRuns && first) return failed([tooMany(first.path, cells)]);
  const resolved = Array.from({ length: cells }, (_, cell) => resolvePlan(withCell(raw, swept, cell)));
  const problems = problemsOfCells(resolved, parameters);
  if (problems.length > 0) return failed(problems);
  const repeat = resolved[0]?.plan && isRecord(raw) && typeof raw.repeat === 'number' ? raw.repeat : 1;
  return {
    problems,
    rows: resolved.reduce((sum, { rows }) => sum + (rows ?? 0), 0),
    summary: `Sweep ${parameters.map(({ label }) => label).join(' × ')}, ${cells} cells${repeat > 1 ? `, ${repeat} times` : ''}`,
    parameters,
  };
}

/**
 * The plan of each cell: without lists and run once. `plan` is the given one with its seeds drawn where it leaves them to
 * chance, so that they are the same in all cells, and again when it is resumed.
 * @throws AppError `bad-input`, the first problem of the plan
 */
export function cellPlans(given: Plan): { plan: Plan; parameters: SweptParameter[]; plans: Plan[] } {
  const { problems } = resolveSweep(given);
  refuse(problems);
  const plan = withSeeds(given);
  const swept = sweptOf(plan);
  const parameters = swept.map(({ parameter }) => parameter);
  const plans = Array.from({ length: cellCount(parameters) }, (_, cell) =>
    planSchema.parse(withCell(plan, swept, cell)),
  );
  return { plan, parameters, plans };
}

/** @throws AppError `bad-input` with the first problem, if there is one */
export function refuse(problems: readonly Problem[]): void {
  const [problem] = problems;
  if (problem === undefined) return;
  throw new AppError({
    code: 'bad-input',
    message: problem.message,
    place: { field: problem.path },
    detail: problems.length > 1 ? `${problems.length} problems in the plan` : undefined,
    hint: problem.hint ?? undefined,
  });
}

/** @throws AppError `bad-input` for a plan with lists: a single run has one value of each parameter */
export function refuseSweep(plan: Plan): void {
  const [swept] = sweptOf(plan);
  if (swept === undefined) return;
  const { label, path } = swept.parameter;
  throw new AppError({
    code: 'bad-input',
    message: `${label} is a list: that is a sweep, and no single run`,
    place: { field: path },
    hint: 'Start it as a series, or give one value.',
  });
}

export function tooMany(path: string, runs: number): Problem {
  return {
    path,
    message: `That comes to ${formatCount(runs)} runs; a series has at most ${formatCount(mostRuns)}`,
    hint: 'Give fewer values, or fewer repeats.',
  };
}

interface Swept {
  parameter: SweptParameter;
  step: number;
  key: string;
}

const fieldsOfSteps = new Map<string, FormField[]>();
function fieldsOf(id: string): readonly FormField[] {
  const step = steps.find((candidate) => candidate.id === id);
  if (step === undefined) return [];
  const fields = fieldsOfSteps.get(id) ?? formFields(step.parameters);
  fieldsOfSteps.set(id, fields);
  return fields;
}

/** Numeric parameters whose value is a list of numbers, in the order of the plan. */
function sweptOf(raw: unknown): Swept[] {
  const found = rawSteps(raw).flatMap((step, index) =>
    Object.entries(step).flatMap(([id, own]) =>
      fieldsOf(id).flatMap((field) => {
        const values = isNumeric(field) && isRecord(own) ? numbersOf(own[field.key]) : null;
        return values === null ? [] : [{ step: index, id, field, values }];
      }),
    ),
  );
  return found.map(({ step, id, field, values }) => {
    const alone = found.filter((other) => other.field.label === field.label).length === 1;
    const label = alone ? field.label : `${field.label} (step ${step + 1})`;
    const path = `steps[${step}].${id}.${field.key}`;
    return { step, key: field.key, parameter: { path, label, unit: field.unit, values } };
  });
}

function isNumeric({ kind }: FormField): boolean {
  return kind === 'integer' || kind === 'number';
}

function numbersOf(value: unknown): number[] | null {
  // A list of one value is a slip: the step's schema says what is wanted.
  if (!Array.isArray(value) || value.length < 2) return null;
  const numbers = value.filter((item) => typeof item === 'number');
  return numbers.length === value.length ? numbers : null;
}

function doubled({ path, values }: SweptParameter): Problem[] {
  const twice = values.find((value, i) => values.indexOf(value) !== i);
  return twice === undefined
    ? []
    : [
        {
          path,
          message: `${twice} is in the list twice`,
          hint: 'To run each value several times, repeat the plan.',
        },
      ];
}

/** A raw plan with one value in place of each list, run once. */
function withCell(raw: unknown, swept: readonly Swept[], cell: number): unknown {
  if (!isRecord(raw)) return raw;
  const values = cellValues(
    swept.map(({ parameter }) => parameter),
    cell,
  );
  const { settle: _settle, budget: _budget, ...rest } = raw;
  const changed = rawSteps(raw).map((step, index) => {
    const own = Object.fromEntries(
      swept.flatMap(({ step: at, key }, i) => (at === index ? [[key, values[i]]] : [])),
    );
    return Object.fromEntries(
      Object.entries(step).map(([id, parameters]) => [
        id,
        isRecord(parameters) ? { ...parameters, ...own } : parameters,
      ]),
    );
  });
  return {
    ...rest,
    steps: changed,
    repeat: typeof raw.repeat === 'number' && raw.repeat >= 1 ? 1 : raw.repeat,
  };
}

/** Each problem once; where only some cells have it and it is of several fields, the first of these cells is named. */
function problemsOfCells(
  resolved: readonly ResolvedPlan[],
  parameters: readonly SweptParameter[],
): Problem[] {
  const seen = new Map<string, { problem: Problem; cell: number; times: number }>();
  resolved.forEach(({ problems }, cell) => {
    for (const problem of problems) {
      const key = `${problem.path}\n${problem.message}`;
      const known = seen.get(key);
      if (known) known.times += 1;
      else seen.set(key, { problem, cell, times: 1 });
    }
  });
  return [...seen.values()].slice(0, mostProblems).map(({ problem, cell, times }) => {
    const own = parameters.some(({ path }) => path === problem.path) && /\d/.test(problem.message);
    if (times === resolved.length || own) return problem;
    return { ...problem, message: `${problem.message} (with ${cellName(parameters, cell)})` };
  });
}

/** Seeds that the plan leaves to chance are drawn once: all runs of a series get the same data and the same choices. */
function withSeeds(plan: Plan): Plan {
  const { steps: resolved } = resolvePlan(withCell(plan, sweptOf(plan), 0));
  return {
    ...plan,
    steps: plan.steps.map((step, index) => {
      const id = stepId(step);
      const own = stepParameters(step);
      const drawn = fieldsOf(id)
        .filter(({ key, default: byDefault }) => /seed$/i.test(key) && (own[key] ?? byDefault ?? 0) === 0)
        .flatMap(({ key }): [string, z.core.util.JSONType][] => {
          const value = resolved[index]?.parameters[key];
          return typeof value === 'number' ? [[key, value]] : [];
        });
      return { [id]: { ...own, ...Object.fromEntries(drawn) } };
    }),
  };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Its steps as maps; what is none is an empty one, and the resolver tells. */
function rawSteps(raw: unknown): Record<string, unknown>[] {
  const list: unknown = isRecord(raw) ? raw.steps : null;
  return Array.isArray(list) ? list.map((step: unknown) => (isRecord(step) ? step : {})) : [];
}
