import type { PlanStep } from '../../../../src-shared/model/plan.ts';
import { fileStep } from '../load/fileStep.ts';
import { loadStep } from '../load/loadStep.ts';
import type { Parameters } from './settings.ts';

/** What `tsbs_generate_data` makes where nothing is said; it has no default for the use case. */
export const generatorDefaults: Parameters = {
  useCase: 'cpu-only',
  scale: 1,
  seed: 0,
  timestampStart: '2016-01-01T00:00:00Z',
  timestampEnd: '2016-01-02T00:00:00Z',
};

/** What `tsbs_load` simulates where its configuration says nothing. */
export const simulatorDefaults: Parameters = {
  useCase: 'devops-generic',
  scale: 1,
  seed: 0,
  timestampStart: '2020-01-01T00:00:00Z',
  timestampEnd: '2020-01-02T00:00:00Z',
};

/** Kinds of lines that make what another one takes. */
export type WaitingKind = 'data' | 'queries';

/** As TSBS loads into QuestDB. */
export const overTcp: Parameters = { ilpTransport: 'tcp' };

/** A load of rows that are made as they are sent. */
export function simulatedLoad(parameters: Parameters, defaults: Parameters): PlanStep {
  return { [loadStep.id]: { ...defaults, ...parameters } };
}

/** A load of a file, without what only makes rows. */
export function fileLoad(file: string, parameters: Parameters): PlanStep {
  const own = Object.entries(parameters).filter(([key]) => key in fileStep.parameters.shape);
  return { [fileStep.id]: { file, ...Object.fromEntries(own) } };
}
