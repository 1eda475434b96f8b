import { durationMs } from '../../src-shared/duration.ts';
import type { Plan } from '../../src-shared/model/plan.ts';
import type { Run } from '../../src-shared/model/run.ts';
import type { SeriesPreview } from '../../src-shared/model/runSeries.ts';
import type { Target } from '../../src-shared/model/target.ts';
import { formatCount, formatElapsed } from '../../src-shared/units.ts';
import type { RunRepository } from '../store/repositories.ts';
import { resolvePlan } from '../workloads/resolve.ts';
import type { PhaseSpec } from '../workloads/workload.ts';
import { cellPlans, mostRuns, refuse, tooMany } from './sweep.ts';

/** From here on it is worth a second look. */
const manyRuns = 100;
const longMs = 24 * 60 * 60 * 1000;
/** How many of a target's last runs are looked at for one of the same steps. */
const lookedAt = 50;

/**
 * What a plan comes to as a series on these targets, with what speaks against it.
 * @throws AppError `bad-input` for a plan with problems, and for more runs than a series may have
 */
export function previewSeries(plan: Plan, targets: readonly Target[], runs: RunRepository): SeriesPreview {
  const { parameters, plans } = cellPlans(plan);
  const count = plans.length * plan.repeat * targets.length;
  if (count > mostRuns) refuse([tooMany(parameters[0]?.path ?? 'repeat', count)]);
  const cells = plans.map((each) => resolvePlan(each));
  const rows = cells.reduce((sum, cell) => sum + (cell.rows ?? 0), 0) * plan.repeat * targets.length;
  const estimate = estimated(plan, cells, targets, runs, count);
  return {
    runs: count,
    parameters,
    rows,
    ...estimate,
    order: order(plan, plans.length, targets, cells[0]?.phases ?? []),
    warnings: warnings(plan, cells[0]?.phases ?? [], targets, count, estimate.estimatedMs),
  };
}

interface Cell {
  phases: readonly PhaseSpec[];
  rows: number | null;
}
type Estimate = Pick<SeriesPreview, 'estimatedMs' | 'basis'>;

function estimated(
  plan: Plan,
  cells: readonly Cell[],
  targets: readonly Target[],
  runs: RunRepository,
  count: number,
): Estimate {
  const idle = plan.settle === undefined ? 0 : durationMs(plan.settle.idle) * (count - 1);
  const ids = plan.steps.flatMap((step) => Object.keys(step)).join(' ');
  let sum = 0;
  let measured = false;
  for (const target of targets) {
    const last = lastOf(ids, target.name, runs);
    measured ||= last !== null;
    for (const cell of cells) {
      const ms = last === null ? plannedMs(cell) : scaledMs(last, cell);
      if (ms === null) {
        const basis = `How long it takes is not known: nothing with these steps has been run on ${target.name} yet.`;
        return { estimatedMs: null, basis };
      }
      sum += ms;
    }
  }
  const basis = measured
    ? 'By the last finished run of these steps on each target, loads in proportion to their rows.'
    : 'By the durations in the plan; connecting and making tables is not in it.';
  return { estimatedMs: sum * plan.repeat + idle, basis };
}

/** The newest run of a plan with the same kinds of steps that came to its end on the target. */
function lastOf(ids: string, target: string, runs: RunRepository): Run | null {
  const terms = [{ kind: 'facet', key: 'target', value: target, not: false } as const];
  const heads = runs.list({ terms, limit: lookedAt });
  for (const head of heads) {
    if (head.targetName !== target || head.status !== 'finished') continue;
    const run = runs.get(head.id);
    if (run !== null && run.endedAt !== null && run.resolvedSteps.map(({ id }) => id).join(' ') === ids)
      return run;
  }
  return null;
}

