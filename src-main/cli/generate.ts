import type { Command } from 'commander';
import type { Generator } from '../app/generate.ts';
import { intoFile } from '../app/outputFile.ts';
import { type Cli, exitCodes } from './cli.ts';
import { withInterrupts } from './interrupts.ts';
import { fieldOption } from './parameters.ts';
import { generateTsbsConfig } from './tsbsConfig.ts';

const about = {
  data: "Write TSBS's data file, byte for byte what tsbs_generate_data writes",
  queries: "Write TSBS's queries, one SQL statement a line",
} as const;

/** `generate data` and `generate queries`, with TSBS's own flags, made from the generators' options. */
export function addGenerate(
  program: Command,
  cli: Cli,
  generators: Record<keyof typeof about, Generator>,
  act: (work: Promise<number>) => Promise<void>,
): void {
  const generate = program
    .command('generate')
    .description("Write TSBS's own files, to standard output or a file");
  for (const name of ['data', 'queries'] as const) {
    const generator = generators[name];
    const command = generate.command(name).description(about[name]);
    for (const field of generator.fields) command.addOption(fieldOption(field));
    command.option(
      '--file <path>',
      'Write to a file in place of standard output, compressed where its name ends in .gz or .zst',
    );
    command.action(({ file, ...options }: Record<string, unknown> & { file?: string }) =>
      act(write(cli, generator, options, file)),
    );
  }
  generate
    .command('config')
    .description('Write the configuration of tsbs_load that does what the first load of a plan does')
    .argument('<plan.yaml>', 'Plan file')
    .action((file: string) => act(generateTsbsConfig(cli, file)));
}

async function write(
  cli: Cli,
  generator: Generator,
  options: Record<string, unknown>,
  file: string | undefined,
): Promise<number> {
  const { seed } = await withInterrupts(cli, (signal) =>
    file === undefined
      ? generator.write(options, cli.terminal.stdout, signal)
      : intoFile(file, (output) => generator.write(options, output, signal)),
  );
  if (Number(options.seed ?? 0) === 0) cli.terminal.err(`seed ${seed}`);
  return exitCodes.ok;
}
