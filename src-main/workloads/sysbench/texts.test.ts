import { expect, it } from 'vitest';
import { Random } from './random.ts';
import { randomC, randomPad } from './texts.ts';

it('has groups of 11 digits, every digit as likely', () => {
  const random = new Random(5, 0);
  const counts = new Array<number>(10).fill(0);
  for (let i = 0; i < 1000; i += 1) {
    const c = randomC(random);
    expect(c).toMatch(/^\d{11}(-\d{11}){9}$/);
    expect(randomPad(random)).toMatch(/^\d{11}(-\d{11}){4}$/);
    for (const digit of c.replaceAll('-', '')) counts[Number(digit)] = (counts[Number(digit)] ?? 0) + 1;
  }
  for (const n of counts) expect(Math.abs(n / 110_000 - 0.1)).toBeLessThan(0.005);
});
