import type { Api } from '../../src-shared/contract/api.ts';
import { AppError } from '../../src-shared/errors.ts';
import type { Host, HostDraft, Inventory, MachineCheck } from '../../src-shared/model/host.ts';
import { nearest } from '../../src-shared/nearest.ts';
import { formatBytes, formatLatency } from '../../src-shared/units.ts';
import { textTable } from '../reports/table.ts';
import { type Cli, exitCodes, jsonText, withApp } from './cli.ts';
import { withInterrupts } from './interrupts.ts';

/** Secrets come from here or from the terminal, never from the command line: others can read that. */
export const hostPasswordVariable = 'BENCHBERRY_HOST_PASSWORD';
export const sudoPasswordVariable = 'BENCHBERRY_SUDO_PASSWORD';

export interface AddOptions {
  user: string;
  port: number;
  key?: string;
  password?: boolean;
  group?: string;
  fingerprint?: string;
  json?: boolean;
}

/** `host add NAME ADDRESS`: shows the key, pins it when it is confirmed, keeps the host. */
export function addHost(cli: Cli, name: string, address: string, options: AddOptions): Promise<number> {
  return withApp(cli, async ({ api }) => {
    const { user, port, key, password, group = null, fingerprint } = options;
    const auth: HostDraft['auth'] =
      key !== undefined
        ? { method: 'key', keyFile: key }
        : password || cli.env[hostPasswordVariable] !== undefined
          ? { method: 'password' }
          : { method: 'agent' };
    const host = await api.call('hosts.save', {
      id: null,
      name,
      address,
      port,
      user,
      auth,
      group,
      secret: null,
    });
    try {
      await pin(cli, api, host, fingerprint ?? null);
    } catch (error) {
      await api.call('hosts.remove', { id: host.id });
      throw error;
    }
    if (options.json) cli.terminal.out(jsonText(await findHost(api, name)));
    else cli.terminal.out(`Saved ${name}. Look at it with: benchberry host inventory ${name}`);
    return exitCodes.ok;
  });
}

async function pin(cli: Cli, api: Api, host: Host, given: string | null): Promise<void> {
  const { key, standing } = await api.call('hosts.key', { id: host.id });
  const shown = `${key.type} ${key.fingerprint}`;
  if (given !== null && given !== key.fingerprint) {
    throw new AppError({
      code: 'host-key-changed',
      message: 'The host shows another key than the one given',
      place: { host: host.address, port: host.port },
      detail: `The host has ${shown}; given was ${given}`,
      hint: 'Compare it with what ssh-keygen -lf /etc/ssh/ssh_host_ed25519_key.pub prints on the host.',
    });
  }
  if (given === null && standing === 'new') {
    const answer = await cli.terminal.ask(`${host.address} shows the key ${shown}. Trust it? [y/N] `);
    if (answer === null || !/^y(es)?$/i.test(answer.trim())) {
      throw new AppError({
        code: 'host-key-unknown',
        message: 'The key of the host was not confirmed',
        place: { host: host.address, port: host.port },
        detail: shown,
        hint: `Compare it on the host, then give it with --fingerprint ${key.fingerprint}`,
      });
    }
  }
  await api.call('hosts.trust', { id: host.id, key });
}

/** `host list`. */
export function listHosts(cli: Cli, { json }: { json?: boolean }): Promise<number> {
  return withApp(cli, async ({ api }) => {
    const hosts = await api.call('hosts.list', null);
    const header = ['Name', 'Address', 'Sign-in', 'Rack', 'Model', 'System'];
    const rows = hosts.map((host) => [
      host.name,
      `${host.user}@${host.address}:${host.port}`,
      host.auth.method,
      host.group ?? '–',
      host.inventory?.model.value ?? '–',
      host.inventory?.os.value ?? '–',
    ]);
    cli.terminal.out(json ? jsonText(hosts) : textTable([header, ...rows], 'llllll').join('\n'));
    return exitCodes.ok;
  });
}

