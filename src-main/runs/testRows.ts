import { z } from 'zod';
import type { Run } from '../../src-shared/model/run.ts';
import type { RowSink } from '../databases/driver.ts';
import { findWorkload } from '../workloads/registry.ts';
import { resolvePlan } from '../workloads/resolve.ts';
import { openRows } from '../workloads/sources.ts';

/** For tests: sums of each field over the rows that a stored run's plan simulates, straight from the simulation. */
export function openRowsOf(run: Run): number[] {
  const [phase] = resolvePlan(z.json().parse(run.plan)).phases;
  if (phase?.kind !== 'load') throw new Error('the plan begins with a load');
  const source = openRows(findWorkload, phase.rows);
  const sums = Array.from({ length: source.dataset.tables[0]?.fields.length ?? 0 }, () => 0);
  const row: RowSink['row'] = (_table, _device, _timeMs, _nanos, values) => {
    for (const [field, value] of values.entries()) sums[field] = (sums[field] ?? 0) + value;
  };
  source.fill({ row }, source.totalRows);
  return sums;
}
