import { resolvePlan } from '../workloads/resolve.ts';
import type { RunRequest } from './runner.ts';

/** What the runner takes, of steps that have no problems; for tests. */
export function requestOf(
  steps: Record<string, unknown>[],
  where: Pick<RunRequest, 'targetName' | 'driver' | 'resolve'>,
): RunRequest {
  const resolved = resolvePlan({ version: 1, name: `On ${where.targetName}`, target: 'sandbox', steps });
  if (resolved.plan === null || resolved.problems.length > 0)
    throw new Error(JSON.stringify(resolved.problems));
  return { ...where, plan: resolved.plan, steps: resolved.steps, phases: resolved.phases, group: null };
}