/** `host show NAME`: what is known of it, and what was set up on it. */
export function showHost(cli: Cli, name: string, { json }: { json?: boolean }): Promise<number> {
  return withApp(cli, async ({ api }) => {
    const host = await findHost(api, name);
    const provisionings = await api.call('provision.list', { hostId: host.id });
    if (json) cli.terminal.out(jsonText({ ...host, provisionings }));
    else {
      const setUp = provisionings.map(({ updatedAt, plan, status }) => [
        updatedAt.slice(0, 19).replace('T', ' '),
        plan.recipes.map(({ id }) => id).join(', '),
        status,
      ]);
      cli.terminal.out(
        [
          ...textTable(
            [
              ['Address', `${host.user}@${host.address}:${host.port}`],
              [
                'Key',
                host.hostKey === null ? 'not pinned' : `${host.hostKey.type} ${host.hostKey.fingerprint}`,
              ],
            ],
            'll',
          ),
          ...(host.inventory === null ? [] : inventoryLines(host.inventory)),
          ...(setUp.length === 0
            ? []
            : ['', ...textTable([['Set up (UTC)', 'Recipes', 'State'], ...setUp], 'lll')]),
        ].join('\n'),
      );
    }
    return exitCodes.ok;
  });
}

/** `host inventory NAME`: signs in and reads it. */
export function showInventory(cli: Cli, name: string, { json }: { json?: boolean }): Promise<number> {
  return withApp(cli, async ({ api }) => {
    const host = await findHost(api, name);
    const inventory = await signedIn(cli, api, host, () => api.call('hosts.inventory', { id: host.id }));
    cli.terminal.out(json ? jsonText(inventory) : inventoryLines(inventory).join('\n'));
    return exitCodes.ok;
  });
}

/** `host check NAME`: the gate before a run, then disk, network and clock measured. */
export function checkHost(cli: Cli, name: string, { json }: { json?: boolean }): Promise<number> {
  return withApp(cli, ({ api }) =>
    withInterrupts(cli, async (signal) => {
      const host = await findHost(api, name);
      const gate = await signedIn(cli, api, host, () => api.call('hosts.gate', { id: host.id }, signal));
      cli.terminal.status('Measuring disk, network and clock; this takes up to a minute');
      const checks = await api.call('hosts.checks', { id: host.id }, signal);
      const all = [...gate, ...checks];
      cli.terminal.out(json ? jsonText({ gate, checks }) : checkLines(all).join('\n'));
      return all.some(({ result }) => result === 'fail') ? exitCodes.notValid : exitCodes.ok;
    }),
  );
}

/** `host forget NAME`: what was set up on it stays as it is. */
export function forgetHost(cli: Cli, name: string): Promise<number> {
  return withApp(cli, async ({ api }) => {
    const host = await findHost(api, name);
    await api.call('hosts.remove', { id: host.id });
    cli.terminal.out(`Forgot ${host.name}. What is on it stays as it is.`);
    return exitCodes.ok;
  });
}

/** @throws AppError `not-found` with the nearest name */
export async function findHost(api: Api, name: string): Promise<Host> {
  const hosts = await api.call('hosts.list', null);
  const host =
    hosts.find((each) => each.name === name) ??
    hosts.find((each) => each.name.toLowerCase() === name.toLowerCase());
  if (host) return host;
  const names = hosts.map((each) => each.name);
  const near = nearest(name, names);
  throw new AppError({
    code: 'not-found',
    message: `There is no host named ${JSON.stringify(name)}`,
    hint:
      near === null
        ? names.length === 0
          ? 'Add one with: benchberry host add NAME ADDRESS'
          : `Hosts: ${names.join(', ')}.`
        : `Did you mean ${near}?`,
  });
}

