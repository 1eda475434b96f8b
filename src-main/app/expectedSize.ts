import { findWorkload } from '../workloads/registry.ts';
import { surveyRows } from '../workloads/sources.ts';
import type { PhaseSpec } from '../workloads/workload.ts';

/** Rows of a file that are looked at for its size. */
const looked = 1000;

/**
 * Bytes that the loads of a plan leave on the disk, estimated as PostgreSQL's heap lays rows out: header and line pointer
 * 28, time and device 16, 8 for each value, and two index entries of 16 bytes with their line pointers in pages that are
 * 90 % full. Compression or another engine need less; a load into a database that the plan has loaded already replaces
 * what was there.
 * @throws AppError where a file of rows cannot be read
 */
export async function expectedBytes(phases: readonly PhaseSpec[], signal: AbortSignal): Promise<number> {
  const byDatabase = new Map<string, number>();
  for (const phase of phases) {
    if (phase.kind !== 'load' || !phase.doLoad) continue;
    const { dataset, totalRows } = await surveyRows(findWorkload, phase.rows, { signal, atMost: looked });
    const { tables } = dataset;
    const values = tables.reduce((sum, { fields }) => sum + fields.length, 0) / Math.max(1, tables.length);
    const bytes = totalRows * (28 + 16 + 8 * values + (2 * (16 + 8 + 4)) / 0.9);
    byDatabase.set(phase.database, Math.max(byDatabase.get(phase.database) ?? 0, bytes));
  }
  return Math.round([...byDatabase.values()].reduce((sum, bytes) => sum + bytes, 0));
}
