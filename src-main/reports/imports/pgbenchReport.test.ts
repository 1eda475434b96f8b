import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src-shared/errors.ts';
import { printedSchema } from '../../../src-shared/model/printed.ts';
import { readPgbenchReports } from './pgbenchReport.ts';

// What pgbench 15.18 printed, and what 9.6 to 13 print according to their documentation.
const version15 = `pgbench (15.18 (Debian 15.18-0+deb12u1), server 14.2)
starting vacuum...end.
progress: 2.0 s, 898.5 tps, lat 4.407 ms stddev 2.087, 0 failed
progress: 4.0 s, 925.1 tps, lat 4.321 ms stddev 2.650, 0 failed
transaction type: <builtin: TPC-B (sort of)>
scaling factor: 2
query mode: prepared
number of clients: 4
number of threads: 2
maximum number of tries: 3
duration: 6 s
number of transactions actually processed: 5467
number of failed transactions: 908 (45.559%)
number of transactions retried: 1311 (65.780%)
total number of retries: 2381
number of transactions above the 5.0 ms latency limit: 3394/5467 (62.081%)
latency average = 4.374 ms
latency stddev = 2.396 ms
initial connection time = 15.591 ms
tps = 911.447089 (without initial connection time)
statement latencies in milliseconds and failures:
         0.001           0  \\set aid random(1, 100000 * :scale)
         0.264           0  BEGIN;
`;
const version11 = `transaction type: <builtin: TPC-B (sort of)>
scaling factor: 10
query mode: simple
number of clients: 10
number of threads: 2
number of transactions per client: 1000
number of transactions actually processed: 10000/10000
latency average = 15.844 ms
tps = 618.764555 (including connections establishing)
tps = 622.977698 (excluding connections establishing)
`;
const only = (text: string) => {
  const reports = readPgbenchReports(text);
  expect(reports).toHaveLength(1);
  return reports[0]?.printed;
};

