import { describe, expect, it } from 'vitest';
import { planSchema } from '../../src-shared/model/plan.ts';
import { cellPlans, resolveSweep } from './sweep.ts';

const plan = (load: Record<string, unknown>, part: Record<string, unknown> = {}) => ({
  version: 1,
  name: 'P',
  target: 'null',
  steps: [{ 'tsbs.load': { scale: 10, timestampEnd: '2016-01-01T01:00:00Z', ...load } }],
  repeat: 1,
  ...part,
});
const problems = (load: Record<string, unknown>) =>
  resolveSweep(plan(load)).problems.map(({ path, message }) => `${path}: ${message}`);

describe('a plan with lists', () => {
  it('is a sweep over their product, and says what it comes to', () => {
    const sweep = resolveSweep(plan({ scale: [10, 20], workers: [4, 8, 12] }, { repeat: 2 }));
    expect(sweep.problems).toEqual([]);
    expect(sweep.parameters.map(({ path, values }) => [path, values])).toEqual([
      ['steps[0].tsbs.load.scale', [10, 20]],
      ['steps[0].tsbs.load.workers', [4, 8, 12]],
    ]);
    // an hour of 10 and of 20 hosts, a row each 10 s, with each of three numbers of workers
    expect(sweep.rows).toBe((10 + 20) * 360 * 3);
    expect(sweep.summary).toMatch(/^Sweep .+ × .+, 6 cells, 2 times$/);
  });

  it('without any is what it was', () => {
    expect(resolveSweep(plan({})).parameters).toEqual([]);
    expect(resolveSweep(plan({})).summary).toMatch(/^Load 3,600 rows/);
  });

  it('gives the plan of each cell, run once, with the same seed in all of them', () => {
    const given = {
      ...plan({ workers: [1, 2], seed: 0 }, { repeat: 3, budget: '1h', settle: { idle: '1s' } }),
    };
    const { plan: drawn, plans } = cellPlans(planSchema.parse(given));
    const seeds = plans.map(({ steps }) => steps[0]?.['tsbs.load']?.seed);
    expect(plans.map(({ steps }) => steps[0]?.['tsbs.load']?.workers)).toEqual([1, 2]);
    expect(seeds[0]).toBeGreaterThan(0);
    expect(seeds[1]).toBe(seeds[0]);
    expect(drawn.steps[0]?.['tsbs.load']?.seed).toBe(seeds[0]);
    expect(plans.map((each) => [each.repeat, 'settle' in each, 'budget' in each])).toEqual([
      [1, false, false],
      [1, false, false],
    ]);
    // What was drawn once stays: a series that is resumed has the same cells.
    expect(cellPlans(drawn).plans).toEqual(plans);
  });

  it('names the value that is out of range, once', () => {
    expect(problems({ workers: [0, 4], scale: [10, 20] })).toEqual([
      expect.stringMatching(/^steps\[0\]\.tsbs\.load\.workers: 0 is out of range/),
    ]);
  });

  it('refuses a value twice, what is no number, a list of one, and more than anybody would wait for', () => {
    expect(problems({ workers: [4, 4] })).toEqual(['steps[0].tsbs.load.workers: 4 is in the list twice']);
    expect(problems({ workers: [4, 'x'] })).toHaveLength(1);
    expect(problems({ workers: [4] })).toHaveLength(1);
    const many = Array.from({ length: 40 }, (_, i) => i + 1);
    expect(problems({ workers: many, scale: many })).toEqual([
      expect.stringContaining('1,600 runs; a series has at most 1,000'),
    ]);
  });

  it('leaves lists alone that are one value: the types of queries', () => {
    const steps = [{ 'tsbs.queries': { types: ['lastpoint', 'single-groupby-1-1-1'], queries: 10 } }];
    expect(resolveSweep(plan({}, { steps }))).toMatchObject({ problems: [], parameters: [] });
  });

  it.each([null, 'text', [], { steps: 'x' }, { steps: [null, { 'tsbs.load': [1, 2] }] }])(
    'never throws for what is no plan (%#)',
    (raw) => {
      expect(resolveSweep(raw).problems).not.toEqual([]);
    },
  );
});
