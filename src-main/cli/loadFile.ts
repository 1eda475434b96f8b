import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AppError } from '../../src-shared/errors.ts';
import type { StepInfo } from '../../src-shared/model/engine.ts';
import { fromTexts } from '../app/flagTexts.ts';
import { type Cli, withApp } from './cli.ts';
import { withInterrupts } from './interrupts.ts';
import { parsePlan, type RunOptions, runOnce } from './runPlan.ts';

/**
 * Loads a data file as a run of one step.
 * @param file `-`: standard input, which is kept in the data folder until the run is over, since it is read twice
 * @param flags the step's parameters, as texts
 * @returns as `runPlan`
 */
export async function loadFile(
  cli: Cli,
  step: StepInfo,
  file: string,
  target: string,
  options: Omit<RunOptions, 'target'>,
  flags: Record<string, unknown>,
): Promise<number> {
  return withApp(cli, async ({ api }) =>
    withInterrupts(cli, (signal, interrupted) =>
      withFile(cli, file, signal, async (place) => {
        const parameters = { ...fromTexts(flags, step.fields), file: place };
        const name = file === '-' ? 'standard input' : path.basename(file);
        const text = JSON.stringify({
          version: 1,
          name: `Load ${name}`,
          target,
          steps: [{ [step.id]: parameters }],
        });
        const { plan } = await parsePlan(api, file, text, options);
        return runOnce(cli, api, plan, options, signal, interrupted);
      }),
    ),
  );
}

async function withFile<T>(
  cli: Cli,
  file: string,
  signal: AbortSignal,
  work: (place: string) => Promise<T>,
): Promise<T> {
  if (file !== '-') return work(path.resolve(file));
  if (process.stdin.isTTY)
    throw new AppError({
      code: 'bad-input',
      message: 'Nothing comes in on standard input',
      hint: 'Name a file, or pipe one in: … | benchberry load -',
    });
  return withInput(process.stdin, path.join(cli.dataFolder, 'incoming'), signal, work);
}

/** Keeps what comes in as a file for as long as the work takes. */
async function withInput<T>(
  input: Readable,
  folder: string,
  signal: AbortSignal,
  work: (place: string) => Promise<T>,
): Promise<T> {
  await mkdir(folder, { recursive: true });
  const place = path.join(folder, randomUUID());
  try {
    await pipeline(input, createWriteStream(place), { signal });
    return await work(place);
  } finally {
    await rm(place, { force: true });
  }
}
