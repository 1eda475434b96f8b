import { describe, expect, it } from 'vitest';
import type { Phase } from '../../../src-shared/model/run.ts';
import type { Tick } from '../../../src-shared/model/tick.ts';
import type { TickTransactions, TransactionFigures } from '../../../src-shared/model/transactions.ts';
import { latencyOf, operationOf, phaseOf, tickOf } from '../testRun.ts';
import { pgbenchRun } from './index.ts';

const options = {
  clients: 4,
  protocol: 'simple',
  seconds: 6,
  progress: 0,
  progressTimestamp: false,
  rate: 0,
  latencyLimit: 0,
  connect: false,
  maxTries: 1,
  reportPerCommand: false,
  failuresDetailed: false,
  continueOnError: false,
  noVacuum: false,
  vacuumAll: false,
  scripts: [{ weight: 1 }],
};
const startedAt = '2026-01-02T03:04:05.000Z';
const about = (parameters: Record<string, unknown>) => ({
  ...{ plannedParameters: {}, toolVersion: '0.1.0', startedAt },
  parameters: { ...options, ...parameters },
});

const script = {
  name: '<builtin: TPC-B (sort of)>',
  count: 0,
  failed: 0,
  retried: 0,
  retries: 0,
  skipped: 0,
};
function figures(part: Partial<TransactionFigures>): TransactionFigures {
  return {
    ...{ failed: 0, retried: 0, retries: 0, skipped: 0, late: 0, reads: 0, writes: 0, others: 0 },
    ...{ conflicts: {}, clients: 4, threads: 2, endedClients: 0, tps: 0, connectSeconds: 0, reconnects: 0 },
    ...{ reconnectSeconds: 0, lag: null, latencyLimitMs: null, ratePerSecond: 0, scripts: [script] },
    ...{ statements: [], facts: { scale: 2, partitionMethod: null, partitions: 0 } },
    fairness: { count: { mean: 0, stddev: 0 }, seconds: { mean: 0, stddev: 0 } },
    ...part,
  };
}
function phase(count: number, part: Partial<TransactionFigures>, more: Partial<Phase> = {}): Phase {
  return phaseOf({
    kind: 'transactions',
    operations: [operationOf({ count })],
    transactions: figures(part),
    ...more,
  });
}
function report(parameters: Record<string, unknown>, of: Phase): string[] {
  return pgbenchRun.end(about(parameters), of, []);
}

