import type { RowShare, RowSource, RowSourceSpec } from '../workload.ts';
import { CpuModel, cpuFields } from './cpuOnly/model.ts';
import { DevopsModel } from './devops/model.ts';
import { EpochRows } from './epochRows.ts';
import { GenericRows } from './generic/rows.ts';
import { IotRows } from './iot/rows.ts';
import { simulationSchema } from './simulation.ts';

/** Opens the rows of a simulation. */
export function openTsbsRows(source: RowSourceSpec, share?: RowShare): RowSource {
  const simulation = simulationSchema.parse(source.parameters);
  const { scale, seed, logInterval, useCase } = simulation;
  switch (useCase) {
    case 'cpu-only':
      return new EpochRows(new CpuModel(scale, seed, cpuFields.length), simulation, share);
    case 'cpu-single':
      return new EpochRows(new CpuModel(scale, seed, 1), simulation, share);
    case 'devops':
      return new EpochRows(new DevopsModel(scale, seed, logInterval), simulation, share);
    case 'iot':
      return new IotRows(simulation, share);
    case 'devops-generic':
      return new GenericRows(simulation, share);
  }
}
