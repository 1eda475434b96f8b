import { formatCount } from '../../src-shared/units.ts';

/** `1 row`, `2,000 rows`, `3 queries`. */
export function countOf(n: number, noun: string): string {
  if (n === 1) return `1 ${noun}`;
  return `${formatCount(n)} ${noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`}`;
}