/** Does what needs a sign-in, or root: with the secrets of the environment, else each asked for once. */
export async function signedIn<T>(cli: Cli, api: Api, host: Host, act: () => Promise<T>): Promise<T> {
  const given = { login: cli.env[hostPasswordVariable], sudo: cli.env[sudoPasswordVariable] };
  for (const kind of ['login', 'sudo'] as const) {
    const secret = given[kind];
    if (secret !== undefined) await api.call('hosts.setSecret', { id: host.id, kind, secret });
  }
  const asked = new Set<string>();
  for (;;) {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'password-needed') throw error;
      const kind = error.secret;
      if ((kind !== 'login' && kind !== 'sudo') || asked.has(kind)) throw error;
      if (given[kind] !== undefined || (kind === 'login' && host.hasSecret)) throw error;
      asked.add(kind);
      const secret = await cli.terminal.secret(
        `${secretWords(host, kind)} for ${host.user}@${host.address}: `,
      );
      if (secret === null) {
        const variable = kind === 'sudo' ? sudoPasswordVariable : hostPasswordVariable;
        throw new AppError({
          ...error.toData(),
          hint: `Set ${variable}, or run it in a terminal to be asked.`,
        });
      }
      await api.call('hosts.setSecret', { id: host.id, kind, secret });
    }
  }
}

/** What is asked for, e.g. `Password`. */
export function secretWords(host: Host, kind: 'login' | 'sudo'): string {
  if (kind === 'sudo') return 'Password of sudo';
  return host.auth.method === 'key' ? 'Passphrase of the key' : 'Password';
}

function inventoryLines(host: Inventory): string[] {
  const or = (value: unknown) => (value === null || value === undefined ? 'unknown' : String(value));
  const bytes = (value: number | null) => (value === null ? 'unknown' : formatBytes(value));
  const { root, network, docker, gui } = host;
  const roundTrip = network.roundTripUs === null ? '' : `, round trip ${formatLatency(network.roundTripUs)}`;
  const wifi = network.wifi.value === true ? 'Wi-Fi' : 'cable';
  const clusters = host.postgresClusters.map(
    ({ version, name, port, running }) => `${version} ${name} on port ${port}${running ? '' : ' (stopped)'}`,
  );
  return textTable(
    [
      ['Model', or(host.model.value)],
      ['System', `${or(host.os.value)}, ${or(host.userlandArch.value)}, kernel ${or(host.kernel.value)}`],
      ['Memory', `${bytes(host.memoryBytes.value)}, ${or(host.cores.value)} cores`],
      [
        'Disk',
        `${or(root.device.value)} (${or(root.kind.value)}), ${bytes(root.freeBytes.value)} of ${bytes(root.totalBytes.value)} free`,
      ],
      ['Network', `${or(network.device.value)} (${wifi}), ${or(network.speedMbit.value)} Mbit/s${roundTrip}`],
      ['Boots into', or(gui.defaultTarget.value)],
      ['PostgreSQL', clusters.length === 0 ? 'none' : clusters.join('; ')],
      ['Docker', docker.version.value ?? 'none'],
      [
        'Ports',
        host.ports.map(({ port, process }) => (process === null ? port : `${port} (${process})`)).join(', '),
      ],
      [
        'Clock',
        host.clockOffsetSeconds.value === null
          ? 'unknown'
          : `${host.clockOffsetSeconds.value.toFixed(1)} s ahead`,
      ],
      ['Administrator', or(host.sudo.value)],
      [
        'Temperature',
        host.temperatureC.value === null ? 'unknown' : `${host.temperatureC.value.toFixed(1)} °C`,
      ],
    ],
    'll',
  );
}

/** Lines of a gate, of checks or of a preflight: result, what, found, advice below. */
export function checkLines(checks: readonly MachineCheck[]): string[] {
  const rows = checks.map(({ result, title, detail }) => [result.toUpperCase(), title, detail]);
  return textTable(rows, 'lll').flatMap((line, i) => {
    const check = checks[i];
    return check && check.advice !== '' && check.result !== 'pass' ? [line, `      ${check.advice}`] : [line];
  });
}
