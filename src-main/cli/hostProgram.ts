import { type Command, InvalidArgumentError } from 'commander';
import { AppError } from '../../src-shared/errors.ts';
import type { RecipeInfo } from '../../src-shared/model/provision.ts';
import type { PlanOptions } from './chosenRecipes.ts';
import type { Cli } from './cli.ts';
import {
  type AddOptions,
  addHost,
  checkHost,
  forgetHost,
  hostPasswordVariable,
  listHosts,
  showHost,
  showInventory,
  sudoPasswordVariable,
} from './hosts.ts';
import { fieldsHelp, repeatable } from './parameters.ts';
import { type ProvisionOptions, provisionHost, scriptForHost, undoHost } from './provision.ts';
import { provisionRack } from './provisionRack.ts';

type Act = (work: Promise<number>) => Promise<void>;

/** `host …`: computers to set up and measure. */
export function addHostCommands(program: Command, cli: Cli, recipes: readonly RecipeInfo[], act: Act): void {
  const host = program
    .command('host')
    .description('Raspberry Pis and other hosts: look at them, set them up')
    .addHelpText(
      'after',
      `\nPasswords are read from ${hostPasswordVariable} and ${sudoPasswordVariable}, or asked for.`,
    );
  host
    .command('add')
    .description('Save a host; its key is shown and pinned')
    .argument('<name>', 'Name by which commands call it')
    .argument('<address>', 'Host name, name.local, address, or an alias of ~/.ssh/config')
    .option('--user <name>', 'User to sign in as', 'pi')
    .option('--port <number>', 'Port of SSH', portNumber, 22)
    .option('--key <file>', 'Sign in with this private key')
    .option('--password', 'Sign in with a password; without this or --key the agent is asked')
    .option('--group <rack>', 'Hosts of one rack share it')
    .option('--fingerprint <SHA256:…>', "Fingerprint of the host's key, for scripts")
    .option('--json', 'Print the host as JSON')
    .action((name: string, address: string, options: AddOptions) =>
      act(addHost(cli, name, address, options)),
    );
  host
    .command('list')
    .description('List the hosts')
    .option('--json', 'Print the list as JSON')
    .action((options: { json?: boolean }) => act(listHosts(cli, options)));
  host
    .command('show')
    .description('Show what is known of a host and what was set up on it')
    .argument('<name>')
    .option('--json', 'Print it as JSON')
    .action((name: string, options: { json?: boolean }) => act(showHost(cli, name, options)));
  host
    .command('inventory')
    .description('Sign in and read what the host is and what is on it; changes nothing')
    .argument('<name>')
    .option('--json', 'Print it as JSON, with the text each value was read from')
    .action((name: string, options: { json?: boolean }) => act(showInventory(cli, name, options)));
  host
    .command('check')
    .description('Measure disk, network and clock of a host and whether a run may begin')
    .argument('<name>')
    .option('--json', 'Print the checks as JSON')
    .action((name: string, options: { json?: boolean }) => act(checkHost(cli, name, options)));
  host
    .command('forget')
    .description('Forget a host; what is on it stays')
    .argument('<name>')
    .action((name: string) => act(forgetHost(cli, name)));
  addProvisionCommands(host, cli, recipes, act);
}

function addProvisionCommands(host: Command, cli: Cli, recipes: readonly RecipeInfo[], act: Act): void {
  planOptions(
    host
      .command('provision')
      .description('Set a host up with recipes, or all hosts of a rack side by side')
      .argument('[name]', 'The host; without it --group names a rack'),
  )
    .option('--group <rack>', 'Every host of this rack, each with its own outcome')
    .option('--dry-run', 'Print the plan and change nothing')
    .option('--resume', 'Go on with the last one that failed or was stopped')
    .option('--json', 'Print one JSON object on standard output, everything else on standard error')
    .option('-y, --yes', 'Do not ask')
    .addHelpText('after', `\n${recipesHelp(recipes)}`)
    .action((name: string | undefined, options: ProvisionOptions & { group?: string }) =>
      act(provisionNamed(cli, recipes, name, options)),
    );
  host
    .command('undo')
    .description('Take back what was set up last')
    .argument('<name>')
    .option('--json', 'Print one JSON object on standard output, everything else on standard error')
    .option('-y, --yes', 'Do not ask')
    .action((name: string, options: { json?: boolean; yes?: boolean }) => act(undoHost(cli, name, options)));
  planOptions(
    host
      .command('script')
      .description('Print a plan as one shell script; changes nothing')
      .argument('<name>'),
  ).action((name: string, options: PlanOptions) => act(scriptForHost(cli, recipes, name, options)));
}

function planOptions(command: Command): Command {
  return command
    .option('--recipe <id>', 'What to set up; may be given several times', repeatable, [])
    .option(
      '--set <key=value>',
      'A setting of a recipe (key=value or recipe.key=value); may be given several times',
      repeatable,
      [],
    )
    .option('--before <commands>', 'Shell text to run first, as the signed-in user')
    .option('--after <commands>', 'Shell text to run last, as the signed-in user');
}

async function provisionNamed(
  cli: Cli,
  recipes: readonly RecipeInfo[],
  name: string | undefined,
  { group, ...options }: ProvisionOptions & { group?: string },
): Promise<number> {
  if (name !== undefined && group === undefined) return provisionHost(cli, recipes, name, options);
  if (name === undefined && group !== undefined) return provisionRack(cli, recipes, group, options);
  throw new AppError({
    code: 'bad-input',
    message: 'Name either a host or, with --group, a rack',
    hint: 'benchberry host list shows the hosts and their racks.',
  });
}

function recipesHelp(recipes: readonly RecipeInfo[]): string {
  return recipes
    .map(({ id, description, fields }) => fieldsHelp(`Recipe ${id}: ${description}`, fields))
    .join('\n\n');
}

function portNumber(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port >= 1 && port <= 65_535) return port;
  throw new InvalidArgumentError('A port is a whole number from 1 to 65535.');
}
