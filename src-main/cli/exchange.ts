import { readFile, stat, writeFile } from 'node:fs/promises';
import { text as streamText } from 'node:stream/consumers';
import type { Command } from 'commander';
import type { Api } from '../../src-shared/contract/api.ts';
import { AppError, toAppError } from '../../src-shared/errors.ts';
import type { ImportedRun } from '../../src-shared/model/exchange.ts';
import { formatCounted } from '../../src-shared/units.ts';
import { exportFormats } from '../reports/exports/registry.ts';
import { holdsRuns } from '../reports/imports/readImport.ts';
import { textTable } from '../reports/table.ts';
import { type Cli, exitCodes, jsonText, withApp } from './cli.ts';
import { importCommandLine } from './importCommandLine.ts';
import { findRun } from './runs.ts';
import { importTsbsConfig } from './tsbsConfig.ts';

interface ExportOptions {
  format: string;
  output?: string;
  operation?: string;
  withNames?: boolean;
}

/** Adds `export` and `references`. @param act keeps the exit code of a command's work */
export function addExchangeCommands(
  program: Command,
  cli: Cli,
  act: (work: Promise<number>) => Promise<void>,
): void {
  const formats = exportFormats.map(({ id, description }) => [`  ${id}`, description]);
  program
    .command('export')
    .description('Print runs in one of many formats; several runs are compared in html and markdown')
    .argument('<id...>', 'Id of a run, or its first characters; SERIES.CELL.TARGET for a group of repeats')
    .requiredOption('--format <format>', 'One of those below')
    .option('-o, --output <file>', 'Write it to this file')
    .option('--operation <name>', 'With hdr, hdr-log and tsbs-hdr: only the latencies of this operation')
    .option('--with-names', 'Leave user and machine names and paths of home folders in')
    .addHelpText('after', `\nFormats:\n${textTable(formats, 'll').join('\n')}`)
    .action((ids: string[], options: ExportOptions) => act(exportRuns(cli, ids, options)));
  program
    .command('references')
    .description(
      'List the published figures that ship with Benchberry; compare, show and export take their ids',
    )
    .option('--json', 'Print them as JSON')
    .action((options: { json?: boolean }) => act(listReferences(cli, options)));
}

/** `export ID…`: to standard output, or into a file. */
export function exportRuns(cli: Cli, ids: readonly string[], options: ExportOptions): Promise<number> {
  const { format, output, operation = null, withNames = false } = options;
  return withApp(cli, async ({ api }) => {
    const sides: string[] = [];
    for (const id of ids) sides.push(await sideOf(api, id));
    const { text } = await api.call('exchange.export', { sides, format, operation, withNames });
    if (output === undefined) cli.terminal.stdout.write(text);
    else await writeNew(output, text);
    return exitCodes.ok;
  });
}

/** The key of a side: what no run begins with may be a series, which the core knows. */
async function sideOf(api: Api, id: string): Promise<string> {
  if (id.startsWith('reference:') || /\.\d+\.\d+$/.test(id)) return id;
  try {
    return (await findRun(api, id)).id;
  } catch (thrown) {
    if (toAppError(thrown).code === 'not-found') return id;
    throw thrown;
  }
}

async function writeNew(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text);
  } catch (error) {
    throw new AppError(
      {
        code: 'bad-input',
        message: 'The file cannot be written',
        place: { file },
        detail: error instanceof Error ? error.message : String(error),
      },
      { cause: error },
    );
  }
}

/** `references`: what there is to compare with. */
function listReferences(cli: Cli, { json }: { json?: boolean }): Promise<number> {
  return withApp(cli, async ({ api }) => {
    const references = await api.call('exchange.references', null);
    const rows = references.map(({ run: { id, name, targetName, printed } }) => [
      id,
      printed?.source.date ?? '–',
      targetName,
      name,
    ]);
    cli.terminal.out(
      json
        ? jsonText(references.map(({ run }) => run))
        : textTable([['ID', 'Published', 'Machine', 'Name'], ...rows], 'llll').join('\n'),
    );
    return exitCodes.ok;
  });
}

/**
 * `import`: whatever it is given. Runs exported as JSON, references, results of TSBS and reports of pgbench and sysbench become
 * runs in the list; a configuration of tsbs_load and a command line are printed as the plan that they become.
 * @param given a file, or a command line; null: read from standard input
 */
export async function importAnything(
  cli: Cli,
  given: string | null,
  { json }: { json?: boolean },
): Promise<number> {
  const file = given !== null && (await isFile(given)) ? given : null;
  const text = file === null ? (given ?? (await streamText(process.stdin))) : await readFile(file, 'utf8');
  if (!holdsRuns(text)) {
    if (file !== null && /^[ \t]*(?:data-source|loader)[ \t]*:/m.test(text))
      return importTsbsConfig(cli, file);
    const isLine = file === null ? programs : new RegExp(`^\\s*(?:\\S*/)?${programs.source}`, 'm');
    if (isLine.test(text)) return importCommandLine(cli, text);
    if (given !== null && file === null && !/\s/.test(given)) throw noFile(given);
  }
  return withApp(cli, async ({ api }) => {
    const runs = await api.call('exchange.import', { text, fileName: file });
    cli.terminal.out(json ? jsonText(runs) : runs.map(importedLine).join('\n'));
    if (!json) cli.terminal.err(`${formatCounted(runs.length, 'run')} in the list`);
    return exitCodes.ok;
  });
}

/** What command lines begin with. */
const programs =
  /\b(?:pgbench|sysbench|tsbs_\w+|(?:generate_(?:data|queries)|load_\w+|run_queries_\w+|full_cycle\w*)\.sh)\b/;

const stateWords: Record<ImportedRun['state'], string> = {
  new: 'imported',
  there: 'there already',
  restored: 'was deleted, is back',
};

function importedLine({ head, state }: ImportedRun): string {
  return `${head.id}  ${stateWords[state]}  ${[head.name, head.targetName].filter(Boolean).join(' on ')}`;
}

async function isFile(name: string): Promise<boolean> {
  try {
    return (await stat(name)).isFile();
  } catch {
    return false; // a command line is no name of a file
  }
}

function noFile(file: string): AppError {
  return new AppError({
    code: 'not-found',
    message: 'There is no such file',
    place: { file },
    hint: 'Give a file, or a command line of TSBS, pgbench or sysbench in quotes.',
  });
}
