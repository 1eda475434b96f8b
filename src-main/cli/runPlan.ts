import { createReadStream } from 'node:fs';
import type { Api } from '../../src-shared/contract/api.ts';
import { AppError } from '../../src-shared/errors.ts';
import type { Plan } from '../../src-shared/model/plan.ts';
import type { Run, RunHead } from '../../src-shared/model/run.ts';
import type { Target } from '../../src-shared/model/target.ts';
import { runObject } from '../reports/runObject.ts';
import { outcomeText, runSummary } from '../reports/summary.ts';
import { type Cli, exitCodes, jsonText, withApp } from './cli.ts';
import { followRuns } from './followRuns.ts';
import { signedIn } from './hosts.ts';
import { withInterrupts } from './interrupts.ts';
import { targetForRun } from './targets.ts';

export interface RunOptions {
  /** In place of the plan's own: a saved target's name or a connection URL. */
  target?: string;
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
 * Runs a plan file to its end, with all its repeats.
 * @returns the exit code: 0 all valid, 1 failed or not valid, 130 cancelled
 * @throws AppError for a plan or target that cannot be run
 */
export async function runPlan(cli: Cli, file: string, options: RunOptions): Promise<number> {
  const text = await readPlanFile(file);
  return withApp(cli, async ({ api }) => {
    const plan = await parsePlan(api, file, text, options);
    return withInterrupts(cli, (signal, interrupted) =>
      execute(cli, api, plan, options, signal, interrupted),
    );
  });
}

/** @throws AppError for a plan that cannot be run */
export async function parsePlan(api: Api, file: string, text: string, options: RunOptions): Promise<Plan> {
  const parsed = await api.call('plans.parse', { text, fileName: file });
  const plan = {
    ...parsed,
    ...(options.target !== undefined && { target: options.target }),
    ...(options.quietHost && { quietHost: true }),
    ...(options.telemetry === false && { telemetry: false }),
  };
  const { problems } = await api.call('plans.validate', { plan });
  if (problems.length > 0) throw planProblems(file, problems);
  return plan;
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

async function execute(
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
    const head = await startRun(cli, api, plan, target, options, signal);
    onInterrupt(() => {
      cli.terminal.err('Stopping; what was measured so far is kept. Ctrl-C again ends at once.');
      follow.stop();
    });
    await follow.begin(head);
    const codes: number[] = [];
    for (let done = 0; done < plan.repeat; done += 1) {
      const ended = await follow.ended();
      // The end as it was told counts: on a full disk it may not be what could be stored.
      const run = { ...(await api.call('runs.get', { id: ended.id })), ...ended };
      cli.terminal.out(options.json ? jsonText(runObject(run)) : runSummary(run));
      const code = exitCodeOfRun(run);
      // The object holds codes; why a run is not valid is no progress and is told even with --quiet.
      if (options.json && code !== exitCodes.ok) cli.terminal.err(outcomeText(run));
      codes.push(code);
      if (run.status !== 'finished') break;
    }
    return Math.max(...codes);
  } finally {
    follow.close();
  }
}

/** Where the target has a host: what will be stopped on it, what its gate waits for, and its passwords. */
async function startRun(
  cli: Cli,
  api: Api,
  plan: Plan,
  target: Target,
  { overrideGate, quiet }: RunOptions,
  signal: AbortSignal,
): Promise<RunHead> {
  const start = () =>
    api.call('runs.start', { plan, targetId: target.id, overrideGate: overrideGate ?? null }, signal);
  const host =
    target.hostId === null
      ? undefined
      : (await api.call('hosts.list', null)).find(({ id }) => id === target.hostId);
  if (host === undefined) return start();
  let told = '';
  const off = api.on('run.gate', ({ hostName, checks }) => {
    const waiting = checks.filter(({ result }) => result === 'wait');
    const titles = waiting.map(({ title }) => title).join(', ');
    const lines = waiting.map(({ title, detail }) => `${title}: ${detail}`).join('; ');
    if (quiet || titles === '') return;
    if (titles !== told) cli.terminal.err(`Waiting until ${hostName} is ready. ${lines}`);
    else cli.terminal.status(`Waiting until ${hostName} is ready. ${lines}`);
    told = titles;
  });
  try {
    return await signedIn(cli, api, host, async () => {
      if (plan.quietHost) {
        const on = await api.call('hosts.disturbers', { id: host.id }, signal);
        const words =
          on.length === 0 ? 'nothing that disturbs is on' : `stopped and started again: ${on.join(', ')}`;
        cli.terminal.err(`${host.name} is kept quiet for the length of the run: ${words}`);
      }
      return start();
    });
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'host-not-ready') throw error;
    throw new AppError({
      ...error.toData(),
      hint: 'Mend that and start again, or begin all the same with --override-gate "why": the note is kept with the run.',
    });
  } finally {
    off();
  }
}

/** 0 for a run that is valid, 1 for one that failed or is not valid, 130 for a cancelled one. */
export function exitCodeOfRun(run: Pick<Run, 'status' | 'verdicts'>): number {
  if (run.status === 'cancelled') return exitCodes.cancelled;
  const valid = run.verdicts.length > 0 && run.verdicts.every((verdict) => verdict.code === 'valid');
  return run.status === 'finished' && valid ? exitCodes.ok : exitCodes.notValid;
}
