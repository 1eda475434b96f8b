import { z } from 'zod';
import type { CommandOutput, ConfigPlan } from '../../src-shared/contract/commands.ts';
import { AppError } from '../../src-shared/errors.ts';
import { type Plan, stepId, stepParameters } from '../../src-shared/model/plan.ts';
import { resolvePlan } from '../workloads/resolve.ts';
import { readConfig } from '../workloads/tsbs/interop/readConfig.ts';
import type { ExportedServer } from '../workloads/tsbs/interop/writeCommands.ts';
import { writeConfig } from '../workloads/tsbs/interop/writeConfig.ts';
import type { ResolvedStep } from '../workloads/workload.ts';
import { shown, shownLeftOut } from './commandLine.ts';
import type { TargetDirectory } from './targetDirectory.ts';
import { withoutPassword } from './targetUrl.ts';

/** A configuration of `tsbs_load` as a plan. @throws AppError `yaml-syntax` where nothing of it can be read */
export function planFromConfig(text: string, file: string | null): ConfigPlan {
  const { name, target, step, taken, leftOut, mistakes } = readConfig(text, file);
  return {
    plan: {
      ...{ version: 1, name, steps: [step], repeat: 1 },
      target: target === null ? 'sandbox' : withoutPassword(target),
    },
    serverNamed: target !== null,
    taken: taken.map(({ option, parameter, value }) => ({
      option: shown(option),
      parameter,
      value: typeof value === 'string' ? shown(value) : value,
    })),
    leftOut: leftOut.map(shownLeftOut),
    mistakes,
  };
}

/**
 * A plan as a configuration of `tsbs_load`.
 * @throws AppError `unsupported` where it loads no rows of TSBS, `bad-input` where something is wrong with the plan
 */
export async function configFromPlan(
  plan: Plan,
  directory: Pick<TargetDirectory, 'resolve'>,
): Promise<CommandOutput<'plans.toTsbsConfig'>> {
  const { steps, problems } = resolvePlan(plan);
  const [problem] = problems;
  if (problem)
    throw new AppError({
      code: 'bad-input',
      message: problem.message,
      place: { field: problem.path },
      hint: problem.hint ?? undefined,
    });
  const written = writeConfig({
    steps: withSeeds(steps, plan),
    server: await serverOf(plan.target, directory),
  });
  if (written === null)
    throw new AppError({
      code: 'unsupported',
      message: 'This plan loads no rows of TSBS',
      hint: 'A configuration of tsbs_load is made of a step tsbs.load or tsbs.file.',
    });
  const repeats = plan.repeat > 1 ? [{ option: 'repeat', reason: 'tsbs_load loads once' }] : [];
  return { text: written.text, leftOut: [...written.leftOut, ...repeats] };
}

/** Where the target is, as far as it is known on this machine; null for a built-in one, or one that is not known here. */
async function serverOf(
  target: string,
  directory: Pick<TargetDirectory, 'resolve'>,
): Promise<ExportedServer> {
  const found = await directory.resolve(target).catch((error: unknown) => {
    if (error instanceof AppError) return null;
    throw error;
  });
  if (found === null) return null;
  const parsed = addressSchema.safeParse(found.connection);
  return found.builtIn || !parsed.success ? null : { engine: found.engine, ...parsed.data };
}

const addressSchema = z.object({
  host: z.string(),
  port: z.number().default(5432),
  user: z.string().default('postgres'),
  adminDatabase: z.string().default('postgres'),
  tlsMode: z.string().default('prefer'),
  ilpPort: z.number().default(9009),
});

/** A seed from the clock stays one: what a run would draw now is of no use in a file. */
function withSeeds(steps: readonly ResolvedStep[], plan: Plan): ResolvedStep[] {
  let loaded: unknown;
  return steps.map((step, at) => {
    const raw = plan.steps[at];
    if (raw === undefined || !('seed' in step.parameters)) return step;
    const { seed } = stepParameters(raw);
    if (stepId(raw) === 'tsbs.load') loaded = seed;
    return (seed ?? loaded) === 0 ? { ...step, parameters: { ...step.parameters, seed: 0 } } : step;
  });
}
