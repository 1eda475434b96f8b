import { expect, test } from 'vitest';
import { resolvePlan } from '../workloads/resolve.ts';
import { expectedBytes } from './expectedSize.ts';
import { loadPlan } from './testApp.ts';

const phasesOf = (steps: Record<string, Record<string, string | number | boolean>>[]) => {
  const { phases, problems } = resolvePlan({ version: 1, name: 'A plan', target: 'null', steps });
  expect(problems).toEqual([]);
  return phases;
};
const bytesOf = (phases: Parameters<typeof expectedBytes>[0]) =>
  expectedBytes(phases, new AbortController().signal);
const load = {
  useCase: 'cpu-only',
  scale: 10,
  timestampStart: '2016-01-01T00:00:00Z',
  timestampEnd: '2016-01-01T01:00:00Z',
};

test('3,600 rows of ten values: 28 + 16 + 80 bytes in the heap and 56 ÷ 0.9 in two indexes, each', async () => {
  const { phases } = resolvePlan(loadPlan(10, 1));
  expect(await bytesOf(phases)).toBe(Math.round(3600 * (124 + 62.2222222)));
});

test('a second load of the same database replaces the first; another one comes on top; what is only generated is nowhere', async () => {
  const once = await bytesOf(phasesOf([{ 'tsbs.load': load }]));
  expect(await bytesOf(phasesOf([{ 'tsbs.load': load }, { 'tsbs.load': { ...load, scale: 5 } }]))).toBe(once);
  expect(
    await bytesOf(phasesOf([{ 'tsbs.load': load }, { 'tsbs.load': { ...load, dbName: 'other' } }])),
  ).toBe(2 * once);
  expect(await bytesOf(phasesOf([{ 'tsbs.load': { ...load, doLoad: false } }]))).toBe(0);
});
