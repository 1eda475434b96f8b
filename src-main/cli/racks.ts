import type { Api } from '../../src-shared/contract/api.ts';
import { AppError } from '../../src-shared/errors.ts';
import type { Host } from '../../src-shared/model/host.ts';
import type { RackRun } from '../../src-shared/model/rack.ts';
import type { Target } from '../../src-shared/model/target.ts';
import { nearest } from '../../src-shared/nearest.ts';
import { rackText } from '../reports/rackText.ts';
import { runObject } from '../reports/runObject.ts';
import { outcomeText } from '../reports/summary.ts';
import { textTable } from '../reports/table.ts';
import { type Cli, exitCodes, jsonText, withApp } from './cli.ts';
import { findHost } from './hosts.ts';

/** The hosts of a rack, by name. @throws AppError `not-found` with the nearest name */
export async function hostsOfRack(api: Api, rack: string): Promise<Host[]> {
  const all = await api.call('hosts.list', null);
  const hosts = all.filter(({ group }) => group === rack);
  if (hosts.length > 0) return hosts;
  const racks = [...new Set(all.flatMap(({ group }) => group ?? []))];
  const near = nearest(rack, racks);
  throw new AppError({
    code: 'not-found',
    message: `No host is in a rack named ${JSON.stringify(rack)}`,
    hint:
      near !== null
        ? `Did you mean ${near}?`
        : racks.length > 0
          ? `Racks: ${racks.join(', ')}.`
          : 'Hosts are put into one with: benchberry host add NAME ADDRESS --group RACK',
  });
}

export interface RackOptions {
  rack: string;
  atOnce?: boolean;
  /** `host=target` for hosts that have several. */
  member: string[];
  /** Hosts that do not take part. */
  without: string[];
}

/** The target of each host that takes part. @throws AppError `bad-input`, `not-found` */
export async function rackTargets(api: Api, options: RackOptions): Promise<{ host: Host; target: Target }[]> {
  const hosts = await hostsOfRack(api, options.rack);
  const targets = await api.call('targets.list', null);
  const named = new Map<string, string>();
  for (const pair of options.member) {
    const [, host = '', target = ''] = /^([^=]+)=(.+)$/s.exec(pair) ?? [];
    named.set((await findHost(api, host)).id, target);
  }
  const left = new Set<string>();
  for (const name of options.without) left.add((await findHost(api, name)).id);
  return hosts
    .filter(({ id }) => !left.has(id))
    .map((host) => ({ host, target: targetOf(host, targets, named.get(host.id)) }));
}

function targetOf(host: Host, targets: readonly Target[], name: string | undefined): Target {
  const own = targets.filter(({ hostId }) => hostId === host.id);
  const fitting = name === undefined ? own : own.filter((target) => target.name === name);
  const [first] = fitting;
  if (first !== undefined && fitting.length === 1) return first;
  const names = own.map((target) => target.name).join(', ');
  throw new AppError({
    code: 'bad-input',
    message:
      own.length === 0
        ? `${host.name} has no target`
        : name === undefined
          ? `${host.name} has several targets`
          : `${host.name} has no target named ${JSON.stringify(name)}`,
    ...(names !== '' && { detail: names }),
    hint:
      own.length === 0
        ? `Set one up with benchberry host provision, or leave the host out with --without ${host.name}.`
        : `Say which with --member ${host.name}=TARGET.`,
  });
}

/** `rack list`: benchmarks of racks, newest first. */
export function listRacks(cli: Cli, { json }: { json?: boolean }): Promise<number> {
  return withApp(cli, async ({ api }) => {
    const runs = await api.call('racks.list', {});
    const header = ['ID', 'Started (UTC)', 'Rack', 'Hosts', 'Plan'];
    const rows = runs.map((run) => [
      run.id.slice(0, 8),
      run.startedAt.slice(0, 19).replace('T', ' '),
      run.rack,
      String(run.members.length),
      run.plan.name,
    ]);
    if (json) cli.terminal.out(jsonText(runs));
    else if (runs.length === 0)
      cli.terminal.out('No benchmark of a rack yet. Start one with: benchberry run plan.yaml --rack NAME');
    else cli.terminal.out(textTable([header, ...rows], 'lllrl').join('\n'));
    return exitCodes.ok;
  });
}

/** `rack show ID`: the figures of each host, who stands out and why. */
export function showRack(cli: Cli, prefix: string, { json }: { json?: boolean }): Promise<number> {
  return withApp(cli, async ({ api }) => {
    const { id } = await findRack(api, prefix);
    await printRack(cli, api, id, json === true);
    return exitCodes.ok;
  });
}

/** `rack leave-out ID HOST`: with a reason; without one (null) it counts again. */
export function leaveOut(cli: Cli, prefix: string, name: string, reason: string | null): Promise<number> {
  return withApp(cli, async ({ api }) => {
    const run = await findRack(api, prefix);
    const member = run.members.find(({ hostName }) => hostName === name);
    if (member === undefined) {
      throw new AppError({
        code: 'not-found',
        message: `${JSON.stringify(name)} is not part of this benchmark`,
        hint: `Hosts: ${run.members.map(({ hostName }) => hostName).join(', ')}.`,
      });
    }
    await api.call('racks.leaveOut', { id: run.id, hostId: member.hostId, reason });
    await printRack(cli, api, run.id, false);
    return exitCodes.ok;
  });
}

/** The result as text, or as one object with the runs in it. */
export async function printRack(cli: Cli, api: Api, id: string, json: boolean): Promise<void> {
  const result = await api.call('racks.result', { id });
  if (!json) {
    cli.terminal.out(rackText(result));
    return;
  }
  const ids = result.run.members.flatMap(({ runIds }) => runIds);
  const runs = await Promise.all(ids.map((runId) => api.call('runs.get', { id: runId })));
  cli.terminal.out(jsonText({ ...result, runs: runs.map(runObject) }));
  for (const run of runs) {
    const valid = run.verdicts.every(({ code }) => code === 'valid');
    if (!valid) cli.terminal.err(`${run.targetName}: ${outcomeText(run)}`);
  }
}

async function findRack(api: Api, prefix: string): Promise<RackRun> {
  const found = (await api.call('racks.list', {})).filter(({ id }) => id.startsWith(prefix.toLowerCase()));
  const [first] = found;
  if (first !== undefined && found.length === 1) return first;
  throw new AppError({
    code: found.length === 0 ? 'not-found' : 'bad-input',
    message:
      found.length === 0
        ? `There is no benchmark of a rack ${prefix}`
        : `${found.length} benchmarks of racks begin with ${prefix}`,
    hint: found.length === 0 ? 'benchberry rack list shows them.' : 'Give more characters of the id.',
  });
}
