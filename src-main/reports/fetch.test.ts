import { expect, it } from 'vitest';
import { fetchTable, hasFetches } from './fetch.ts';
import { runObject } from './runObject.ts';
import { runText } from './runText.ts';
import { runSummary } from './summary.ts';
import { latencyOf, operationOf, phaseOf, runOf } from './testRun.ts';

const cold = operationOf({
  name: '1 reader, first read',
  cache: 'first',
  readers: 1,
  count: 1,
  rows: 5000,
  bytes: 1024 * 1024,
  seconds: 0.5,
  perSecond: 2,
  latencyUs: latencyOf({ p50: 450_000, p95: 450_000, p99: 450_000, max: 450_000 }),
  firstRowUs: latencyOf({ p50: 120_000 }),
});
const warm = operationOf({
  ...cold,
  name: '1 reader, warm',
  cache: 'warm',
  count: 100,
  rows: 500_000,
  bytes: 40 * 1024 * 1024,
  seconds: 4,
  perSecond: 25,
  latencyUs: latencyOf({ p50: 38_000, p95: 60_000, p99: 70_000, max: 90_000 }),
  firstRowUs: null,
});
const read = phaseOf({ name: 'fetch.read', kind: 'queries', operations: [cold, warm] });
const table = [
  'fetches               count  errors  fetches/s   rows/s      data/s  first row p50  last row p50      p95      p99      max',
  '1 reader, first read      1       0       2.00   10,000  2.00 MiB/s         120 ms        450 ms   450 ms   450 ms   450 ms',
  '1 reader, warm          100       0      25.00  125,000  10.0 MiB/s              –       38.0 ms  60.0 ms  70.0 ms  90.0 ms',
];

it('fetches are a table of rates, bytes, the first row and the last', () => {
  expect(fetchTable(read.operations)).toEqual(table);
  expect([hasFetches(read), hasFetches(phaseOf())]).toEqual([true, false]);
});

it('the table is the text of a phase of fetches, and part of the summary', () => {
  const run = runOf({
    resolvedSteps: [{ id: 'fetch.read', parameters: {} }],
    phases: [{ ...read, index: 0 }],
  });
  expect(runText(run, [])).toBe(`${table.join('\n')}\n`);
  expect(runSummary(run)).toContain(table.map((line) => `  ${line}`).join('\n'));
});

it('--json has what only fetches have', () => {
  const [phase] = runObject(runOf({ phases: [read] })).phases;
  expect(phase?.operations.map(({ fetch }) => fetch)).toEqual([
    {
      ...{ readers: 1, cache: 'first', rows: 5000, bytes: 1024 * 1024, seconds: 0.5 },
      firstRowUs: expect.objectContaining({ p50: 120_000 }),
    },
    { readers: 1, cache: 'warm', rows: 500_000, bytes: 40 * 1024 * 1024, seconds: 4, firstRowUs: null },
  ]);
  expect(runObject(runOf()).phases[0]?.operations[0]).not.toHaveProperty('fetch');
});