// The expected lines are what pgbench 15.18 printed for the figures that the phases are given.
describe('pgbench’s report', () => {
  it('says nothing of what is not known of a run that was cut: neither zeros nor NaN', () => {
    const scripts = [{ weight: 1 }, { weight: 1 }];
    const lines = report({ scripts, reportPerCommand: true }, phase(6521, { scripts: [], tps: 652.04 }));
    expect(lines.slice(0, 1)).toEqual(['transaction type: multiple scripts']);
    expect(lines.at(-1)).toBe('tps = 652.040000 (without initial connection time)');
    expect(lines.join()).not.toMatch(/NaN|SQL script|connection time =|statement latencies/);
  });

  it('has every line of a run with a duration, progress and commands', () => {
    const statements = [
      {
        script: 0,
        text: '\\set aid random(1, 100000 * :scale)',
        count: 5467,
        meanUs: 1.04,
        failures: 0,
        retries: 0,
      },
      { script: 0, text: 'BEGIN;', count: 5467, meanUs: 264.2, failures: 0, retries: 0 },
      { script: 0, text: 'END;', count: 5467, meanUs: 1081.1, failures: 0, retries: 0 },
    ];
    const latencyUs = latencyOf({ mean: 4374, stddev: 2396 });
    const of = phase(
      5467,
      { tps: 911.447089, connectSeconds: 0.015591, statements },
      { operations: [operationOf({ count: 5467, latencyUs })] },
    );
    expect(report({ progress: 2, reportPerCommand: true }, of)).toEqual([
      'transaction type: <builtin: TPC-B (sort of)>',
      'scaling factor: 2',
      'query mode: simple',
      'number of clients: 4',
      'number of threads: 2',
      'maximum number of tries: 1',
      'duration: 6 s',
      'number of transactions actually processed: 5467',
      'number of failed transactions: 0 (0.000%)',
      'latency average = 4.374 ms',
      'latency stddev = 2.396 ms',
      'initial connection time = 15.591 ms',
      'tps = 911.447089 (without initial connection time)',
      'statement latencies in milliseconds and failures:',
      '         0.001           0  \\set aid random(1, 100000 * :scale)',
      '         0.264           0  BEGIN;',
      '         1.081           0  END;',
    ]);
  });

  it('derives the average where nothing asks for it to be measured', () => {
    const of = phase(200, { tps: 1052.000379, connectSeconds: 0.010785 }, { seconds: 200 / 1052.000379 });
    expect(report({ clients: 2, seconds: undefined, transactions: 100 }, of).slice(6)).toEqual([
      'number of transactions per client: 100',
      'number of transactions actually processed: 200/200',
      'number of failed transactions: 0 (0.000%)',
      'latency average = 1.901 ms',
      'initial connection time = 10.785 ms',
      'tps = 1052.000379 (without initial connection time)',
    ]);
  });

  it('tells of skipped and late transactions beyond capacity', () => {
    const of = phase(
      3705,
      {
        skipped: 8151,
        late: 3394,
        lag: { meanUs: 4270, maxUs: 5000 },
        tps: 927.605463,
        connectSeconds: 0.006774,
      },
      { operations: [operationOf({ count: 3705, latencyUs: latencyOf({ mean: 6424, stddev: 1300 }) })] },
    );
    expect(report({ rate: 3000, latencyLimit: 5 }, of).slice(7)).toEqual([
      'number of transactions actually processed: 3705',
      'number of failed transactions: 0 (0.000%)',
      'number of transactions skipped: 8151 (68.750%)',
      'number of transactions above the 5.0 ms latency limit: 3394/3705 (91.606%)',
      'latency average = 6.424 ms',
      'latency stddev = 1.300 ms',
      'rate limit schedule lag: avg 4.270 (max 5.000) ms',
      'initial connection time = 6.774 ms',
      'tps = 927.605463 (without initial connection time)',
    ]);
  });

  it('tells of retries, in the commands too', () => {
    const text = 'UPDATE pgbench_tellers SET tbalance = tbalance + :delta WHERE tid = :tid;';
    const of = phase(1085, {
      ...{ failed: 908, retried: 1311, retries: 2381, tps: 362.909996, connectSeconds: 0.012472 },
      statements: [{ script: 0, text, count: 1, meanUs: 389, failures: 482, retries: 1114 }],
    });
    const lines = report({ maxTries: 3, reportPerCommand: true, seconds: 3 }, of);
    expect(lines.slice(5, 11)).toEqual([
      'maximum number of tries: 3',
      'duration: 3 s',
      'number of transactions actually processed: 1085',
      'number of failed transactions: 908 (45.559%)',
      'number of transactions retried: 1311 (65.780%)',
      'total number of retries: 2381',
    ]);
    expect(lines).toContain('statement latencies in milliseconds, failures and retries:');
    expect(lines.at(-1)).toBe(`         0.389         482        1114  ${text}`);
    expect(report({ maxTries: 0, seconds: 3 }, of).some((line) => line.startsWith('maximum'))).toBe(false);
  });

  it('tells failures by kind where that is asked for', () => {
    const failures = { '40001': 900, '40P01': 8, '23505': 92 };
    const of = phase(1000, { failed: 1000, failures });
    const kinds = (parameters: Record<string, unknown>) =>
      report({ failuresDetailed: true, ...parameters }, of).slice(8, 12);
    expect(kinds({}).slice(0, 3)).toEqual([
      'number of failed transactions: 1000 (50.000%)',
      'number of serialization failures: 900 (45.000%)',
      'number of deadlock failures: 8 (0.400%)',
    ]);
    expect(kinds({})[3]).toMatch(/^latency average/);
    expect(kinds({ continueOnError: true })[3]).toBe('number of other failures: 92 (4.600%)');
  });

  it('counts connecting where each transaction connects', () => {
    const of = phase(100, { tps: 132.808269, reconnectSeconds: 0.7344 });
    expect(report({ connect: true }, of).slice(-2)).toEqual([
      'average connection time = 7.344 ms',
      'tps = 132.808269 (including reconnection times)',
    ]);
  });

  it('tells of each script, and of partitions', () => {
    const scripts = [
      { ...script, count: 1403 },
      { ...script, name: '<builtin: select only>', count: 12352 },
    ];
    const seconds = 1403 / 469.253997;
    const of = phase(
      13755,
      { scripts, facts: { scale: 1, partitionMethod: 'hash', partitions: 4 } },
      {
        seconds,
        operations: [
          operationOf({ count: 13755 }),
          operationOf({ count: 1403, latencyUs: latencyOf({ mean: 2079, stddev: 1169 }) }),
          operationOf({ count: 12352, latencyUs: null }),
        ],
      },
    );
    const lines = report({ scripts: [{ weight: 1 }, { weight: 9 }] }, of);
    expect(lines.slice(0, 4)).toEqual([
      'transaction type: multiple scripts',
      'scaling factor: 1',
      'partition method: hash',
      'partitions: 4',
    ]);
    expect(lines.slice(-10)).toEqual([
      'SQL script 1: <builtin: TPC-B (sort of)>',
      ' - weight: 1 (targets 10.0% of total)',
      ' - 1403 transactions (10.2% of total, tps = 469.253997)',
      ' - number of failed transactions: 0 (0.000%)',
      ' - latency average = 2.079 ms',
      ' - latency stddev = 1.169 ms',
      'SQL script 2: <builtin: select only>',
      ' - weight: 9 (targets 90.0% of total)',
      ` - 12352 transactions (89.8% of total, tps = ${(12352 / seconds).toFixed(6)})`,
      ' - number of failed transactions: 0 (0.000%)',
    ]);
  });

  it('says so where every client was ended', () => {
    const lines = report({ seconds: undefined, transactions: 3, clients: 2 }, phase(0, { endedClients: 2 }));
    expect(lines.slice(-3)).toEqual([
      'number of transactions actually processed: 0/6',
      'number of failed transactions: 0 (NaN%)',
      'pgbench: error: Run was aborted; the above results are incomplete.',
    ]);
  });
});

