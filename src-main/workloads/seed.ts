import { randomInt } from 'node:crypto';

/** What seed 0 stands for: a new one every time, from 1 to 999,999,999 as TSBS takes it from the clock. */
export function newSeed(): number {
  return randomInt(1, 1_000_000_000);
}
