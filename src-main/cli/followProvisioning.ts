import type { Api } from '../../src-shared/contract/api.ts';
import { AppError } from '../../src-shared/errors.ts';
import type { Provisioning, ProvisionStep } from '../../src-shared/model/provision.ts';
import { type Cli, exitCodes } from './cli.ts';
import { checkLines } from './hosts.ts';
import { passwordVariable } from './targets.ts';

/** @throws AppError `cancelled`, or `bad-input` where nobody is there to answer */
export async function confirm(cli: Cli, { yes }: { yes?: boolean }, question: string): Promise<void> {
  if (yes) return;
  const answer = await cli.terminal.ask(`${question} [y/N] `);
  if (answer !== null && /^y(es)?$/i.test(answer.trim())) return;
  throw new AppError({
    code: answer === null ? 'bad-input' : 'cancelled',
    message: answer === null ? 'Nobody is there to confirm it' : 'Not confirmed: nothing was changed',
    hint: 'Add --yes to go ahead without being asked.',
  });
}

/**
 * Begins and prints each step as its state changes, until all is over. Where it ends for the lack of a password, that is
 * asked for and it goes on; not among several, where questions would come across each other.
 * @param label the host's name before each line, where there are several
 */
export async function follow(
  cli: Cli,
  api: Api,
  { id }: Provisioning,
  command: 'provision.apply' | 'provision.undo',
  onStop: (stop: () => void) => void,
  label: string | null = null,
  asked = 0,
): Promise<Provisioning> {
  const of = label ?? '';
  const told = new Map<string, string>();
  const ended = new Promise<Provisioning>((resolve) => {
    const off = api.on('provision.changed', (changed) => {
      if (changed.id !== id) return;
      for (const step of changed.steps) {
        if (told.get(step.id) === step.state) continue;
        told.set(step.id, step.state);
        if (isEnd(step)) cli.terminal.err(of + stepLine(step));
        else cli.terminal.status(of + stepLine(step));
      }
      if (changed.status === 'applying' || changed.status === 'undoing') return;
      off();
      resolve(changed);
    });
  });
  for (const step of (await api.call('provision.get', { id })).steps) told.set(step.id, step.state);
  onStop(() => void api.call('provision.cancel', { id }));
  await api.call(command, { id });
  const end = await ended;
  if (label === null && (await giveSecret(cli, api, end, asked)))
    return follow(cli, api, end, command, onStop, label, asked + 1);
  if (command === 'provision.apply') await tellGenerated(cli, api, end, of);
  return end;
}

/** Passwords that were made go to standard error, however it ended: nothing else has them when this process is gone. */
async function tellGenerated(
  cli: Cli,
  api: Api,
  { id, plan, generated }: Provisioning,
  of: string,
): Promise<void> {
  if (generated.length === 0) return;
  for (const { field, secret } of await api.call('provision.generated', { id })) {
    const recipe = plan.recipes[Number(/^recipes\[(\d+)\]/.exec(field)?.[1])]?.id ?? field;
    cli.terminal.err(`${of}Password made for ${recipe}: ${secret}`);
  }
}

/** 0 when it is done, 1 when it failed, 130 when it was stopped. */
export function exitCodeOfProvisioning({ status }: Provisioning): number {
  if (status === 'cancelled') return exitCodes.cancelled;
  return status === 'failed' ? exitCodes.notValid : exitCodes.ok;
}

/** How often a password is asked for: host, sudo and recipe each once, and one slip. */
const mostAsked = 4;

/** Where the work ended for the lack of a password: from the environment at first, else asked for. @returns whether it is there now */
async function giveSecret(cli: Cli, api: Api, end: Provisioning, asked: number): Promise<boolean> {
  const { error, hostId } = end;
  if (error === null || (error.code !== 'password-needed' && error.code !== 'wrong-password')) return false;
  const kind = error.secret;
  if (kind === undefined || kind === 'database' || asked >= mostAsked) return false;
  const fromEnvironment = kind === 'recipe' && asked === 0 ? cli.env[passwordVariable] : undefined;
  const words = {
    login: 'Password of the host',
    sudo: 'Password for sudo',
    recipe: 'Password of the database',
  };
  const secret = fromEnvironment ?? (await cli.terminal.secret(`${error.message}. ${words[kind]}: `));
  if (secret === null || secret === '') return false;
  if (kind === 'recipe')
    await api.call('provision.setSecret', { id: end.id, field: error.place?.field ?? '', secret });
  else await api.call('hosts.setSecret', { id: hostId, kind, secret });
  return true;
}

const isEnd = ({ state }: ProvisionStep) =>
  ['already-so', 'done', 'failed', 'undone', 'not-undoable'].includes(state);

/** What was looked at, then each step with what it changes. */
export function planLines({ preflight, steps }: Provisioning): string[] {
  return [
    ...checkLines(preflight),
    '',
    ...steps.flatMap((step) => [
      stepLine(step),
      ...(step.state === 'already-so' ? [] : step.changes.map((line) => `      ${line}`)),
      ...(step.needsReboot && step.state === 'to-do' ? ['      Needs a restart of the host.'] : []),
      ...(step.reversible ? [] : ['      Cannot be undone.']),
    ]),
  ];
}

const stateWords: Partial<Record<ProvisionStep['state'], string>> = {
  'already-so': 'already so',
  'to-do': 'to do',
};

function stepLine({ state, title, evidence }: ProvisionStep): string {
  const word = (stateWords[state] ?? state).padEnd(10);
  return `${word}  ${title}${evidence === '' ? '' : `: ${evidence}`}`;
}

/** With `--json` standard output is the object's alone. */
export function tell(cli: Cli, { json }: { json?: boolean }, lines: readonly string[]): void {
  const text = lines.join('\n');
  if (json) cli.terminal.err(text);
  else cli.terminal.out(text);
}
