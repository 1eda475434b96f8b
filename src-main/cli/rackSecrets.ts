import type { Api } from '../../src-shared/contract/api.ts';
import { type ErrorData, toAppError } from '../../src-shared/errors.ts';
import type { Host, Inventory } from '../../src-shared/model/host.ts';
import type { Provisioning } from '../../src-shared/model/provision.ts';
import type { Cli } from './cli.ts';
import { hostPasswordVariable, secretWords, sudoPasswordVariable } from './hosts.ts';

/** What came of something on one host of several. */
export interface HostOutcome<T> {
  host: Host;
  value: T | null;
  error: ErrorData | null;
}

async function giveSecrets(cli: Cli, api: Api, hosts: readonly Host[]): Promise<void> {
  const given = [
    ['login', cli.env[hostPasswordVariable]],
    ['sudo', cli.env[sudoPasswordVariable]],
  ] as const;
  for (const [kind, secret] of given) {
    if (secret === undefined) continue;
    for (const { id } of hosts) await api.call('hosts.setSecret', { id, kind, secret });
  }
}

/**
 * Does it on all hosts side by side, then again on those that lack a password, once that was asked for. What fails on one
 * host is its outcome; the others go on.
 */
export async function onEachHost<T extends Provisioning | Inventory>(
  cli: Cli,
  api: Api,
  hosts: readonly Host[],
  act: (host: Host) => Promise<T>,
): Promise<HostOutcome<T>[]> {
  const look = (host: Host): Promise<HostOutcome<T>> =>
    act(host).then(
      (value) => ({ host, value, error: null }),
      (error) => ({ host, value: null, error: toAppError(error).toData() }),
    );
  await giveSecrets(cli, api, hosts);
  let parts = await Promise.all(hosts.map(look));
  for (const kind of ['login', 'sudo'] as const) {
    const asked = await askSecrets(
      cli,
      api,
      parts.filter((part) => lacks(part, kind)).map(({ host }) => host),
      kind,
    );
    parts = await Promise.all(parts.map((part) => (asked.has(part.host.id) ? look(part.host) : part)));
  }
  return parts;
}

function lacks({ value, error }: HostOutcome<Provisioning | Inventory>, kind: 'login' | 'sudo'): boolean {
  if (error?.code === 'password-needed') return error.secret === kind;
  const rights = value !== null && 'preflight' in value && value.preflight.find(({ id }) => id === 'sudo');
  return rights !== false && rights?.result === 'fail' && rights.code === 'password-needed';
}

/** Asks host by host, or once where the first answer is to count for the others too. Returns the ids of those that have one now. */
async function askSecrets(
  cli: Cli,
  api: Api,
  hosts: readonly Host[],
  kind: 'login' | 'sudo',
): Promise<Set<string>> {
  const given = new Set<string>();
  let same: string | null = null;
  for (const [i, host] of hosts.entries()) {
    const secret: string | null =
      same ?? (await cli.terminal.secret(`${secretWords(host, kind)} for ${host.user}@${host.address}: `));
    if (secret === null || secret === '') continue;
    await api.call('hosts.setSecret', { id: host.id, kind, secret });
    given.add(host.id);
    const left = hosts.length - i - 1;
    if (i === 0 && left > 0) {
      const answer = await cli.terminal.ask(`Is it the same on the ${left} others that ask for one? [y/N] `);
      if (answer !== null && /^y(es)?$/i.test(answer.trim())) same = secret;
    }
  }
  return given;
}
