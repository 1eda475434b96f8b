import { describe, expect, it } from 'vitest';
import type { LoggedTransaction } from '../../transactions.ts';
import { Xoroshiro } from '../random/xoroshiro.ts';
import { runSchema } from './options.ts';
import { runStep } from './runStep.ts';
import { openPgbenchLog } from './transactionLog.ts';

const second = 1_000_000;
const startUs = 1_796_039_124 * second + 400_000;
const done: LoggedTransaction = {
  ...{ client: 0, script: 0, skipped: false, failure: null, retries: 0 },
  ...{ latencyUs: 11_912.4, lagUs: 0, endedUs: 1_796_039_124 * second + 977_824 },
};
const log = (options: Record<string, unknown>) =>
  openPgbenchLog(runSchema.parse({ dbName: 'any', log: true, ...options }), new Xoroshiro(7), startUs);
const told = (options: Record<string, unknown>, ...more: Partial<LoggedTransaction>[]) => {
  const own = log(options);
  return more.map((part) => own.ended({ ...done, ...part })).join('');
};

describe('a line for each transaction', () => {
  it('has client, number, time, script and when it ended', () => {
    expect(told({}, {}, { client: 3, script: 1, endedUs: 1_796_039_125 * second + 7 }, {})).toBe(
      '0 1 11912 0 1796039124 977824\n3 1 11912 1 1796039125 7\n0 2 11912 0 1796039124 977824\n',
    );
  });

  it('has the lag where there is a rate, retries where there may be some, and words for what was not done', () => {
    const failed = { failure: '40001', latencyUs: 0, lagUs: 0, retries: 2 };
    const skipped = { skipped: true, latencyUs: 0, lagUs: 0 };
    expect(told({ rate: 5 }, { lagUs: 208.6 }, skipped)).toBe(
      '0 1 11912 0 1796039124 977824 209\n0 2 skipped 0 1796039124 977824 0\n',
    );
    expect(told({}, failed)).toBe('0 1 failed 0 1796039124 977824\n');
    const detailed = { maxTries: 3, failuresDetailed: true };
    expect(told(detailed, failed, { failure: '40P01' }, { failure: '23505' }, { retries: 1 })).toBe(
      [
        '0 1 serialization 0 1796039124 977824 2',
        '0 2 deadlock 0 1796039124 977824 0',
        '0 3 other 0 1796039124 977824 0',
        '0 4 11912 0 1796039124 977824 1\n',
      ].join('\n'),
    );
  });

  it('is kept with the probability that was asked for, and numbered as all are', () => {
    const n = 20_000;
    const lines = told({ samplingRate: 0.1 }, ...Array.from({ length: n }, () => ({}))).split('\n');
    expect(lines.pop()).toBe('');
    // Six standard deviations of a binomial.
    expect(Math.abs(lines.length - n / 10)).toBeLessThan(6 * Math.sqrt(n * 0.1 * 0.9));
    const numbers = lines.map((line) => Number(line.split(' ')[1]));
    expect(numbers.every((number, i) => number > (numbers[i - 1] ?? 0) && number <= n)).toBe(true);
    expect(numbers.at(-1)).toBeGreaterThan(n * 0.98);
  });
});

describe('a line for each interval', () => {
  const at = (seconds: number) => 1_796_039_124 * second + seconds * second;

  it('sums up what ended in it, from whole seconds on; empty ones are told, the last one is not', () => {
    const own = log({ aggregateInterval: 1, rate: 10, latencyLimit: 5, maxTries: 3, failuresDetailed: true });
    const text = [
      own.ended({ ...done, latencyUs: 3000, lagUs: 10, endedUs: at(0.5) }),
      own.ended({ ...done, latencyUs: 1000, lagUs: 4, retries: 2, endedUs: at(0.6) }),
      own.ended({ ...done, skipped: true, endedUs: at(0.7) }),
      own.ended({ ...done, failure: '40001', retries: 1, endedUs: at(0.8) }),
      own.ended({ ...done, failure: '40P01', endedUs: at(0.999999) }),
      own.ended({ ...done, latencyUs: 7, lagUs: 0, endedUs: at(2) }),
      own.ended({ ...done, latencyUs: 8, lagUs: 1, endedUs: at(3.5) }),
      own.rest(at(3.9)),
    ].join('');
    expect(text).toBe(
      [
        '1796039124 2 4000 10000000 1000 3000 14 116 4 10 1 2 3 1 1',
        '1796039125 0 0 0 0 0 0 0 0 0 0 0 0 0 0',
        '1796039126 1 7 49 7 7 0 0 0 0 0 0 0 0 0\n',
      ].join('\n'),
    );
  });

  it('leaves at 0 what the options do not ask for', () => {
    const own = log({ aggregateInterval: 2 });
    own.ended({ ...done, latencyUs: 3000, lagUs: 10, retries: 1, endedUs: at(0.5) });
    own.ended({ ...done, skipped: true, endedUs: at(0.5) });
    own.ended({ ...done, failure: '40001', endedUs: at(0.5) });
    expect(own.rest(at(2))).toBe('1796039124 1 3000 9000000 3000 3000 0 0 0 0 0 0 0 0 0\n');
    expect(own.rest(at(3.9))).toBe('');
  });
});

describe('options of the log', () => {
  const paths = (own: Record<string, unknown>) =>
    runStep.check({ dbName: 'any', ...own }, []).map(({ path }) => path);

  it('are allowed as pgbench allows them', () => {
    expect(paths({ log: true, samplingRate: 0.5, logPrefix: 'mine' })).toEqual([]);
    expect(paths({ log: true, aggregateInterval: 5, seconds: 60 })).toEqual([]);
    expect(paths({ log: true, aggregateInterval: 5, transactions: 60 })).toEqual([]);
    expect(paths({ samplingRate: 0.5 })).toEqual(['samplingRate']);
    expect(paths({ logPrefix: 'mine' })).toEqual(['logPrefix']);
    expect(paths({ aggregateInterval: 5 })).toEqual(['aggregateInterval']);
    expect(paths({ log: true, samplingRate: 0.5, aggregateInterval: 5 })).toEqual(['samplingRate']);
    expect(paths({ log: true, aggregateInterval: 7, seconds: 60 })).toEqual(['aggregateInterval']);
    expect(paths({ log: true, aggregateInterval: 61, seconds: 60 })).toEqual(['aggregateInterval']);
  });

  it.each([0, -0.1, 1.01])('refuse a share of %s', (samplingRate) =>
    expect(runSchema.safeParse({ dbName: 'any', log: true, samplingRate }).success).toBe(false),
  );

  it.each([
    '',
    '.',
    '..',
    '../log',
    'a/b',
    'a\\b',
    '/log',
    'C:log',
    'nul',
    'COM1.log',
    'a\u0000',
    '-l',
    'a'.repeat(101),
  ])('refuse %j as a name of files', (logPrefix) =>
    expect(runSchema.safeParse({ dbName: 'any', log: true, logPrefix }).success).toBe(false),
  );
});
