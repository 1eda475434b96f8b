import { entryOf } from '../../src-shared/entryOf.ts';
import type { Run } from '../../src-shared/model/run.ts';
import type { Dialect, PhaseAbout } from './dialect.ts';
import { fetchRead } from './fetch.ts';
import { pgbenchInit, pgbenchRun } from './pgbench/index.ts';
import { sysbenchCleanup, sysbenchPrepare, sysbenchRun } from './sysbench/index.ts';

/** By a step's id. TSBS's steps are told of by what kind of phase they are. */
const dialects: Readonly<Record<string, Dialect>> = {
  'fetch.read': fetchRead,
  'pgbench.init': pgbenchInit,
  'pgbench.run': pgbenchRun,
  'sysbench.prepare': sysbenchPrepare,
  'sysbench.run': sysbenchRun,
  'sysbench.cleanup': sysbenchCleanup,
};

/** The words for a phase of a run, and what they need; null where it is TSBS's. Phases and steps are one to one. */
export function dialectOf(
  run: Pick<Run, 'resolvedSteps' | 'plan' | 'client' | 'startedAt'>,
  phase: number,
): { dialect: Dialect; about: PhaseAbout } | null {
  const step = run.resolvedSteps[phase];
  const dialect = step && entryOf(dialects, step.id);
  if (!dialect || run.client === null) return null;
  const planned = run.plan.steps[phase]?.[step.id] ?? {};
  return {
    dialect,
    about: {
      parameters: step.parameters,
      plannedParameters: planned,
      toolVersion: run.client.toolVersion,
      startedAt: run.startedAt,
    },
  };
}
