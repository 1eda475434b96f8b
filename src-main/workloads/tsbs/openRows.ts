import type { RowShare, RowSource, RowSourceSpec } from '../workload.ts';
import { CpuOnlyRows } from './cpuOnly/rows.ts';
import { simulationSchema } from './simulation.ts';

/** Opens the rows of a simulation. */
export function openTsbsRows(source: RowSourceSpec, share?: RowShare): RowSource {
  return new CpuOnlyRows(simulationSchema.parse(source.parameters), share);
}
