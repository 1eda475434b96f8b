import type { Api } from '../../src-shared/contract/api.ts';
import { AppError, describeError, toAppError } from '../../src-shared/errors.ts';
import type { Host } from '../../src-shared/model/host.ts';
import type { Provisioning, RecipeInfo } from '../../src-shared/model/provision.ts';
import { chosenRecipes } from './chosenRecipes.ts';
import { type Cli, exitCodes, jsonText, withApp } from './cli.ts';
import { confirm, exitCodeOfProvisioning, follow, planLines, tell } from './followProvisioning.ts';
import { withInterrupts } from './interrupts.ts';
import { lastOf, type ProvisionOptions } from './provision.ts';
import { type HostOutcome, onEachHost } from './rackSecrets.ts';
import { hostsOfRack } from './racks.ts';

type Part = HostOutcome<Provisioning>;

/** `host provision --group RACK`: the same recipes on every host of a rack, side by side. */
export function provisionRack(
  cli: Cli,
  recipes: readonly RecipeInfo[],
  rack: string,
  options: ProvisionOptions,
): Promise<number> {
  return withApp(cli, ({ api }) =>
    withInterrupts(cli, async (signal, onStop) => {
      const all = await hostsOfRack(api, rack);
      const hosts = options.resume ? await unfinished(api, all, rack) : all;
      const make = options.resume
        ? (host: Host) => resumed(api, host, signal)
        : await planner(cli, api, recipes, options, signal);
      const parts = await onEachHost(cli, api, hosts, make);
      for (const part of parts) tellPart(cli, options, part);
      const ready = parts.filter(({ value }) => value !== null);
      if (options.dryRun || ready.length === 0) return over(cli, options, parts, options.dryRun === true);
      const names = ready.map(({ host }) => host.name).join(', ');
      await confirm(cli, options, `Apply this to ${names}?`);
      return over(cli, options, await applyAll(cli, api, parts, onStop), false);
    }),
  );
}

async function planner(
  cli: Cli,
  api: Api,
  recipes: readonly RecipeInfo[],
  options: ProvisionOptions,
  signal: AbortSignal,
): Promise<(host: Host) => Promise<Provisioning>> {
  const { before = '', after = '' } = options;
  const chosen = await chosenRecipes(cli, recipes, options);
  return (host) => api.call('provision.plan', { hostId: host.id, recipes: chosen, before, after }, signal);
}

const cutShort = ({ status }: Provisioning) => status === 'failed' || status === 'cancelled';

/** Hosts with something to resume. @throws AppError `not-found` where there is none */
async function unfinished(api: Api, hosts: readonly Host[], rack: string): Promise<Host[]> {
  const lists = await Promise.all(hosts.map(({ id }) => api.call('provision.list', { hostId: id })));
  const found = hosts.filter((_, i) => lists[i]?.some(cutShort));
  if (found.length > 0) return found;
  throw new AppError({ code: 'not-found', message: `There is nothing to resume on any host of ${rack}` });
}

/** The last one that did not come to its end, once the host lets one in. */
async function resumed(api: Api, host: Host, signal: AbortSignal): Promise<Provisioning> {
  const last = await lastOf(api, host, cutShort);
  await api.call('hosts.inventory', { id: host.id }, signal);
  return last;
}

async function applyAll(
  cli: Cli,
  api: Api,
  parts: readonly Part[],
  onStop: (stop: () => void) => void,
): Promise<Part[]> {
  const stops: (() => void)[] = [];
  onStop(() => {
    for (const stop of stops) stop();
  });
  const width = Math.max(...parts.map(({ host }) => host.name.length));
  return Promise.all(
    parts.map(async (part): Promise<Part> => {
      const { host, value } = part;
      if (value === null) return part;
      try {
        const label = `${host.name.padEnd(width)}  `;
        const end = await follow(cli, api, value, 'provision.apply', (stop) => stops.push(stop), label);
        return { host, value: end, error: end.error };
      } catch (error) {
        return { ...part, error: toAppError(error).toData() };
      }
    }),
  );
}

function tellPart(cli: Cli, options: ProvisionOptions, { host, value, error }: Part): void {
  if (options.json && options.dryRun) return;
  const lines = value === null ? [] : planLines(value).map((line) => (line === '' ? '' : `  ${line}`));
  tell(cli, options, [host.name, ...lines, ...(error === null ? [] : [`  ${describeError(error)}`]), '']);
}

/** How each host came out. @returns the worst of their exit codes */
function over(cli: Cli, options: ProvisionOptions, parts: readonly Part[], planned: boolean): number {
  if (options.json) {
    const objects = parts.map(({ host, value, error }) => ({ host: host.name, provisioning: value, error }));
    cli.terminal.out(jsonText(objects));
  }
  if (!planned) {
    tell(
      cli,
      options,
      parts.map(
        ({ host, value, error }) =>
          `${host.name}: ${error === null ? (value?.status ?? 'nothing done') : describeError(error)}`,
      ),
    );
  }
  return Math.max(...parts.map((part) => exitCodeOfPart(part, planned)));
}

function exitCodeOfPart({ value: provisioning, error }: Part, planned: boolean): number {
  if (provisioning === null) return exitCodes.notValid;
  if (planned) {
    return provisioning.preflight.some(({ result }) => result === 'fail') ? exitCodes.notValid : exitCodes.ok;
  }
  if (error !== null && error.code !== 'cancelled') return exitCodes.notValid;
  return exitCodeOfProvisioning(provisioning);
}