const noTransactions: TickTransactions = {
  ...{ failed: 0, retried: 0, retries: 0, skipped: 0, late: 0, reads: 0, writes: 0, others: 0 },
  ...{ conflicts: {}, clients: 1, busy: 0, connectSeconds: 0, lag: null },
};
function tick(
  latencies: readonly number[],
  intervalMs: number,
  atMs: number,
  part: Partial<TickTransactions> = {},
): Tick {
  const sum = latencies.reduce((total, us) => total + us, 0);
  const mean = sum / latencies.length;
  const stddev = Math.sqrt(latencies.reduce((total, us) => total + (us - mean) ** 2, 0) / latencies.length);
  const count = latencies.length;
  const [base] = tickOf({}).operations;
  if (!base) throw new Error('no operation');
  return {
    ...tickOf({ intervalMs, atMs }),
    operations: [{ ...base, count, latencyUs: count ? latencyOf({ count, mean, stddev, sum }) : null }],
    transactions: { ...noTransactions, ...part },
  };
}
/** Of any version since 9.6, as documented. */
const line =
  /^progress: ([\d.]+) s, ([\d.]+) tps, lat ([\d.]+|NaN|-nan|nan) ms stddev ([\d.]+|NaN|-nan|nan)(?:, (\d+) failed)?(?:, lag ([\d.]+) ms)?(?:, (\d+) skipped)?(?:, (\d+) retried, (\d+) retries)?$/;

describe('pgbench’s lines of progress', () => {
  it('have the figures of single transactions over the whole interval', () => {
    const progress = pgbenchRun.progress(about({ progress: 2 }));
    expect(progress(tick([1000, 3000], 1001, 1001))).toEqual([]);
    // Mean and deviation of 1, 3, 2, 6 ms together.
    expect(progress(tick([2000, 6000], 1001, 2002))).toEqual([
      'progress: 2.0 s, 2.0 tps, lat 3.000 ms stddev 1.871, 0 failed',
    ]);
    expect(progress(tick([], 1998, 4000))).toEqual([
      'progress: 4.0 s, 0.0 tps, lat 0.000 ms stddev 0.000, 0 failed',
    ]);
  });

  it('tell of lag, skips and retries where there can be some, and parse', () => {
    const part = { failed: 2, skipped: 36, retried: 12, retries: 26, lag: { meanUs: 511, maxUs: 900 } };
    const all = pgbenchRun.progress(about({ progress: 1, rate: 300, latencyLimit: 5, maxTries: 2 }));
    const [text = ''] = all(tick([4212, 4212], 1000, 1000, part));
    expect(text).toBe(
      'progress: 1.0 s, 2.0 tps, lat 4.212 ms stddev 0.000, 2 failed, lag 0.511 ms, 36 skipped, 12 retried, 26 retries',
    );
    expect(line.exec(text)?.slice(5)).toEqual(['2', '0.511', '36', '12', '26']);
    const some = pgbenchRun.progress(about({ progress: 1, rate: 300 }));
    expect(some(tick([1595], 1000, 1000, part))).toEqual([
      'progress: 1.0 s, 1.0 tps, lat 1.595 ms stddev 0.000, 2 failed, lag 0.511 ms',
    ]);
  });

  it('can have Unix time', () => {
    const progress = pgbenchRun.progress(about({ progress: 1, progressTimestamp: true }));
    const [text = ''] = progress(tick([1000], 1000, 1969));
    expect(line.exec(text)?.[1]).toBe(`${Date.parse(startedAt) / 1000 + 1}.969`);
  });
});
