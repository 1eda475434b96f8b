import { Command, CommanderError, InvalidArgumentError } from 'commander';
import { describeError, toAppError } from '../../src-shared/errors.ts';
import type { EngineInfo, WorkloadInfo } from '../../src-shared/model/engine.ts';
import type { RecipeInfo } from '../../src-shared/model/provision.ts';
import type { Generator } from '../app/generate.ts';
import { clearBaseline, setBaseline, showBaselines } from './baselines.ts';
import { type Cli, exitCodeOf, exitCodes } from './cli.ts';
import { compare } from './compare.ts';
import { runDemo } from './demo.ts';
import { doctor } from './doctor.ts';
import { addExchangeCommands, importAnything } from './exchange.ts';
import { addGenerate } from './generate.ts';
import { addHostCommands } from './hostProgram.ts';
import { loadFile } from './loadFile.ts';
import { fieldOption, parametersHelp, repeatable } from './parameters.ts';
import { leaveOut, listRacks, type RackOptions, showRack } from './racks.ts';
import { runFile } from './runFile.ts';
import type { RunOptions } from './runPlan.ts';
import { runRack } from './runRack.ts';
import { type ListOptions, listRuns, showRun } from './runs.ts';
import { addSeriesCommands, addSeriesOptions } from './seriesProgram.ts';
import { serve } from './serve.ts';
import { addTarget, listTargets, passwordVariable, removeTarget, testTarget } from './targets.ts';
import { importTsbsConfig } from './tsbsConfig.ts';

/** What the help is made from: parameters are described once, where they are defined. */
export interface Catalogue {
  version: string;
  engines: readonly EngineInfo[];
  workloads: readonly WorkloadInfo[];
  recipes: readonly RecipeInfo[];
  generators: { data: Generator; queries: Generator };
}

/** Keeps the exit code that a command's work ends with. */
type Act = (work: Promise<number>) => Promise<void>;

/**
 * Reads the command line and does what it says.
 * @returns the exit code; errors are printed, never thrown
 */
export async function runCommandLine(
  cli: Cli,
  catalogue: Catalogue,
  args: readonly string[],
): Promise<number> {
  let code: number = exitCodes.ok;
  const act: Act = async (work) => {
    code = await work;
  };
  try {
    await buildProgram(cli, catalogue, act).parseAsync(args, { from: 'user' });
    return code;
  } catch (error) {
    // Commander has printed its own message already; help and version end this way too.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.badInput;
    const failure = toAppError(error);
    cli.terminal.err(describeError(failure));
    return exitCodeOf(failure);
  }
}

function buildProgram(cli: Cli, catalogue: Catalogue, act: Act): Command {
  const program = new Command('benchberry')
    .description('Measures databases honestly: load, query, watch, keep, compare.')
    .version(catalogue.version, '-V, --version', 'Print the version')
    .helpOption('-h, --help', 'Print help')
    .helpCommand('help [command]', 'Print help for a command')
    .configureHelp({ showGlobalOptions: false, sortOptions: false })
    .configureOutput({
      writeOut: (text) => cli.terminal.out(text.trimEnd()),
      writeErr: (text) => cli.terminal.err(text.trimEnd()),
    })
    .exitOverride()
    .addHelpText(
      'after',
      '\nExit codes: 0 valid, 1 run failed or not valid, 2 bad input or host not ready, 130 cancelled.\n' +
        'BENCHBERRY_DATA names another data folder.',
    );

  addRunCommands(program, cli, catalogue, act);
  addTargetCommands(program, cli, catalogue, act);
  addSeriesCommands(program, cli, act);
  addExchangeCommands(program, cli, act);
  addBaselineCommands(program, cli, act);
  addRackCommands(program, cli, act);
  addHostCommands(program, cli, catalogue.recipes, act);
  addGenerate(program, cli, catalogue.generators, act);
  program
    .command('serve')
    .description('Serve the workbench to a browser on this machine')
    .option('--port <number>', 'Port on 127.0.0.1; 0 takes any free one', portNumber, 0)
    .option('--no-open', 'Print the address only')
    .action((options: { port: number; open: boolean }) => act(serve(cli, options)));
  program
    .command('doctor')
    .description('Try everything that Benchberry needs of this machine')
    .option('--json', 'Print the findings as JSON')
    .action((options: { json?: boolean }) => act(doctor(cli, options)));
  sayWhereHelpIs(program, program.name());
  return program;
}

/** Each command's errors end with the help that explains this very command. */
function sayWhereHelpIs(command: Command, path: string): void {
  command.showHelpAfterError(`${path} --help tells more`);
  for (const inner of command.commands) sayWhereHelpIs(inner, `${path} ${inner.name()}`);
}

