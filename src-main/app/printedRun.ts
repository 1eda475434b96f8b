import type { Plan } from '../../src-shared/model/plan.ts';
import type { Printed } from '../../src-shared/model/printed.ts';
import type { Run } from '../../src-shared/model/run.ts';
import { headFigures } from '../store/runHead.ts';

/** Figures that were printed elsewhere, as a run: what is not told stays empty. */
export function printedRun(about: {
  id: string;
  code: 'imported' | 'published';
  name: string;
  machine: string;
  engine: string;
  plan: Plan;
  /** When it was imported, or published. */
  at: string;
  printed: Printed;
}): Run {
  const { id, code, name, machine, engine, plan, at, printed } = about;
  const parts = { server: null, phases: [], printed };
  return {
    id,
    name,
    status: 'finished',
    verdicts: [{ code, reason: reasons[code](printed), advice: '' }],
    targetName: machine,
    engine,
    startedAt: at,
    endedAt: at,
    tags: [],
    notes: '',
    group: null,
    ...headFigures(parts),
    plan,
    resolvedSteps: plan.steps.flatMap((step) =>
      Object.entries(step).map(([stepId, parameters]) => ({ id: stepId, parameters })),
    ),
    seed: seedOf(plan),
    client: null,
    host: null,
    error: null,
    ...parts,
  };
}

/** The seed that a plan names for all of its data; null where it names none. */
function seedOf({ steps }: Plan): number | null {
  const seeds = steps.flatMap((step) => Object.values(step).map(({ seed }) => seed));
  const told = seeds.filter((seed) => typeof seed === 'number');
  return told[0] ?? null;
}

const reasons = {
  imported: ({ source }: Printed) =>
    `Read from what ${source.program ?? 'another program'} printed. Whether anything spoke against these figures is not known.`,
  published: ({ source }: Printed) =>
    `The figures of “${source.title}”${source.date === null ? '' : ` (${source.date})`}. Whether anything spoke against them is not known.`,
};
