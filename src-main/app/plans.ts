import { AppError } from '../../src-shared/errors.ts';
import type { Plan, SavedPlan } from '../../src-shared/model/plan.ts';
import { cellCount } from '../../src-shared/stats/runSeries.ts';
import { steps } from '../workloads/registry.ts';
import { planFromCommandLine } from './commandLine.ts';
import type { AppContext, HandlersOf } from './context.ts';
import { checkPlan } from './planCheck.ts';
import { type PlanVocabulary, readPlanFile, writePlanFile } from './planFile.ts';
import { readSamples } from './samples.ts';
import { cellPlans, resolveSweep } from './sweep.ts';
import type { TargetDirectory } from './targetDirectory.ts';
import { withoutPassword } from './targetUrl.ts';
import { configFromPlan, planFromConfig } from './tsbsConfig.ts';

/** What plan files may hold, from the registry of workloads. */
export const planVocabulary: PlanVocabulary = {
  steps: steps.map(({ id, parameters }) => ({ id, keys: Object.keys(parameters.shape) })),
  check: (plan) => resolveSweep(plan).problems,
};

export function planHandlers({ store }: AppContext, directory: TargetDirectory): HandlersOf<'plans'> {
  let samples: readonly SavedPlan[] | null = null;
  const sampleList = () => {
    samples ??= readSamples(planVocabulary);
    return samples;
  };

  function get(id: string): SavedPlan {
    const plan = sampleList().find((sample) => sample.id === id) ?? store.plans.get(id);
    if (plan) return plan;
    throw new AppError({
      code: 'not-found',
      message: `There is no plan with the id ${JSON.stringify(id)}`,
      hint: 'It may have been removed: choose another plan.',
    });
  }

  function refuseSample(id: string): void {
    if (sampleList().some((sample) => sample.id === id)) {
      throw new AppError({
        code: 'bad-input',
        message: 'This plan ships with Benchberry and stays as it is',
        hint: 'Save a copy of it and change that.',
      });
    }
  }

  return {
    'plans.list': async () => [...store.plans.list(), ...sampleList()],
    'plans.get': async ({ id }) => get(id),
    async 'plans.save'({ id, plan }) {
      if (id !== null) {
        refuseSample(id);
        get(id);
      }
      return store.plans.save(id, storablePlan(plan));
    },
    async 'plans.remove'({ id }) {
      refuseSample(id);
      get(id);
      store.plans.remove(id);
      return null;
    },
    async 'plans.restore'({ id }) {
      return store.plans.restore(id) ?? get(id);
    },
    async 'plans.validate'({ plan }) {
      const { parameters, ...judged } = resolveSweep(plan);
      return { ...judged, cells: cellCount(parameters) };
    },
    'plans.parse': async ({ text, fileName }) => readPlanFile(text, fileName, planVocabulary),
    'plans.fromCommandLine': async ({ text, files }) => planFromCommandLine(text, files),
    'plans.fromTsbsConfig': async ({ text, fileName }) => planFromConfig(text, fileName),
    'plans.toTsbsConfig': async ({ plan }) => configFromPlan(plan, directory),
    'plans.toYaml': async ({ plan }) => writePlanFile(storablePlan(plan)),
    async 'plans.check'({ plan, targetId }, signal) {
      const [cell = plan] = resolveSweep(plan).problems.length > 0 ? [] : cellPlans(plan).plans;
      return checkPlan(cell, await directory.get(targetId), directory, signal);
    },
  };
}

/** A plan as it may be kept: the password of a target's URL is left out. */
export function storablePlan(plan: Plan): Plan {
  return { ...plan, target: withoutPassword(plan.target) };
}
