import type { Variables } from '../script/variables.ts';
import { commandError } from './errors.ts';
import type { Operation, Program } from './program.ts';

/** How long a \sleep is; a variable counts up to its first character that is no digit. */
export function sleepNanoseconds(
  program: Program,
  operation: Operation & { kind: 'sleep' },
  variables: Variables,
): number {
  const { amount, unitUs } = operation;
  if (typeof amount === 'number') return Math.max(0, amount * unitUs * 1000);
  const text = variables.text(amount.slot);
  if (text === null) throw commandError(program, operation, `undefined variable "${amount.name}"`);
  const [digits] = /^\s*[-+]?\d+/.exec(text) ?? [];
  if (digits === undefined)
    throw commandError(program, operation, `invalid sleep time "${text}" for variable "${amount.name}"`);
  return Math.max(0, Number(digits) * unitUs * 1000);
}
