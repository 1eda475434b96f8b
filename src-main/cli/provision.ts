import type { Api } from '../../src-shared/contract/api.ts';
import { AppError, describeError } from '../../src-shared/errors.ts';
import type { Host } from '../../src-shared/model/host.ts';
import type { Provisioning, ProvisionPlan, RecipeInfo } from '../../src-shared/model/provision.ts';
import { chosenRecipes, type PlanOptions } from './chosenRecipes.ts';
import { type Cli, exitCodes, jsonText, withApp } from './cli.ts';
import { confirm, exitCodeOfProvisioning, follow, planLines, tell } from './followProvisioning.ts';
import { findHost, signedIn, sudoPasswordVariable } from './hosts.ts';
import { withInterrupts } from './interrupts.ts';

export interface ProvisionOptions extends PlanOptions {
  dryRun?: boolean;
  resume?: boolean;
  json?: boolean;
  yes?: boolean;
}

/** `host provision NAME`: plans, shows, asks, applies. */
export function provisionHost(
  cli: Cli,
  recipes: readonly RecipeInfo[],
  name: string,
  options: ProvisionOptions,
): Promise<number> {
  return withApp(cli, ({ api }) =>
    withInterrupts(cli, async (signal, onStop) => {
      const host = await findHost(api, name);
      const planned = options.resume
        ? await lastOf(api, host, ({ status }) => status === 'failed' || status === 'cancelled')
        : await makePlan(cli, api, host, recipes, options, signal);
      if (!options.json || !options.dryRun) tell(cli, options, planLines(planned));
      if (options.dryRun) {
        if (options.json) cli.terminal.out(jsonText(planned));
        return planned.preflight.some(({ result }) => result === 'fail') ? exitCodes.notValid : exitCodes.ok;
      }
      if (options.resume)
        await signedIn(cli, api, host, () => api.call('hosts.inventory', { id: host.id }, signal));
      await confirm(cli, options, `Apply this to ${host.name}?`);
      return told(cli, options, await follow(cli, api, planned, 'provision.apply', onStop));
    }),
  );
}

/** `host undo NAME`: takes back the last thing that was set up. */
export function undoHost(
  cli: Cli,
  name: string,
  options: { json?: boolean; yes?: boolean },
): Promise<number> {
  return withApp(cli, ({ api }) =>
    withInterrupts(cli, async (signal, onStop) => {
      const host = await findHost(api, name);
      const last = await lastOf(api, host, ({ status }) => ['done', 'failed', 'cancelled'].includes(status));
      await signedIn(cli, api, host, () => api.call('hosts.inventory', { id: host.id }, signal));
      const made = last.steps.filter(({ state }) => state === 'done' || state === 'failed');
      tell(
        cli,
        options,
        made.map(({ title, reversible }) => `${reversible ? 'undo' : 'stays'}  ${title}`),
      );
      await confirm(cli, options, `Take this back on ${host.name}?`);
      return told(cli, options, await follow(cli, api, last, 'provision.undo', onStop));
    }),
  );
}

/** `host script NAME`: the plan as one shell script. */
export function scriptForHost(
  cli: Cli,
  recipes: readonly RecipeInfo[],
  name: string,
  options: PlanOptions,
): Promise<number> {
  return withApp(cli, ({ api }) =>
    withInterrupts(cli, async (signal) => {
      const host = await findHost(api, name);
      const { id } = await makePlan(cli, api, host, recipes, options, signal);
      cli.terminal.out((await api.call('provision.script', { id })).trimEnd());
      return exitCodes.ok;
    }),
  );
}

async function makePlan(
  cli: Cli,
  api: Api,
  host: Host,
  recipes: readonly RecipeInfo[],
  options: PlanOptions,
  signal: AbortSignal,
): Promise<Provisioning> {
  const plan: ProvisionPlan = {
    hostId: host.id,
    recipes: await chosenRecipes(cli, recipes, options),
    before: options.before ?? '',
    after: options.after ?? '',
  };
  const make = () => signedIn(cli, api, host, () => api.call('provision.plan', plan, signal));
  const planned = await make();
  const sudo = planned.preflight.find(({ id }) => id === 'sudo');
  if (sudo?.result !== 'fail' || cli.env[sudoPasswordVariable] !== undefined) return planned;
  const secret = await cli.terminal.secret(`${sudo.detail}. Password for sudo: `);
  if (secret === null || secret === '') return planned;
  await api.call('hosts.setSecret', { id: host.id, kind: 'sudo', secret });
  return make();
}

/** @throws AppError `not-found` */
export async function lastOf(
  api: Api,
  host: Host,
  is: (provisioning: Provisioning) => boolean,
): Promise<Provisioning> {
  const found = (await api.call('provision.list', { hostId: host.id })).find(is);
  if (found) return found;
  throw new AppError({
    code: 'not-found',
    message: `There is nothing of that kind on ${host.name}`,
    hint: `benchberry host show ${host.name} lists what was set up.`,
  });
}

/** How it ended. @returns the exit code */
function told(cli: Cli, options: { json?: boolean }, end: Provisioning): number {
  if (options.json) cli.terminal.out(jsonText(end));
  if (end.error !== null) cli.terminal.err(describeError(end.error));
  else tell(cli, options, [end.status === 'undone' ? 'Taken back.' : 'All done.']);
  return exitCodeOfProvisioning(end);
}
