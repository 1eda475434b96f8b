import { type Command, InvalidArgumentError } from 'commander';
import type { Cli } from './cli.ts';
import { cancelSeries, continueSeries, listSeries, showSeries } from './series.ts';

/** Options of `run` that make a series of it, or say how its runs follow each other. */
export function addSeriesOptions(run: Command): void {
  run
    .option(
      '--repeat <times>',
      "Run it so often, in place of the plan's own: interleaved over the targets",
      whole,
    )
    .option(
      '--settle <duration>',
      'Between two runs of a repeat or a sweep: idle for so long, as 30s; as settle.idle in the plan',
    )
    .option(
      '--settle-below <celsius>',
      "… and until the target's host is cooler than so many °C; as settle.below in the plan",
      whole,
    )
    .option(
      '--settle-most <duration>',
      '… but not longer than this; as settle.atMost in the plan (default 10m)',
    )
    .option(
      '--budget <duration>',
      'Begin no further run of a repeat or a sweep after this time, as 8h; as budget in the plan',
    );
}

function whole(text: string): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && number > 0) return number;
  throw new InvalidArgumentError('A whole number above 0 is wanted.');
}

/** `series …`: repeats and sweeps that were started. */
export function addSeriesCommands(
  program: Command,
  cli: Cli,
  act: (work: Promise<number>) => Promise<void>,
): void {
  const series = program
    .command('series')
    .description('Repeats and sweeps: runs of one plan that belong together');
  series
    .command('list')
    .description('List the series, newest first')
    .option('--json', 'Print the list as JSON')
    .action((options: { json?: boolean }) => act(listSeries(cli, options)));
  series
    .command('show')
    .description('Show how a series stands: each cell with average, median and highest')
    .argument('<id>', 'Id of the series, or its first characters')
    .option('--json', 'Print one JSON object, the runs in it as run --json prints them')
    .action((id: string, options: { json?: boolean }) => act(showSeries(cli, id, options)));
  series
    .command('resume')
    .description('Go on with what has no end yet: runs that were cut short, and those that had no turn')
    .argument('<id>', 'Id of the series, or its first characters')
    .option('--failed', 'Run the failed ones again too')
    .option('--json', 'Print one JSON object on standard output, everything else on standard error')
    .option('-q, --quiet', 'No progress')
    .option('--override-gate <note>', 'Begin whatever the gate of a host says, and why; kept with the runs')
    .action((id: string, options: Parameters<typeof continueSeries>[2]) =>
      act(continueSeries(cli, id, options)),
    );
  series
    .command('cancel')
    .description('Ask the process that is at it, such as the workbench, to stop it')
    .argument('<id>', 'Id of the series, or its first characters')
    .action((id: string) => act(cancelSeries(cli, id)));
}