describe('a report of pgbench', () => {
  it('puts lines that have the time of the clock where those are that count from the start', () => {
    const points = (text: string) => only(text)?.series.map((one) => one.points);
    const stamped = version15
      .replace('progress: 2.0 s', 'progress: 1700000002.031 s')
      .replace('progress: 4.0 s', 'progress: 1700000004.031 s');
    const counted = [
      [
        [2, 898.5],
        [4, 925.1],
      ],
      [
        [2, 4.407],
        [4, 4.321],
      ],
    ];
    expect(points(version15)).toEqual(counted);
    expect(points(stamped)).toEqual(counted);
  });

  it('says where the rate has connecting in it', () => {
    const reconnecting = version15
      .replace('initial connection time', 'average connection time')
      .replace('without initial connection time', 'including reconnection times');
    const told = (text: string) => only(text)?.facts.find(({ name }) => name === 'TPS')?.value;
    expect(told(reconnecting)).toBe('connecting anew for each transaction is counted');
    expect(told(version15)).toBeUndefined();
  });

  it('gives every figure that is printed, and no other', () => {
    const printed = only(version15);
    expect(printed?.source.program).toBe('pgbench 15.18');
    expect(printed?.server).toBe('PostgreSQL 14.2');
    expect(printed?.phases).toEqual([
      {
        name: 'pgbench.run',
        kind: 'transactions',
        workers: 4,
        rows: null,
        metrics: null,
        seconds: 6,
        rowsPerSecond: null,
        metricsPerSecond: null,
        operations: [
          {
            name: 'transactions',
            count: 5467,
            errors: 908,
            perSecond: 911.447089,
            seconds: 6,
            latencyUs: {
              ...{ min: null, mean: 4374, p50: null, p90: null, p95: null, p99: null, p999: null, max: null },
              stddev: 2396,
            },
          },
        ],
        transactions: {
          ...{ tps: 911.447089, failed: 908, retried: 1311, retries: 2381, skipped: null, late: 3394 },
        },
      },
    ]);
    expect(printed?.series.map(({ unit, points }) => [unit, points])).toEqual([
      [
        'TPS',
        [
          [2, 898.5],
          [4, 925.1],
        ],
      ],
      [
        'ms',
        [
          [2, 4.407],
          [4, 4.321],
        ],
      ],
    ]);
  });

  it('of old versions takes the rate without connecting, and says when the average was not measured', () => {
    const printed = only(version11);
    expect(printed?.phases[0]?.transactions?.tps).toBe(622.977698);
    expect(printed?.phases[0]?.seconds).toBeNull();
    expect(printed?.phases[0]?.operations[0]).toMatchObject({ count: 10000, errors: null, seconds: null });
    const facts = Object.fromEntries(printed?.facts.map(({ name, value }) => [name, value]) ?? []);
    expect(facts['TPS with connecting counted']).toBe('618.764555');
    expect(facts['Latency average']).toMatch(/not measured/);
  });

  it('of 9.5 has colons, and its limit no total', () => {
    const text = version11
      .replaceAll(' = ', ': ')
      .replace(
        'latency average',
        'number of transactions above the 1.0 ms latency limit: 16 (100.000 %)\nlatency average',
      );
    const printed = only(text);
    expect(printed?.phases[0]?.transactions).toMatchObject({ tps: 622.977698, late: 16 });
    expect(printed?.phases[0]?.operations[0]?.latencyUs?.mean).toBe(15844);
  });

  it('may be one of several, each with the lines before it', () => {
    const reports = readPgbenchReports(`${version11}\n${version15}`);
    expect(reports.map(({ steps }) => steps[0]?.['pgbench.run']?.clients)).toEqual([10, 4]);
    expect(reports.map(({ printed }) => printed.series.length)).toEqual([0, 2]);
  });

  it('tells of each script', () => {
    const printed = only(`transaction type: multiple scripts
number of clients: 2
number of transactions actually processed: 13755
tps = 4600.5 (without initial connection time)
SQL script 1: <builtin: TPC-B (sort of)>
 - weight: 1 (targets 10.0% of total)
 - 1403 transactions (10.2% of total, tps = 469.253997)
 - number of failed transactions: 0 (0.000%)
 - latency average = 2.079 ms
 - latency stddev = 1.169 ms
SQL script 2: <builtin: select only>
 - 12352 transactions (89.8% of total, tps = 4131.2)
`);
    expect(
      printed?.phases[0]?.operations.map(({ name, count, perSecond, latencyUs }) => [
        name,
        count,
        perSecond,
        latencyUs?.mean ?? null,
      ]),
    ).toEqual([
      ['transactions', 13755, 4600.5, null],
      ['<builtin: TPC-B (sort of)>', 1403, 469.253997, 2079],
      ['<builtin: select only>', 12352, 4131.2, null],
    ]);
  });

  it('that is cut before its figures is refused', () => {
    expect(() => readPgbenchReports(version15.slice(0, version15.indexOf('number of transactions')))).toThrow(
      /no report of pgbench: neither a rate/,
    );
    expect(() => readPgbenchReports('tps = 1')).toThrow(/no line “transaction type”/);
  });

  it('however mangled, throws nothing but that it is none, and has no figure that is not in the text', () => {
    const lines = version15.split('\n');
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.constantFrom(...lines), fc.string(), fc.constant('tps = NaN (x)')), {
          maxLength: 25,
        }),
        fc.array(fc.tuple(fc.nat(400), fc.string({ maxLength: 3 })), { maxLength: 4 }),
        (parts, edits) => {
          let text = parts.join('\n');
          for (const [at, put] of edits) text = text.slice(0, at) + put + text.slice(at + 1);
          try {
            for (const { printed } of readPgbenchReports(text)) {
              printedSchema.parse(printed);
              for (const { count, perSecond } of printed.phases.flatMap(({ operations }) => operations)) {
                if (count !== null) expect(numbersOf(text)).toContain(count);
                if (perSecond !== null) expect(numbersOf(text)).toContain(perSecond);
              }
            }
          } catch (error) {
            if (!(error instanceof AppError)) throw error;
            expect(error.code).toBe('bad-input');
          }
        },
      ),
    );
  });
});

const numbersOf = (text: string) =>
  [...text.matchAll(/\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g)].map(([number]) => Number(number));
