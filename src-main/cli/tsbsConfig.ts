import type { LeftOut } from '../../src-shared/contract/commands.ts';
import { describeError } from '../../src-shared/errors.ts';
import { type Cli, exitCodes, withApp } from './cli.ts';
import { readPlanFile } from './runPlan.ts';

/**
 * `import tsbs`: prints the plan that a configuration of `tsbs_load` becomes, as YAML. What is wrong in the file, with line,
 * column and the likely fix, and what could not be taken over go to standard error.
 */
export async function importTsbsConfig(cli: Cli, file: string): Promise<number> {
  const text = await readPlanFile(file);
  return withApp(cli, async ({ api }) => {
    const read = await api.call('plans.fromTsbsConfig', { text, fileName: file });
    cli.terminal.out((await api.call('plans.toYaml', { plan: read.plan })).trimEnd());
    for (const { message, hint, line, column } of read.mistakes)
      cli.terminal.err(describeError({ code: 'yaml-syntax', message, place: { file, line, column }, hint }));
    if (!read.serverNamed)
      cli.terminal.err(
        'No server is named: the plan is for the built-in PostgreSQL (run --target names another)',
      );
    sayLeftOut(cli, read.leftOut);
    return exitCodes.ok;
  });
}

/** `generate config`: prints a plan's first load as a configuration of `tsbs_load`. */
export async function generateTsbsConfig(cli: Cli, file: string): Promise<number> {
  const text = await readPlanFile(file);
  return withApp(cli, async ({ api }) => {
    const plan = await api.call('plans.parse', { text, fileName: file });
    const { text: config, leftOut } = await api.call('plans.toTsbsConfig', { plan });
    cli.terminal.out(config.trimEnd());
    sayLeftOut(cli, leftOut);
    return exitCodes.ok;
  });
}

export function sayLeftOut(cli: Cli, leftOut: readonly LeftOut[]): void {
  for (const { option, reason, place } of leftOut)
    cli.terminal.err(`left out: ${place ? `line ${place.line}: ` : ''}${option}: ${reason}`);
}