function addRunCommands(program: Command, cli: Cli, { workloads }: Catalogue, act: Act): void {
  const run = program.command('run').description('Run a plan file, once or as a series');
  run
    .argument('<plan.yaml>', 'Plan file; assets/plans holds samples')
    .option(
      '--target <name|url>',
      "In place of the plan's target: a saved one's name, sandbox, null or a URL; several are taken in turn",
      repeatable,
      [],
    )
    .option(
      '--json',
      'Print one JSON object of the run on standard output, everything else on standard error',
    )
    .option('-q, --quiet', 'No progress')
    .option(
      '--override-gate <note>',
      "Begin whatever the gate of the target's host says, and why; the note is kept with the run",
    )
    .option(
      '--quiet-host',
      "Stop timers and services that disturb on the target's host for the length of the run; as quietHost in the plan",
    )
    .option('--no-telemetry', 'Do not look at the database server meanwhile; as telemetry: false in the plan')
    .addHelpText('after', `\n${parametersHelp(workloads)}`)
    .option('--rack <name>', "Run it on every host of a rack, on the target of each, in place of the plan's")
    .option('--at-once', 'With --rack: on all hosts at once, sharing this machine; else one after the other')
    .option('--member <host=target>', 'With --rack: which target of a host that has several', repeatable, [])
    .option('--without <host>', 'With --rack: a host that does not take part', repeatable, [])
    .action((file: string, options: RunOptions & Partial<RackOptions>) => {
      const { rack, member = [], without = [] } = options;
      return act(
        rack === undefined
          ? runFile(cli, file, options)
          : runRack(cli, file, { ...options, rack, member, without }),
      );
    });
  addSeriesOptions(run);
  addLoad(program, cli, workloads, act);
  const importing = program
    .command('import')
    .description(
      'Take in runs: exported JSON, references, results of TSBS, reports of pgbench and sysbench; or print the plan that a command line or a tsbs_load configuration becomes',
    )
    .argument('[file or command line]', 'A command line in quotes; without it read from standard input')
    .option('--json', 'Print the runs that are taken in as JSON')
    .action((given: string | undefined, options: { json?: boolean }) =>
      act(importAnything(cli, given ?? null, options)),
    );
  importing
    .command('tsbs')
    .description('Print the plan that a configuration of tsbs_load becomes, and what of it is left out')
    .argument('<config.yaml>', 'File that tsbs_load reads with --config')
    .action((file: string) => act(importTsbsConfig(cli, file)));
  program
    .command('demo')
    .description('Load a TSBS data set into the built-in PostgreSQL, query it and keep the run')
    .option(
      '--json',
      'Print one JSON object of the run on standard output, everything else on standard error',
    )
    .option('-q, --quiet', 'No progress')
    .action((options: RunOptions) => act(runDemo(cli, options)));
  program
    .command('list')
    .description('List the runs, newest first')
    .option('--search <text>', 'Only runs with this text in name, target, tags or notes')
    .option('--tag <tag>', 'Only runs with this tag')
    .option(
      '--filter <filter>',
      'As in the search field: engine:questdb tag:nvme -verdict:valid since:2026-11-01 pi:5 words',
    )
    .option('--json', 'Print the list as JSON')
    .action((options: ListOptions) => act(listRuns(cli, options)));
  program
    .command('show')
    .description('Show a run')
    .argument('<id>', 'Id of the run, or its first characters')
    .option('--json', 'Print it as JSON, as run --json does, with what the server did in `server`')
    .option('--text', 'Print its lines, in the words of TSBS, pgbench or sysbench')
    .action((id: string, options: { json?: boolean; text?: boolean }) => act(showRun(cli, id, options)));
  program
    .command('compare')
    .description('Put runs and groups of repeats side by side; changes count from the first')
    .argument(
      '<id>',
      'Id of a run or a series, or its first characters; SERIES.CELL.TARGET for one cell of a series',
    )
    .argument('<other...>', 'One or more to put beside it')
    .option('--json', 'Print the comparison with its verdicts as JSON')
    .action((id: string, others: string[], options: { json?: boolean }) =>
      act(compare(cli, [id, ...others], options)),
    );
}

