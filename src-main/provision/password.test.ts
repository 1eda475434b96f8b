import { expect, test } from 'vitest';
import { makePassword } from './password.ts';

test('a password is long, safe wherever it is written, and never the same', () => {
  const made = Array.from({ length: 200 }, makePassword);
  expect(new Set(made).size).toBe(200);
  for (const password of made) expect(password).toMatch(/^[a-km-zA-HJ-NP-Z2-9]{24}$/);
  // Each of the 57 letters is about as likely as the others: 4,800 drawn, 84 of each expected, σ = 9.1.
  const counts = new Map<string, number>();
  for (const letter of made.join('')) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  expect(counts.size).toBe(57);
  for (const count of counts.values()) expect(Math.abs(count - 84)).toBeLessThan(6 * 9.1);
});
