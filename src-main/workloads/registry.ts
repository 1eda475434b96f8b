import { AppError } from '../../src-shared/errors.ts';
import { selectAndFetch } from './fetch/index.ts';
import { pgbench } from './pgbench/index.ts';
import { sysbench } from './sysbench/index.ts';
import { tsbs } from './tsbs/index.ts';
import type { Step, Workload } from './workload.ts';

/** Every workload, one line each; nothing else in the project switches on a workload's name. */
export const workloads: readonly Workload[] = [tsbs, selectAndFetch, pgbench, sysbench];

/** @throws AppError `not-found` naming the workloads there are */
export function findWorkload(id: string): Workload {
  const workload = workloads.find((candidate) => candidate.id === id);
  if (workload) return workload;
  throw new AppError({
    code: 'not-found',
    message: `There is no workload ${JSON.stringify(id)}`,
    hint: `Workloads: ${workloads.map((candidate) => candidate.id).join(', ')}.`,
  });
}

/** All steps a plan can hold. */
export const steps: readonly Step[] = workloads.flatMap((workload) => workload.steps);
