import { type Cli, withApp } from './cli.ts';
import { withInterrupts } from './interrupts.ts';
import { parsePlan, type RunOptions, readPlanFile, runOnce } from './runPlan.ts';
import { startSeries } from './runSeries.ts';

/**
 * `run PLAN`: a plan file to its end, as one run or as a series.
 * @returns the exit code: 0 all valid, 1 one failed or is not valid, 130 cancelled
 * @throws AppError for a plan or target that cannot be run
 */
export async function runFile(cli: Cli, file: string, options: RunOptions): Promise<number> {
  const text = await readPlanFile(file);
  return withApp(cli, async ({ api }) => {
    const { plan, cells } = await parsePlan(api, file, text, options);
    const targets = options.target ?? [];
    return withInterrupts(cli, (signal, interrupted) =>
      cells > 1 || plan.repeat > 1 || targets.length > 1
        ? startSeries(
            cli,
            api,
            plan,
            targets.length > 0 ? targets : [plan.target],
            options,
            signal,
            interrupted,
          )
        : runOnce(cli, api, plan, options, signal, interrupted),
    );
  });
}
