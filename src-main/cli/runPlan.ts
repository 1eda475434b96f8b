import { createReadStream } from 'node:fs';
import type { Api } from '../../src-shared/contract/api.ts';
import { AppError } from '../../src-shared/errors.ts';
import type { Plan, Settle } from '../../src-shared/model/plan.ts';
import type { Run } from '../../src-shared/model/run.ts';
import { runObject } from '../reports/runObject.ts';
import { outcomeText, runSummary } from '../reports/summary.ts';
import { atHost } from './atHost.ts';
import { againstBaseline } from './baselines.ts';
import { type Cli, exitCodes, jsonText } from './cli.ts';
import { followRuns } from './followRuns.ts';
import { targetForRun } from './targets.ts';

export interface RunOptions {
  /** In place of the plan's own: saved targets' names or connection URLs. Several make it a series. */
  target?: string[];
  /** In place of the plan's own. */
  repeat?: number;
  /** Idle time between two runs of a series, as `30s`. */
  settle?: string;
  /** °C that the host is to be cooler than before the next run. */
  settleBelow?: number;
  /** How long that is waited for at most, as `10m`. */
  settleMost?: string;
  /** After so much time no further run of a series begins, as `8h`. */
  budget?: string;
  json?: boolean;
  quiet?: boolean;
  /** Why it may begin whatever the gate of the target's host says. */
  overrideGate?: string;
  /** Stop what disturbs on the target's host for the length of the run, also where the plan does not say so. */
  quietHost?: boolean;
  /** false: the server is not watched, whatever the plan says. */
  telemetry?: boolean;
}

/**
 * The plan of a file with what the options put in place of its own; `cells` is above 1 where parameters of it are lists.
 * @throws AppError for a plan that cannot be run
 */
export async function parsePlan(
  api: Api,
  file: string,
  text: string,
  options: RunOptions,
): Promise<{ plan: Plan; cells: number }> {
  const parsed = await api.call('plans.parse', { text, fileName: file });
  const [target] = options.target ?? [];
  const settle = settleOf(parsed, options);
  const plan: Plan = {
    ...parsed,
    ...(target !== undefined && { target }),
    ...(options.repeat !== undefined && { repeat: options.repeat }),
    ...(settle !== undefined && { settle }),
    ...(options.budget !== undefined && { budget: options.budget }),
    ...(options.quietHost && { quietHost: true }),
    ...(options.telemetry === false && { telemetry: false }),
  };
  const { problems, cells } = await api.call('plans.validate', { plan });
  if (problems.length > 0) throw planProblems(file, problems);
  return { plan, cells };
}

function settleOf({ settle }: Plan, options: RunOptions): Settle | undefined {
  const { settle: idle, settleBelow, settleMost } = options;
  if (idle === undefined && settleBelow === undefined && settleMost === undefined) return settle;
  const below = settleBelow ?? settle?.below;
  return {
    idle: idle ?? settle?.idle ?? '0s',
    atMost: settleMost ?? settle?.atMost ?? '10m',
    ...(below !== undefined && { below }),
  };
}

/** More than a plan may have: what is longer (a device, the wrong file) is refused by what reads it, without being read whole. */
const mostBytes = 4 * 1024 * 1024;

/** @throws AppError `not-found` */
export async function readPlanFile(file: string): Promise<string> {
  try {
    return (await createReadStream(file, { encoding: 'utf8', end: mostBytes }).toArray()).join('');
  } catch (cause) {
    throw new AppError(
      {
        code: 'not-found',
        message: 'The plan file cannot be read',
        place: { file },
        detail: cause instanceof Error ? cause.message : String(cause),
        hint: 'Check the path; assets/plans holds samples.',
      },
      { cause },
    );
  }
}

function planProblems(
  file: string,
  problems: readonly { path: string; message: string; hint: string | null }[],
): AppError {
  const [first, ...more] = problems;
  return new AppError({
    code: 'bad-input',
    message: first?.message ?? 'The plan cannot be run',
    place: { file, field: first?.path },
    detail: more.length > 0 ? more.map(({ path, message }) => `${path}: ${message}`).join('; ') : undefined,
    hint: first?.hint ?? undefined,
  });
}

/**
 * Runs a plan once, to its end.
 * @returns the exit code: 0 valid, 1 failed or not valid, 130 cancelled
 */
export async function runOnce(
  cli: Cli,
  api: Api,
  plan: Plan,
  options: RunOptions,
  signal: AbortSignal,
  onInterrupt: (stop: () => void) => void,
): Promise<number> {
  const line = options.json ? cli.terminal.err : cli.terminal.out;
  const follow = followRuns(api, cli.terminal, options.quiet ? null : line);
  try {
    const target = await targetForRun(cli, api, plan.target, signal);
    const head = await atHost(cli, api, plan, target, options, signal, () =>
      api.call(
        'runs.start',
        { plan, targetId: target.id, overrideGate: options.overrideGate ?? null },
        signal,
      ),
    );
    onInterrupt(() => {
      cli.terminal.err('Stopping; what was measured so far is kept. Ctrl-C again ends at once.');
      follow.stop();
    });
    await follow.begin(head);
    const ended = await follow.ended();
    // The end as it was told counts: on a full disk it may not be what could be stored.
    const run = { ...(await api.call('runs.get', { id: ended.id })), ...ended };
    cli.terminal.out(options.json ? jsonText(runObject(run)) : runSummary(run));
    if (run.status === 'finished') for (const text of await againstBaseline(api, run.id)) line(text);
    const code = exitCodeOfRun(run);
    // The object holds codes; why a run is not valid is no progress and is told even with --quiet.
    if (options.json && code !== exitCodes.ok) cli.terminal.err(outcomeText(run));
    return code;
  } finally {
    follow.close();
  }
}

/** 0 for a run that is valid, 1 for one that failed or is not valid, 130 for a cancelled one. */
export function exitCodeOfRun(run: Pick<Run, 'status' | 'verdicts'>): number {
  if (run.status === 'cancelled') return exitCodes.cancelled;
  const valid = run.verdicts.length > 0 && run.verdicts.every((verdict) => verdict.code === 'valid');
  return run.status === 'finished' && valid ? exitCodes.ok : exitCodes.notValid;
}