/** What the cell would take if its loads were as fast as that run's: all else takes as long as it did. */
function scaledMs(run: Run, cell: Cell): number | null {
  const took = Date.parse(run.endedAt ?? run.startedAt) - Date.parse(run.startedAt);
  const loads = run.phases.filter(({ kind }) => kind === 'load');
  const loadMs = loads.reduce((sum, { seconds }) => sum + seconds * 1000, 0);
  const rows = loads.reduce((sum, phase) => sum + phase.rows, 0);
  const timed = timedMs(cell.phases);
  const timedBefore = run.phases
    .filter(({ kind }) => kind === 'transactions')
    .reduce((sum, { seconds }) => sum + seconds * 1000, 0);
  const others = took - loadMs - (timed === null ? 0 : timedBefore);
  const load = rows > 0 ? (loadMs * (cell.rows ?? 0)) / rows : 0;
  return Math.max(0, others) + load + (timed ?? 0);
}

/** Where every phase has its duration in the plan; null otherwise. */
function plannedMs({ phases }: Cell): number | null {
  return phases.every(({ kind }) => kind === 'transactions') ? timedMs(phases) : null;
}

function timedMs(phases: readonly PhaseSpec[]): number | null {
  const transactions = phases.filter((phase) => phase.kind === 'transactions');
  if (transactions.length === 0 || transactions.some(({ seconds }) => seconds === null)) return null;
  return transactions.reduce((sum, phase) => sum + ((phase.seconds ?? 0) + phase.warmupSeconds) * 1000, 0);
}

function order(
  plan: Plan,
  cells: number,
  targets: readonly Target[],
  phases: readonly PhaseSpec[],
): string[] {
  const names = targets.map(({ name }) => name);
  const cell = cells > 1 ? 'cell by cell, the last parameter changing fastest' : '';
  const on = targets.length > 1 ? `${cells > 1 ? 'each' : 'one run'} on ${names.join(', then ')}` : '';
  const round = [cell, on].filter((part) => part !== '').join(', ');
  const sentences =
    plan.repeat > 1
      ? [`Round by round${round === '' ? '' : `: ${round}, then all again`}.`]
      : [`${capital(round)}.`];
  const made = phases.flatMap((phase) => {
    if (phase.kind === 'load' && phase.doLoad && phase.doCreateDb)
      return [`Each run makes the database ${phase.database} anew.`];
    if (phase.kind === 'initialize') return [`Each run makes its tables in ${phase.database} anew.`];
    return [];
  });
  if (made.length > 0) sentences.push(...new Set(made));
  else if (phases.some(({ kind }) => kind !== 'load'))
    sentences.push('Nothing is made anew between the runs.');
  return sentences;
}

function warnings(
  plan: Plan,
  phases: readonly PhaseSpec[],
  targets: readonly Target[],
  count: number,
  estimatedMs: number | null,
): string[] {
  const budget = plan.budget === undefined ? null : durationMs(plan.budget);
  const hostless = targets.filter(({ hostId }) => hostId === null).map(({ name }) => name);
  const found: string[] = [];
  for (const phase of phases) {
    if (phase.kind !== 'load' || !phase.doLoad) continue;
    if (phase.doCreateDb && phase.doAbortOnExist) {
      found.push(
        `Every run but the first finds the database ${phase.database} and is refused: turn “Refuse an existing database” off.`,
      );
    } else if (!phase.doCreateDb) {
      found.push(
        `The rows of each run stay in ${phase.database} for the next: later runs load into fuller tables. Turn “Create the database” on to measure each alike.`,
      );
    }
  }
  if (plan.settle?.below !== undefined && hostless.length > 0) {
    found.push(
      `${hostless.join(', ')}: no host is known, so the temperature cannot be waited for; only the idle time is.`,
    );
  }
  if (budget !== null && estimatedMs !== null && estimatedMs > budget) {
    const fit = Math.max(1, Math.floor((budget / estimatedMs) * count));
    found.push(
      `The time budget is used up after about ${formatCount(fit)} of ${formatCount(count)} runs. The rest can be resumed.`,
    );
  } else if (estimatedMs !== null && estimatedMs > longMs && budget === null) {
    found.push(`It takes about ${formatElapsed(estimatedMs)}, more than a day. Consider a time budget.`);
  }
  if (count > manyRuns)
    found.push(`${formatCount(count)} runs are many: each takes time and room in the data file.`);
  return found;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
