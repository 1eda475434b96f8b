import { describe, expect, it } from 'vitest';
import type { FormField } from '../../../src-shared/model/form.ts';
import { type Plan, planSchema } from '../../../src-shared/model/plan.ts';
import {
  freshDraft,
  fromPlan,
  moveStep,
  newStep,
  placeOfProblem,
  problemsOfPlan,
  problemsOfStep,
  toPlan,
} from './draft.ts';
import { offsetOf } from './offsetOf.ts';

const scale: FormField = {
  key: 'scale',
  label: 'Scale',
  help: '',
  group: 'Data',
  advanced: false,
  unit: null,
  kind: 'integer',
  options: [],
  min: 1,
  max: null,
  required: false,
  default: 100,
};
const load = { id: 'tsbs.load', label: 'Load', description: '', fields: [scale, { ...scale, key: 'types' }] };
const queries = { id: 'tsbs.queries', label: 'Queries', description: '', fields: [] };
const workload = { id: 'tsbs', label: 'TSBS', description: '', steps: [load, queries] };
const plan: Plan = {
  version: 1,
  name: 'Mine',
  target: 'rpi-3',
  steps: [{ 'tsbs.load': { scale: 40, types: ['a'] } }, { 'tsbs.queries': {} }],
  repeat: 2,
};
const problem = (path: string, message = 'wrong', hint: string | null = null) => ({ path, message, hint });

describe('the draft of a plan', () => {
  it('is the same plan again, unset parameters left out', () => {
    expect(toPlan(fromPlan(plan))).toEqual(plan);
    expect(toPlan(fromPlan({ ...plan, quietHost: true }))).toEqual({ ...plan, quietHost: true });
    expect(toPlan(fromPlan({ ...plan, telemetry: false }))).toEqual({ ...plan, telemetry: false });
    const thresholds = ['p99 < 50ms', { noWorseThan: 'baseline 5%' }];
    expect(fromPlan({ ...plan, thresholds }).thresholds).toBe('p99 < 50ms\nnoWorseThan: baseline 5%');
    expect(toPlan(fromPlan({ ...plan, thresholds }))).toEqual({ ...plan, thresholds });
  });
  it('opens with the first two steps of the workload at their defaults', () => {
    const fresh = toPlan(freshDraft([workload], 'sandbox'));
    expect(fresh).toEqual({
      version: 1,
      name: 'TSBS',
      target: 'sandbox',
      steps: [{ 'tsbs.load': {} }, { 'tsbs.queries': {} }],
      repeat: 1,
    });
    expect(planSchema.safeParse(fresh).success).toBe(true);
  });
  it('swaps neighbouring steps and stays within the list', () => {
    const [a, b, c] = [newStep('a'), newStep('b'), newStep('c')];
    expect(moveStep([a, b, c], 0, 1)).toEqual([b, a, c]);
    expect(moveStep([a, b, c], 2, -1)).toEqual([a, c, b]);
    expect(moveStep([a, b, c], 0, -1)).toEqual([a, b, c]);
    expect(moveStep([a, b, c], 2, 1)).toEqual([a, b, c]);
  });
});

describe('places of problems', () => {
  const steps = [{ id: 'tsbs.load' }, { id: 'tsbs.queries' }];
  it('finds the field within the step, whose id has a dot of its own', () => {
    expect(placeOfProblem('steps[0].tsbs.load.scale', steps)).toEqual({ step: 0, field: 'scale' });
    expect(placeOfProblem('steps[1].tsbs.queries.types[2]', steps)).toEqual({ step: 1, field: 'types' });
  });
  it('knows a whole step, a field of the plan, and nothing at all', () => {
    expect(placeOfProblem('steps[1]', steps)).toEqual({ step: 1, field: null });
    expect(placeOfProblem('steps[1].tsbs.lod.scale', steps)).toEqual({ step: 1, field: null });
    expect(placeOfProblem('name', steps)).toEqual({ step: null, field: 'name' });
    expect(placeOfProblem('', steps)).toEqual({ step: null, field: null });
  });
  it('sorts them to the form of their step', () => {
    const all = [
      problem('steps[0].tsbs.load.scale', 'Too small', 'Take at least 1'),
      problem('steps[0].tsbs.load.scale', 'Second'),
      problem('steps[0].tsbs.load.unknown', 'Nobody knows this'),
      problem('steps[0]', 'As a whole'),
      problem('steps[1].tsbs.queries.types', 'Elsewhere'),
    ];
    const { byField, others } = problemsOfStep(all, steps, 0, load);
    expect([...byField]).toEqual([['scale', 'Too small. Take at least 1']]);
    expect(others.map((other) => other.message)).toEqual(['Nobody knows this', 'As a whole']);
    expect(problemsOfStep(all, steps, 1, undefined).others).toHaveLength(1);
  });
  it('sorts the rest to the fields of the plan', () => {
    const own = problemsOfPlan(
      [problem('name', 'A plan needs a name'), problem('steps', 'No steps'), problem('steps[0]', 'x')],
      steps,
    );
    expect(own.name).toBe('A plan needs a name');
    expect(own.target).toBeUndefined();
    expect(own.others.map((other) => other.message)).toEqual(['No steps']);
  });
});

describe('offsetOf', () => {
  const text = 'version: 1\nname: x\n';
  it('finds line and column', () => {
    expect(text.slice(offsetOf(text, 2, 7))).toBe('x\n');
    expect(offsetOf(text, 1, 1)).toBe(0);
  });
  it('stays within the line and the text', () => {
    expect(offsetOf(text, 1, 99)).toBe('version: 1'.length);
    expect(offsetOf(text, 99, 1)).toBe(text.length);
  });
});
