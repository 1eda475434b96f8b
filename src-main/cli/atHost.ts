import type { Api } from '../../src-shared/contract/api.ts';
import { AppError } from '../../src-shared/errors.ts';
import type { Plan } from '../../src-shared/model/plan.ts';
import type { Target } from '../../src-shared/model/target.ts';
import type { Cli } from './cli.ts';
import { signedIn } from './hosts.ts';

/** A start; where the target has a host with what will be stopped on it, what its gate waits for, and its passwords. */
export async function atHost<T>(
  cli: Cli,
  api: Api,
  plan: Pick<Plan, 'quietHost'>,
  target: Target,
  { quiet }: { quiet?: boolean },
  signal: AbortSignal,
  start: () => Promise<T>,
): Promise<T> {
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
