import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { nullDriver } from '../../../databases/null/index.ts';
import { drivers } from '../../../databases/registry.ts';
import { mergeEngineOptions } from '../../engineOptions.ts';
import { steps } from '../../registry.ts';
import { parseIntervals } from './intervals.ts';

describe('options of all steps', () => {
  it.each(
    steps.flatMap((step) =>
      Object.entries(step.parameters.shape).map(([key, field]) => [step.id, key, field] as const),
    ),
  )('%s: %s has words for people, a group, and a default or none needed', (_, __, field) => {
    const meta = z.globalRegistry.get(field);
    expect(meta?.title).toMatch(/^[A-Z–−]|^time_bucket/);
    expect(String(meta?.description).length).toBeGreaterThan(15);
    expect(meta?.group).toBeTypeOf('string');
    expect(z.safeParse(field, undefined).success).toBe(true);
  });
});

describe('mergeEngineOptions', () => {
  it('takes every option of every engine', () => {
    const load = steps.find((step) => step.id === 'tsbs.load');
    const keys = drivers.flatMap((driver) => Object.keys(driver.loadOptions.shape));
    expect(Object.keys(load?.parameters.shape ?? {})).toEqual(expect.arrayContaining(keys));
  });

  it('refuses two meanings of one name', () => {
    const driver = (id: string, shape: z.ZodObject['shape']) => ({
      ...nullDriver,
      id,
      loadOptions: z.object(shape),
    });
    const field = z.boolean().default(true);
    const shared = mergeEngineOptions([driver('a', { x: field }), driver('b', { x: field })], {});
    expect(Object.keys(shared)).toEqual(['x']);
    expect(() => mergeEngineOptions([driver('a', { x: field }), driver('b', { x: z.int() })], {})).toThrow(
      'x of b',
    );
    expect(() => mergeEngineOptions([driver('a', { x: field })], { x: field })).toThrow('x of a');
  });
});

describe('parseIntervals', () => {
  it('reads TSBS’s lists', () => {
    expect(parseIntervals('')).toEqual([]);
    expect(parseIntervals('0.5')).toEqual([{ min: 0.5, max: 0.5 }]);
    expect(parseIntervals('1, 0-5 ,2-4')).toEqual([
      { min: 1, max: 1 },
      { min: 0, max: 5 },
      { min: 2, max: 4 },
    ]);
    for (const bad of ['a', '1,,2', '5-2', '3-3', '0.5-2', '-1']) expect(parseIntervals(bad)).toBeNull();
  });
});
