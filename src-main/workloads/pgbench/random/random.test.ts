import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exponential, gaussian, uniform, zipfian } from './draws.ts';
import { fnv1a, murmur2, permute } from './hashes.ts';
import { seedsOf } from './seeds.ts';
import { Xoroshiro } from './xoroshiro.ts';

const mask = (1n << 64n) - 1n;
const rotl = (x: bigint, by: bigint) => ((x << by) | (x >> (64n - by))) & mask;

/** The generator as its authors publish it, on whole 64-bit words. */
function* published(seed: bigint): Generator<bigint> {
  let state = seed;
  const split = () => {
    state = (state + 0x9e3779b97f4a7c15n) & mask;
    let z = state;
    z = ((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n) & mask;
    z = ((z ^ (z >> 27n)) * 0x94d049bb133111ebn) & mask;
    return z ^ (z >> 31n);
  };
  let s0 = split();
  let s1 = split();
  for (;;) {
    yield (rotl((s0 * 5n) & mask, 7n) * 9n) & mask;
    s1 ^= s0;
    s0 = (rotl(s0, 24n) ^ s1 ^ (s1 << 16n)) & mask;
    s1 = rotl(s1, 37n);
  }
}

describe('the generator', () => {
  it('gives the words of xoroshiro128** for every seed', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: mask }), (seed) => {
        const random = new Xoroshiro(seed);
        const expected = published(seed);
        for (let i = 0; i < 20; i++) expect(random.word()).toBe(expected.next().value);
      }),
    );
  });

  it('draws numbers of any span from the top bits, rejecting what is beyond it', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 1n, max: mask }),
        fc.bigInt({ min: 1n, max: 2n ** 53n - 1n }),
        (seed, span) => {
          const expected = published(seed);
          const shift = BigInt(64 - span.toString(2).length);
          const small = new Xoroshiro(seed);
          const big = new Xoroshiro(seed);
          for (let i = 0; i < 5; i++) {
            let value: bigint;
            do value = BigInt(expected.next().value ?? 0n) >> shift;
            while (value > span);
            expect(small.upTo(Number(span))).toBe(Number(value));
            expect(big.upToBig(span)).toBe(value);
          }
        },
      ),
    );
  });

  it('makes doubles of the top 52 bits', () => {
    const random = new Xoroshiro(1);
    const words = published(1n);
    for (let i = 0; i < 100; i++)
      expect(random.double()).toBe(Number(BigInt(words.next().value ?? 0n) >> 12n) * 2 ** -52);
  });

  it('goes back to a state that was kept', () => {
    const random = new Xoroshiro(5);
    const kept = new Xoroshiro(0);
    kept.copyFrom(random);
    const first = [random.word(), random.word()];
    random.copyFrom(kept);
    expect([random.word(), random.word()]).toEqual(first);
  });
});

describe('what pgbench 15 draws', () => {
  it('with --random-seed=7 in its first two transactions at scale 10', () => {
    const [random] = seedsOf(7n, 1, 1, false).clients;
    if (!random) throw new Error('no client');
    const transaction = () => [
      uniform(random, 1, 1_000_000),
      uniform(random, 1, 10),
      uniform(random, 1, 100),
      uniform(random, -5000, 5000),
    ];
    expect(transaction()).toEqual([869_439, 6, 3, 1311]);
    expect(transaction()).toEqual([382_830, 4, 13, 2700]);
  });

  it('in its hashes and permutations', () => {
    expect(fnv1a(10, 5432)).toBe(-7793829335365542153n);
    expect(murmur2(10, 5432)).toBe(-5817877081768721676n);
    expect([0, 1, 9].map((i) => permute(i, 10, 42))).toEqual([1, 7, 2]);
    expect(permute(123_456, 1_000_000, 42)).toBe(268_783);
  });

  it('permutes: every number once', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 300 }), fc.integer(), (size, seed) => {
        const images = Array.from({ length: size }, (_, i) => permute(i, size, seed));
        expect(images.map(Number).sort((a, b) => a - b)).toEqual(images.map((_, i) => i));
      }),
    );
  });

  // Recorded from 240,000 draws of pgbench 15.18 from [1, 1000]: mean, quantiles, share of values up to 10.
  it.each([
    ['uniform', (r: Xoroshiro) => uniform(r, 1, 1000), 500.7, [101, 501, 900], 0.0103],
    ['exponential 5.0', (r: Xoroshiro) => exponential(r, 1, 1000, 5), 194.5, [21, 138, 450], 0.049],
    ['gaussian 2.5', (r: Xoroshiro) => gaussian(r, 1, 1000, 2.5), 500.6, [250, 501, 751], 0.001],
    ['zipfian 1.07', (r: Xoroshiro) => zipfian(r, 1, 1000, 1.07), 109.3, [1, 14, 386], 0.4558],
  ] as const)('spreads as pgbench does: %s', (_name, draw, mean, quantiles, lowShare) => {
    const random = new Xoroshiro(11);
    const draws = Float64Array.from({ length: 240_000 }, () => Number(draw(random))).sort();
    const quantile = (q: number) => draws[Math.floor(q * draws.length)] ?? 0;
    // Four standard errors of the difference of two such samples, the widest of the four distributions.
    expect(Math.abs(draws.reduce((sum, x) => sum + x, 0) / draws.length - mean)).toBeLessThan(3.4);
    for (const [i, q] of [0.1, 0.5, 0.9].entries())
      expect(Math.abs(quantile(q) - (quantiles[i] ?? 0))).toBeLessThanOrEqual(8);
    expect(draws.filter((x) => x <= 10).length / draws.length).toBeCloseTo(lowShare, 2);
    expect(quantile(0)).toBeGreaterThanOrEqual(1);
    expect(draws.at(-1)).toBeLessThanOrEqual(1000);
  });

  it('draws from ranges that no double holds', () => {
    const random = new Xoroshiro(3);
    const from = -(2n ** 62n);
    for (const draw of [uniform, (r: Xoroshiro, a: bigint, b: bigint) => exponential(r, a, b, 2)])
      for (let i = 0; i < 50; i++) {
        const value = BigInt(draw(random, from, 2n ** 61n));
        expect(value >= from && value <= 2n ** 61n).toBe(true);
      }
  });
});
