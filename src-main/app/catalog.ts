import type { EngineInfo, WorkloadInfo } from '../../src-shared/model/engine.ts';
import { drivers } from '../databases/registry.ts';
import { workloads } from '../workloads/registry.ts';
import type { HandlersOf } from './context.ts';
import { formFields } from './forms.ts';

/** What can be measured: the registry of engines, their connections as forms. */
export function engineInfos(): EngineInfo[] {
  return drivers.map(({ id, label, description, builtIn, connection }) => ({
    id,
    label,
    description,
    builtIn,
    connection: formFields(connection),
  }));
}

/** How it can be measured: the registry of workloads, the parameters of their steps as forms. */
export function workloadInfos(): WorkloadInfo[] {
  return workloads.map(({ id, label, description, steps }) => ({
    id,
    label,
    description,
    steps: steps.map((step) => ({
      id: step.id,
      label: step.label,
      description: step.description,
      fields: formFields(step.parameters),
    })),
  }));
}

export function catalogHandlers(): HandlersOf<'engines' | 'workloads'> {
  const engines = engineInfos();
  const catalog = workloadInfos();
  return { 'engines.list': async () => engines, 'workloads.list': async () => catalog };
}
