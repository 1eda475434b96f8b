import type { Api } from '../../src-shared/contract/api.ts';
import { AppError, describeError } from '../../src-shared/errors.ts';
import type { Host } from '../../src-shared/model/host.ts';
import type {
  Provisioning,
  ProvisionPlan,
  ProvisionStep,
  RecipeInfo,
} from '../../src-shared/model/provision.ts';
import { nearest } from '../../src-shared/nearest.ts';
import { type Cli, exitCodes, jsonText, withApp } from './cli.ts';
import { checkLines, findHost, signedIn, sudoPasswordVariable } from './hosts.ts';
import { withInterrupts } from './interrupts.ts';
import { fieldValue, passwordVariable } from './targets.ts';

export interface PlanOptions {
  recipe: string[];
  set: string[];
  before?: string;
  after?: string;
}
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
      return follow(cli, api, planned, 'provision.apply', options, onStop);
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
      return follow(cli, api, last, 'provision.undo', options, onStop);
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

/** Recipes by name, each with the `--set` pairs that are its own. */
async function chosenRecipes(
  cli: Cli,
  recipes: readonly RecipeInfo[],
  { recipe: names, set }: PlanOptions,
): Promise<ProvisionPlan['recipes']> {
  const chosen = names.map((name) => {
    const found = recipes.find(({ id }) => id === name);
    if (found) return found;
    const ids = recipes.map(({ id }) => id);
    const near = nearest(name, ids);
    throw new AppError({
      code: 'not-found',
      message: `There is no recipe named ${JSON.stringify(name)}`,
      hint: near === null ? `Recipes: ${ids.join(', ')}.` : `Did you mean ${near}?`,
    });
  });
  const pairs = set.map((text) => settingOf(text, chosen));
  const result: ProvisionPlan['recipes'] = [];
  for (const { id, fields } of chosen) {
    const parameters: ProvisionPlan['recipes'][number]['parameters'] = {};
    for (const field of fields) {
      const pair = pairs.find(({ recipe, key }) => key === field.key && (recipe === null || recipe === id));
      if (field.kind === 'secret') {
        const secret = cli.env[passwordVariable] ?? (await cli.terminal.secret(`${field.label}: `));
        if (secret !== null) parameters[field.key] = secret;
      } else if (pair) {
        parameters[field.key] =
          field.kind === 'choices'
            ? pair.value.split(',').map((each) => each.trim())
            : fieldValue(field, pair.value);
      }
    }
    result.push({ id, parameters });
  }
  return result;
}

function settingOf(
  text: string,
  chosen: readonly RecipeInfo[],
): { recipe: string | null; key: string; value: string } {
  const [, name = '', value = ''] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
  const dot = name.lastIndexOf('.');
  const recipe = dot < 0 ? null : name.slice(0, dot);
  const key = name.slice(dot + 1);
  const fields = chosen.filter(({ id }) => recipe === null || id === recipe).flatMap((each) => each.fields);
  const field = fields.find((each) => each.key === key);
  if (field === undefined || !text.includes('=')) {
    const near = nearest(
      key,
      fields.map((each) => each.key),
    );
    throw new AppError({
      code: 'unknown-key',
      message: `${JSON.stringify(text)} sets nothing that these recipes have`,
      hint:
        near === null
          ? `Settings: ${fields.map((each) => each.key).join(', ') || 'none'}.`
          : `Did you mean ${near}?`,
    });
  }
  if (field.kind === 'secret') {
    throw new AppError({
      code: 'bad-input',
      message: `${field.label} is not taken from the command line: others can read that`,
      hint: `Set ${passwordVariable}, or leave it out to be asked.`,
    });
  }
  return { recipe, key, value };
}

async function lastOf(
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

async function confirm(cli: Cli, { yes }: { yes?: boolean }, question: string): Promise<void> {
  if (yes) return;
  const answer = await cli.terminal.ask(`${question} [y/N] `);
  if (answer !== null && /^y(es)?$/i.test(answer.trim())) return;
  throw new AppError({
    code: answer === null ? 'bad-input' : 'cancelled',
    message: answer === null ? 'Nobody is there to confirm it' : 'Not confirmed: nothing was changed',
    hint: 'Add --yes to go ahead without being asked.',
  });
}

/** Begins and prints each step as its state changes, until all is over. */
async function follow(
  cli: Cli,
  api: Api,
  { id }: Provisioning,
  command: 'provision.apply' | 'provision.undo',
  options: { json?: boolean },
  onStop: (stop: () => void) => void,
  asked = 0,
): Promise<number> {
  const told = new Map<string, string>();
  const ended = new Promise<Provisioning>((resolve) => {
    const off = api.on('provision.changed', (changed) => {
      if (changed.id !== id) return;
      for (const step of changed.steps) {
        if (told.get(step.id) === step.state) continue;
        told.set(step.id, step.state);
        if (isEnd(step)) cli.terminal.err(stepLine(step));
        else cli.terminal.status(stepLine(step));
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
  if (await giveSecret(cli, api, end, asked))
    return follow(cli, api, end, command, options, onStop, asked + 1);
  if (options.json) cli.terminal.out(jsonText(end));
  if (end.error !== null) cli.terminal.err(describeError(end.error));
  else tell(cli, options, [end.status === 'undone' ? 'Taken back.' : 'All done.']);
  if (end.status === 'cancelled') return exitCodes.cancelled;
  return end.status === 'failed' ? exitCodes.notValid : exitCodes.ok;
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

function planLines({ preflight, steps }: Provisioning): string[] {
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
function tell(cli: Cli, { json }: { json?: boolean }, lines: readonly string[]): void {
  const text = lines.join('\n');
  if (json) cli.terminal.err(text);
  else cli.terminal.out(text);
}
