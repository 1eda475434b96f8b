import type { Api } from '../../src-shared/contract/api.ts';
import { AppError } from '../../src-shared/errors.ts';
import type { EngineInfo } from '../../src-shared/model/engine.ts';
import type { FormField } from '../../src-shared/model/form.ts';
import type { Host } from '../../src-shared/model/host.ts';
import { hostAt } from '../../src-shared/model/hostAt.ts';
import type { ServerDescription } from '../../src-shared/model/server.ts';
import type { Target } from '../../src-shared/model/target.ts';
import { formatBytes, formatLatency } from '../../src-shared/units.ts';
import { textTable } from '../reports/table.ts';
import { type Cli, exitCodes, jsonText, withApp } from './cli.ts';
import { findHost } from './hosts.ts';

/** A password comes from here or from the terminal, never from the command line: others can read that. */
export const passwordVariable = 'BENCHBERRY_PASSWORD';

/** `targets`: what can be benchmarked. */
export function listTargets(cli: Cli, { json }: { json?: boolean }): Promise<number> {
  return withApp(cli, async ({ api }) => {
    const targets = await api.call('targets.list', null);
    const header = ['Name', 'Engine', 'Connection', 'Last seen'];
    const rows = targets.map((target) => [
      target.name,
      target.engine,
      connectionText(target),
      target.lastSeen ? `${target.lastSeen.product} ${target.lastSeen.version}` : '–',
    ]);
    cli.terminal.out(json ? jsonText(targets) : textTable([header, ...rows], 'llll').join('\n'));
    return exitCodes.ok;
  });
}

function connectionText({ builtIn, connection }: Target): string {
  if (builtIn) return 'built in';
  return Object.entries(connection)
    .filter(([, value]) => value !== '' && value !== null)
    .map(([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' ');
}

/** `targets add ENGINE NAME`: saves it; the password is asked for when it is needed. */
export function addTarget(
  cli: Cli,
  engine: EngineInfo,
  name: string,
  options: Readonly<Record<string, unknown>>,
): Promise<number> {
  return withApp(cli, async ({ api }) => {
    const connection: Target['connection'] = {};
    for (const field of engine.connection) {
      const text = options[field.key];
      if (typeof text === 'string') connection[field.key] = fieldValue(field, text);
    }
    const host = await hostOf(api, options.runsOn, connection.host);
    const draft = {
      id: null,
      name,
      engine: engine.id,
      connection,
      secret: cli.env[passwordVariable] ?? null,
      hostId: host?.id ?? null,
    };
    const target = await api.call('targets.save', draft);
    if (host !== null) cli.terminal.err(`It runs on the host ${host.name}`);
    cli.terminal.out(`Saved ${target.name}. Test it with: benchberry targets test ${target.name}`);
    return exitCodes.ok;
  });
}

/** The host that was named, else the one of the same address. @throws AppError `not-found` */
async function hostOf(api: Api, named: unknown, address: unknown): Promise<Host | null> {
  if (named === 'none') return null;
  if (typeof named === 'string') return findHost(api, named);
  return hostAt(address, await api.call('hosts.list', null));
}

/** Text of the command line as the field's kind; what it may be is checked by the engine's own schema. */
export function fieldValue(field: FormField, text: string): string | number | boolean {
  if (field.kind === 'integer' || field.kind === 'number') {
    const value = Number(text);
    if (text.trim() !== '' && Number.isFinite(value)) return value;
    throw new AppError({
      code: 'bad-input',
      message: `${field.label} is a number`,
      place: { field: field.key },
      detail: `given: ${text}`,
    });
  }
  if (field.kind === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

/** `targets remove NAME`. */
export function removeTarget(cli: Cli, name: string): Promise<number> {
  return withApp(cli, async ({ api }) => {
    const target = await api.call('targets.resolve', { nameOrUrl: name });
    await api.call('targets.remove', { id: target.id });
    cli.terminal.out(`Removed ${target.name}. Its runs and the databases on it stay.`);
    return exitCodes.ok;
  });
}

/** `targets test NAME|URL`: connects and says what answers. */
export function testTarget(cli: Cli, name: string, { json }: { json?: boolean }): Promise<number> {
  return withApp(cli, async ({ api }) => {
    const target = await api.call('targets.resolve', { nameOrUrl: name });
    const server = await testWithPassword(cli, api, target);
    cli.terminal.out(json ? jsonText(server) : serverText(server));
    return exitCodes.ok;
  });
}

function serverText(server: ServerDescription): string {
  return [
    ...textTable(
      [
        ['Server', `${server.product} ${server.version}, ${server.edition}`],
        ['Database', `${server.database}, ${formatBytes(server.sizeBytes)}`],
        ['Encryption', server.tls ?? 'none'],
        ['Round trip', formatLatency(server.roundTripUs)],
        ['Settings', `${server.settings.length} differ from the defaults (--json lists them)`],
      ],
      'll',
    ),
    ...server.notes,
  ].join('\n');
}

/** What a plan or the command line names, ready to be run against: with its password, where it needs one. */
export async function targetForRun(
  cli: Cli,
  api: Api,
  nameOrUrl: string,
  signal: AbortSignal,
): Promise<Target> {
  const target = await api.call('targets.resolve', { nameOrUrl }, signal);
  if (!target.builtIn && !target.hasSecret) await testWithPassword(cli, api, target, signal);
  return target;
}

/**
 * Connects and describes; where a password is missing, takes it from the environment or asks, keeps it for this session
 * and tries once more.
 */
async function testWithPassword(
  cli: Cli,
  api: Api,
  target: Target,
  signal?: AbortSignal,
): Promise<ServerDescription> {
  const given = cli.env[passwordVariable];
  if (!target.builtIn && given !== undefined) {
    await api.call('targets.setSecret', { id: target.id, secret: given });
  }
  try {
    return await api.call('targets.test', { id: target.id, secret: null }, signal);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'password-needed') throw error;
    const secret = await cli.terminal.secret(`Password for ${target.name}: `);
    if (secret === null) {
      throw new AppError({
        ...error.toData(),
        hint: `Set ${passwordVariable}, or run it in a terminal to be asked.`,
      });
    }
    await api.call('targets.setSecret', { id: target.id, secret });
    return api.call('targets.test', { id: target.id, secret: null }, signal);
  }
}
