import type { Api } from '../../src-shared/contract/api.ts';
import { AppError, describeError, toAppError } from '../../src-shared/errors.ts';
import type { Plan } from '../../src-shared/model/plan.ts';
import type { Progress, Run } from '../../src-shared/model/run.ts';
import { type Cli, exitCodes, withApp } from './cli.ts';
import { withInterrupts } from './interrupts.ts';
import { createProgressPrinter, type ProgressPrinter } from './progress.ts';
import { onEachHost } from './rackSecrets.ts';
import { printRack, type RackOptions, rackTargets } from './racks.ts';
import { exitCodeOfRun, parsePlan, type RunOptions, readPlanFile } from './runPlan.ts';
import { targetForRun } from './targets.ts';

/**
 * `run PLAN --rack NAME`: the plan on every host of a rack, to its end.
 * @returns the exit code: 0 all runs valid, 1 one failed or is not valid, 130 one was cancelled
 * @throws AppError for a plan that cannot be run, and where a host has no target or several
 */
export async function runRack(cli: Cli, file: string, options: RunOptions & RackOptions): Promise<number> {
  const text = await readPlanFile(file);
  return withApp(cli, async ({ api }) => {
    const { plan } = await parsePlan(api, file, text, options);
    return withInterrupts(cli, (signal, interrupted) =>
      execute(cli, api, plan, options, signal, interrupted),
    );
  });
}

async function execute(
  cli: Cli,
  api: Api,
  plan: Plan,
  options: RunOptions & RackOptions,
  signal: AbortSignal,
  onInterrupt: (stop: () => void) => void,
): Promise<number> {
  const members = await rackTargets(api, options);
  // A host that cannot be signed in to is its run's own matter: here its password is asked for, if it is missing.
  const hosts = members.map(({ host }) => host);
  await onEachHost(cli, api, hosts, (host) => api.call('hosts.inventory', { id: host.id }, signal));
  signal.throwIfAborted();
  for (const { target } of members) await askPassword(cli, api, target.name, signal);
  const line = options.json ? cli.terminal.err : cli.terminal.out;
  const off = options.quiet ? [] : printProgress(cli, api, line);
  const over = new Promise<void>((resolve) => {
    off.push(api.on('rack.changed', ({ endedAt }) => endedAt !== null && resolve()));
  });
  try {
    const { id } = await api.call('racks.start', {
      rack: options.rack,
      plan,
      atOnce: options.atOnce === true,
      members: members.map(({ host, target }) => ({ hostId: host.id, targetId: target.id })),
      overrideGate: options.overrideGate ?? null,
    });
    onInterrupt(() => {
      cli.terminal.err('Stopping; what was measured so far is kept. Ctrl-C again ends at once.');
      api.call('racks.stop', { id }).catch((error) => cli.terminal.err(describeError(toAppError(error))));
    });
    await over;
    await printRack(cli, api, id, options.json === true);
    return exitCode(api, id, plan);
  } finally {
    for (const unsubscribe of off) unsubscribe();
  }
}

/** A password that nobody has is asked for now; a server that does not answer is its run's own matter. */
async function askPassword(cli: Cli, api: Api, name: string, signal: AbortSignal): Promise<void> {
  try {
    await targetForRun(cli, api, name, signal);
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'password-needed' || error.code === 'cancelled')
      throw error;
  }
}

/** As for a run alone, with the target's name before each line. Returns the un-subscribes. */
function printProgress(cli: Cli, api: Api, line: (text: string) => void): (() => void)[] {
  const printers = new Map<string, { name: string; printer: ProgressPrinter }>();
  const status = new Map<string, Progress>();
  return [
    api.on('run.changed', ({ head, final }) => {
      if (final) {
        status.delete(head.id);
        line(`${head.targetName}: ${head.status}`);
      } else if (!printers.has(head.id)) {
        api.call('runs.get', { id: head.id }).then(
          (run: Run) => {
            printers.set(head.id, { name: head.targetName, printer: createProgressPrinter(run) });
          },
          (error) => cli.terminal.err(describeError(toAppError(error))),
        );
      }
    }),
    api.on('run.tick', (tick) => {
      const known = printers.get(tick.runId);
      for (const text of known?.printer.tick(tick) ?? []) line(`${known?.name}: ${text}`);
    }),
    api.on('run.event', ({ runId, text }) => cli.terminal.err(`${printers.get(runId)?.name ?? ''}: ${text}`)),
    api.on('notice', ({ text, error }) =>
      cli.terminal.err(error ? `${text}: ${describeError(error)}` : text),
    ),
    api.on('run.progress', (progress) => {
      status.set(progress.runId, progress);
      const parts = [...status.values()].map(({ runId, doing, fraction }) =>
        [printers.get(runId)?.name, fraction === null ? doing : `${Math.floor(fraction * 100)} %`].join(' '),
      );
      cli.terminal.status(parts.join(' · '));
    }),
  ];
}

async function exitCode(api: Api, id: string, plan: Plan): Promise<number> {
  const { members } = await api.call('racks.get', { id });
  const codes = await Promise.all(
    members
      .flatMap(({ runIds }) => runIds)
      .map(async (runId) => exitCodeOfRun(await api.call('runs.get', { id: runId }))),
  );
  const whole = members.every(({ runIds }) => runIds.length === plan.repeat);
  return Math.max(whole ? exitCodes.ok : exitCodes.notValid, ...codes);
}