/** `load FILE`, with the parameters of the step that loads a file as flags. */
function addLoad(program: Command, cli: Cli, workloads: Catalogue['workloads'], act: Act): void {
  const step = workloads.flatMap(({ steps }) => steps).find(({ id }) => id === 'tsbs.file');
  if (step === undefined) return;
  const command = program
    .command('load')
    .description("Load a data file of TSBS's, plain or compressed, and keep the run")
    .argument('<file>', '- reads standard input, which is kept in the data folder until the run is over')
    .option('--target <name|url>', "A saved target's name, sandbox, null or a URL", 'sandbox')
    .option(
      '--json',
      'Print one JSON object of the run on standard output, everything else on standard error',
    )
    .option('-q, --quiet', 'No progress');
  for (const field of step.fields.filter(({ key }) => key !== 'file')) command.addOption(fieldOption(field));
  command.action((file: string, options: { target: string; json?: boolean; quiet?: boolean }) => {
    const { target, json = false, quiet = false, ...flags } = options;
    return act(loadFile(cli, step, file, target, { json, quiet }, flags));
  });
}

function addBaselineCommands(program: Command, cli: Cli, act: Act): void {
  const baseline = program
    .command('baseline')
    .description('What the runs of a plan are held against: one run of it, or the repeats of a series');
  baseline
    .command('set')
    .description('Make it the baseline of its plan, in place of the one before')
    .argument(
      '<id>',
      'Id of a run or a series, or its first characters; SERIES.CELL.TARGET for one cell of a series',
    )
    .action((id: string) => act(setBaseline(cli, id)));
  baseline
    .command('clear')
    .description('Leave a plan without a baseline; its runs stay')
    .argument('<plan>', 'Name of the plan')
    .action((plan: string) => act(clearBaseline(cli, plan)));
  baseline
    .command('show')
    .description('Show the baseline of a plan, or of all')
    .argument('[plan]', 'Name of the plan')
    .option('--json', 'Print them as JSON')
    .action((plan: string | undefined, options: { json?: boolean }) =>
      act(showBaselines(cli, plan ?? null, options)),
    );
}

function addRackCommands(program: Command, cli: Cli, act: Act): void {
  const rack = program.command('rack').description('Benchmarks of racks: several hosts, the same plan');
  rack
    .command('list')
    .description('List the benchmarks of racks, newest first')
    .option('--json', 'Print the list as JSON')
    .action((options: { json?: boolean }) => act(listRacks(cli, options)));
  rack
    .command('show')
    .description('Show the figures of each host, who stands out and why, and what they come to')
    .argument('<id>', 'Id of the benchmark, or its first characters')
    .option('--json', 'Print one JSON object, the runs in it as run --json prints them')
    .action((id: string, options: { json?: boolean }) => act(showRack(cli, id, options)));
  rack
    .command('leave-out')
    .description('Leave a host out of mean and median; the reason is shown beside them')
    .argument('<id>', 'Id of the benchmark, or its first characters')
    .argument('<host>', 'Name of the host')
    .requiredOption('--reason <text>', 'Why')
    .action((id: string, host: string, { reason }: { reason: string }) =>
      act(leaveOut(cli, id, host, reason)),
    );
  rack
    .command('take-in')
    .description('Let a host that was left out count again')
    .argument('<id>', 'Id of the benchmark, or its first characters')
    .argument('<host>', 'Name of the host')
    .action((id: string, host: string) => act(leaveOut(cli, id, host, null)));
}

function addTargetCommands(program: Command, cli: Cli, { engines }: Catalogue, act: Act): void {
  const targets = program
    .command('targets')
    .description('List what can be benchmarked; add, remove, test')
    .option('--json', 'Print the list as JSON')
    .action((options: { json?: boolean }) => act(listTargets(cli, options)));
  const add = targets.command('add').description('Save a database server under a name');
  for (const engine of engines.filter((each) => !each.builtIn)) {
    const command = add
      .command(engine.id)
      .summary(engine.label)
      .description(`${engine.description}\nThe password is read from ${passwordVariable} or asked for.`)
      .argument('<name>', 'Name by which plans and commands call it');
    for (const field of engine.connection) command.addOption(fieldOption(field));
    command.option(
      '--runs-on <name>',
      'The saved host it runs on, for its gate, health and quiet; none for no host. Without it: the host of the same address',
    );
    command.action((name: string, options: Record<string, unknown>) =>
      act(addTarget(cli, engine, name, options)),
    );
  }
  targets
    .command('remove')
    .description('Forget a saved target; its runs and databases stay')
    .argument('<name>')
    .action((name: string) => act(removeTarget(cli, name)));
  targets
    .command('test')
    .description('Connect and say what answers')
    .argument('<name|url>')
    .option('--json', 'Print the description as JSON')
    .action((name: string, options: { json?: boolean }) => act(testTarget(cli, name, options)));
}

function portNumber(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new InvalidArgumentError('A port is a whole number from 0 to 65535.');
}
