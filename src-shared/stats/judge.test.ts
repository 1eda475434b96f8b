import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Metric } from '../model/comparison.ts';
import { judge, type Question } from './judge.ts';
import { mulberry32 } from './random.ts';

const rows: Metric = {
  ...{ key: 'rows', label: 'Rows per second', kind: 'rate', unit: 'rows/s', better: 'higher' },
};
const p99: Metric = { key: 'p99', label: 'Latency p99', kind: 'latency', unit: 'µs', better: 'lower' };
const base = [103.1, 98.4, 101.2, 99.9, 100.7];
const ask = (side: readonly number[], patch: Partial<Question> = {}): Question => ({
  ...{ metric: rows, base, side, broken: null },
  ...patch,
});
const one = (question: Question) => judge([question])[0];
const times = (factor: number) => base.map((value, i) => value * factor * (1 + (i - 2) / 1000));

describe('a verdict', () => {
  it('claims what ranks, means and the interval bear out, in the words of the figure', () => {
    // Mann–Whitney of two sets that do not overlap, five each: 2 ÷ C(10, 5).
    expect(one(ask(times(1.184)))).toMatchObject({
      kind: 'faster',
      ratio: expect.closeTo(1.184, 2),
      n: { base: 5, side: 5 },
      p: expect.closeTo(2 / 252, 12),
      family: 1,
    });
    const words = one(ask(times(1.184)))?.sentence ?? '';
    expect(words).toMatch(
      /^18\.\d % more rows\/s \(95 % interval 1\d\.\d to 2\d\.\d %\), five against five$/,
    );
    expect(one(ask(times(0.8)))?.sentence).toMatch(
      /^2\d\.\d % fewer rows\/s \(95 % interval 1\d\.\d to 2\d\.\d %\), /,
    );
    expect(one(ask(times(0.8)))?.kind).toBe('slower');
    expect(one(ask(times(0.8), { metric: p99 }))).toMatchObject({
      kind: 'faster',
      sentence: expect.stringMatching(/^2\d\.\d % lower latency p99 \(95 % interval /),
    });
    expect(one(ask(times(12)))?.sentence).toMatch(
      /^12\.\d times the rows\/s \(95 % interval 11\.\d to 12\.\d times\)/,
    );
  });
  it('shows no difference where there is none to show, with what the interval leaves open', () => {
    const verdict = one(ask([103.5, 97.8, 101.5, 100.1, 100.5]));
    expect(verdict?.kind).toBe('no-difference');
    expect(verdict?.sentence).toMatch(/^~ no difference shown \(interval −\d\.\d to \+\d\.\d %\)$/);
  });
  it('cannot tell of one run, of too few for any claim, of nothing', () => {
    expect(one(ask([120], { base: [100] }))).toMatchObject({
      kind: 'cannot-tell',
      ratio: 1.2,
      interval: null,
      sentence: "can't tell: one run against one",
    });
    const within = { value: 0.041, low: 0.02, high: 0.063 };
    expect(one(ask([120], { base: [100], within }))?.reason).toMatch(
      /Within these two runs: 4\.1 % more rows\/s \(95 % interval 2\.0 to 6\.3 %\)\.$/,
    );
    expect(one(ask([120]))?.sentence).toBe("can't tell: one run against five");
    // However far apart: the least p of three against three is 0.10.
    expect(one(ask([1000, 1001, 1002], { base: [1, 1.1, 1.2] }))).toMatchObject({
      kind: 'cannot-tell',
      sentence: "can't tell: three against three",
      p: expect.closeTo(0.1, 12),
    });
    expect(one(ask([]))?.sentence).toBe("can't tell: no run against five");
    expect(one(ask([0, 0, 1, 2, 3]))?.sentence).toBe("can't tell: a figure is 0");
  });
  it('does not compare what is not comparable, however clear the figures are', () => {
    expect(one(ask(times(3), { broken: 'the loader ran on another machine' }))).toMatchObject({
      kind: 'not-comparable',
      sentence: 'not comparable: the loader ran on another machine',
      p: null,
    });
  });
  it('asks more of each the more are asked together, and says so', () => {
    // Welch p alone: about 0.01; after Holm for twenty of which it is the least: above 0.05.
    const side = base.map((value) => value * 1.035);
    const alone = one(ask(side));
    expect(alone?.kind).toBe('faster');
    const none = ask([...base].reverse().map((value, i) => value + i / 50));
    const [among] = judge([ask(side), ...Array.from({ length: 19 }, () => none)]);
    expect(among).toMatchObject({ kind: 'no-difference', family: 20 });
    expect(among?.adjustedP).toBeCloseTo(20 * (alone?.adjustedP ?? 0), 9);
    expect(among?.reason).toContain('after Holm for twenty comparisons');
  });
  it('takes the ratio of merged percentiles where it is given', () => {
    const merged = { ratio: 1.3, low: 1.2, high: 1.4 };
    expect(one(ask(times(1.3), { metric: p99, merged }))).toMatchObject({
      kind: 'slower',
      ratio: 1.3,
      interval: { low: 1.2, high: 1.4 },
    });
  });

  it('is wrong in at most one of twenty where nothing differs, and finds 10 % where runs vary by 3 %', () => {
    const random = mulberry32(1);
    const gauss = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    const draw = (level: number) => Array.from({ length: 5 }, () => level * (1 + 0.03 * gauss()));
    const claims = (factor: number, pairs: number) =>
      Array.from({ length: pairs }, () => one(ask(draw(factor), { base: draw(1) }))?.kind).filter(
        (kind) => kind === 'faster' || kind === 'slower',
      ).length / pairs;
    expect(claims(1, 160)).toBeLessThanOrEqual(0.05);
    expect(claims(1.1, 40)).toBeGreaterThan(0.85);
  });

  const figures = fc.array(fc.double({ min: 50, max: 150, noNaN: true }), { minLength: 4, maxLength: 7 });
  it('turns round when the sides do', () => {
    fc.assert(
      fc.property(figures, figures, (left, right) => {
        const there = one(ask(right, { base: left }))?.kind;
        const back = one(ask(left, { base: right }))?.kind;
        const turned = { faster: 'slower', slower: 'faster' };
        // The interval of a ratio is not quite the inverse of the inverse's: on the edge one may claim and the other not.
        if (there !== 'no-difference' && back !== 'no-difference')
          expect(back).toBe(there === 'faster' || there === 'slower' ? turned[there] : there);
      }),
      { numRuns: 15 },
    );
  });
  it('never claims against its own interval', () => {
    fc.assert(
      fc.property(figures, figures, (left, right) => {
        const verdict = one(ask(right, { base: left }));
        if (verdict?.kind === 'faster') expect(verdict.interval?.low).toBeGreaterThan(1);
        if (verdict?.kind === 'slower') expect(verdict.interval?.high).toBeLessThan(1);
      }),
      { numRuns: 15 },
    );
  });
});
