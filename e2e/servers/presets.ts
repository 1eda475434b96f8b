import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { type Plan, planSchema } from '../../src-shared/model/plan.ts';

/** A plan that comes with the program, by the name of its file; its parameters may be lists. */
export function preset(file: string): Plan {
  const plans = path.join(import.meta.dirname, '..', '..', 'assets', 'plans');
  return planSchema.parse(parse(readFileSync(path.join(plans, file), 'utf8')));
}

export const presetSteps = (file: string): Plan['steps'] => preset(file).steps;
