import { readFile } from 'node:fs/promises';
import { text as streamText } from 'node:stream/consumers';
import { type Cli, exitCodes, withApp } from './cli.ts';
import { sayLeftOut } from './tsbsConfig.ts';

/**
 * Prints the plan that a command line of TSBS, pgbench or sysbench becomes, as YAML; what could not be taken over goes to standard
 * error, each with its reason. Scripts that it names are read and stand in the plan.
 * @param line null: read from standard input
 */
export async function importCommandLine(cli: Cli, line: string | null): Promise<number> {
  const text = line ?? (await streamText(process.stdin));
  return withApp(cli, async ({ api }) => {
    const { missingFiles: wanted } = await api.call('plans.fromCommandLine', { text });
    const files = await readFiles(wanted);
    const read = await api.call('plans.fromCommandLine', { text, files });
    cli.terminal.out((await api.call('plans.toYaml', { plan: read.plan })).trimEnd());
    if (!read.serverNamed)
      cli.terminal.err(
        'No server is named: the plan is for the built-in PostgreSQL (run --target names another)',
      );
    sayLeftOut(cli, read.leftOut);
    return exitCodes.ok;
  });
}

/** Those that can be read; the others are named among what is left out. */
async function readFiles(names: readonly string[]): Promise<Record<string, string>> {
  const read = await Promise.allSettled(
    names.map(async (name) => [name, await readFile(name, 'utf8')] as const),
  );
  return Object.fromEntries(read.flatMap((file) => (file.status === 'fulfilled' ? [file.value] : [])));
}
