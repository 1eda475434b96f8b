import { describe, expect, it } from 'vitest';
import type { Tick } from '../../../src-shared/model/tick.ts';
import { operationOf, phaseOf, tickOf } from '../testRun.ts';
import { pgbenchInit } from './index.ts';

describe('pgbench’s lines of an initialisation', () => {
  const given = (parameters: Record<string, unknown> = {}) => ({
    ...{ plannedParameters: {}, toolVersion: '0.1.0', startedAt: '2026-01-02T03:04:05.000Z' },
    parameters: { scale: 2, partitions: 0, quiet: false, ...parameters },
  });
  const step = (name: string, rows: number, intervalMs = 1000): Tick => {
    const [base] = tickOf({}).operations;
    if (!base) throw new Error('no operation');
    return { ...tickOf({ intervalMs }), operations: [{ ...base, name, rows }] };
  };
  const ticks = [
    step('drop tables', 0),
    step('client-side generate', 150_022),
    step('client-side generate', 50_000),
  ];

  it('are those of its steps and of every hundred thousand accounts', () => {
    const operations = [
      ...['drop tables', 'create tables', 'client-side generate'].map((name) =>
        operationOf({ name, seconds: 0.25 }),
      ),
    ];
    const lines = ticks.flatMap(pgbenchInit.progress(given()));
    expect(lines).toEqual([
      'dropping old tables...',
      'generating data (client-side)...',
      '100000 of 200000 tuples (50%) done (elapsed 1.00 s, remaining 1.00 s)',
      '200000 of 200000 tuples (100%) done (elapsed 2.00 s, remaining 0.00 s)',
    ]);
    expect(pgbenchInit.end(given({ partitions: 4 }), phaseOf({ seconds: 0.75, operations }), ticks)).toEqual([
      'creating tables...',
      'creating 4 partitions...',
      'done in 0.75 s (drop tables 0.25 s, create tables 0.25 s, client-side generate 0.25 s).',
    ]);
  });

  it('are few where it is to be quiet', () => {
    expect(ticks.flatMap(pgbenchInit.progress(given({ quiet: true })))).toEqual([
      'dropping old tables...',
      'generating data (client-side)...',
      '200000 of 200000 tuples (100%) done (elapsed 2.00 s, remaining 0.00 s)',
    ]);
  });
});
