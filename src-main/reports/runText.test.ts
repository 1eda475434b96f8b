import { describe, expect, it } from 'vitest';
import { reportingPeriodSeconds, runText } from './runText.ts';
import { operationOf, phaseOf, runOf, tickOf } from './testRun.ts';

describe('runText', () => {
  it('prints a load and the queries after it', () => {
    const run = runOf({
      resolvedSteps: [
        { id: 'tsbs.load', parameters: { reportingPeriod: '1s' } },
        { id: 'tsbs.queries', parameters: {} },
      ],
      phases: [
        phaseOf(),
        phaseOf({ index: 1, kind: 'queries', operations: [operationOf({ name: 'lastpoint' })] }),
      ],
    });
    const ticks = [
      tickOf({ rows: 30, metrics: 300 }),
      tickOf({ seq: 1, atMs: 2000, rows: 10, metrics: 100 }),
      tickOf({ seq: 2, phase: 1, atMs: 3000, rows: 99 }),
    ];
    const stats =
      'min:     1.00ms, med:     2.00ms, mean:     2.50ms, max:    4.00ms, stddev:     1.12ms, sum:   0.0sec, count: 4';
    expect(runText(run, ticks)).toBe(
      [
        'time,per. metric/s,metric total,overall metric/s,per. row/s,row total,overall row/s',
        '1767323046,300.00,3.000000E+02,300.00,30.00,3.000000E+01,30.00',
        '1767323047,100.00,4.000000E+02,200.00,10.00,4.000000E+01,20.00',
        '',
        'Summary:',
        'loaded 400 metrics in 2.000sec with 1 workers (mean rate 200.00 metrics/sec)',
        'loaded 40 rows in 2.000sec with 1 workers (mean rate 20.00 rows/sec)',
        '',
        'Run complete after 4 queries with 1 workers (Overall query rate 2.00 queries/sec):',
        'all queries:',
        stats,
        'lastpoint  :',
        stats,
        'wall clock time: 2.000000sec',
        '',
      ].join('\n'),
    );
  });
  it('is empty for a run without phases', () => {
    expect(runText(runOf({ phases: [] }), [])).toBe('');
  });
});

describe('reportingPeriodSeconds', () => {
  it.each([
    ['10s', 10],
    ['1m30s', 90],
    ['500ms', 0.5],
    ['1.5h', 5400],
    ['0', 0],
    ['0s', 0],
    [3, 3],
    ['soon', 10],
    [undefined, 10],
  ])('%s', (value, seconds) => {
    const parameters = value === undefined ? {} : { reportingPeriod: value };
    expect(reportingPeriodSeconds({ resolvedSteps: [{ id: 'tsbs.load', parameters }] }, 0)).toBe(seconds);
  });
});
