import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { goExponent, goFixed } from './goFormat.ts';

describe('goFixed', () => {
  it('rounds an exact half to the even neighbour', () => {
    expect(goFixed(0.125, 2)).toBe('0.12');
    expect(goFixed(0.375, 2)).toBe('0.38');
    expect(goFixed(-0.125, 2)).toBe('-0.12');
    expect(goFixed(2.5, 0)).toBe('2');
    expect(goFixed(3.5, 0)).toBe('4');
    expect(goFixed(1234.0625, 3)).toBe('1234.062');
  });
  it('rounds what only looks like a half by its exact value', () => {
    expect(goFixed(1.005, 2)).toBe('1.00'); // the double is 1.00499999999999989…
    expect(goFixed(0.155, 2)).toBe('0.15'); // 0.155 is 0.15499999999999999…
    expect(goFixed(10, 2)).toBe('10.00');
  });
  it('is the nearest decimal of the exact value, ties to even', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 2 ** 40 }),
        fc.integer({ min: 0, max: 12 }),
        (numerator, shift) => {
          // numerator / 2^shift is exact in a double, so the rounding can be done in whole numbers.
          const scaled = BigInt(numerator) * 100n;
          const unit = 2n ** BigInt(shift);
          let cents = scaled / unit;
          const rest = (scaled % unit) * 2n;
          if (rest > unit || (rest === unit && cents % 2n === 1n)) cents += 1n;
          const text = cents.toString().padStart(3, '0');
          expect(goFixed(numerator / 2 ** shift, 2)).toBe(`${text.slice(0, -2)}.${text.slice(-2)}`);
        },
      ),
    );
  });
});

describe('goExponent', () => {
  it('prints counts as %E does', () => {
    expect(goExponent(0)).toBe('0.000000E+00');
    expect(goExponent(7)).toBe('7.000000E+00');
    expect(goExponent(1_120_143)).toBe('1.120143E+06');
    expect(goExponent(11_201_430)).toBe('1.120143E+07');
    expect(goExponent(1_036_800_000)).toBe('1.036800E+09');
    expect(goExponent(123_456_789_012_345)).toBe('1.234568E+14');
  });
  it('rounds an exact half to the even neighbour and carries into the exponent', () => {
    expect(goExponent(11_201_425)).toBe('1.120142E+07');
    expect(goExponent(11_201_435)).toBe('1.120144E+07');
    expect(goExponent(99_999_995)).toBe('1.000000E+08');
    expect(goExponent(99_999_994)).toBe('9.999999E+07');
  });
  it('reads back as the count to seven digits', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), (count) => {
        const text = goExponent(count);
        expect(text).toMatch(/^\d\.\d{6}E\+\d\d$/);
        expect(Math.abs(Number(text) - count) / count).toBeLessThanOrEqual(5.0000001e-7);
      }),
    );
  });
});
