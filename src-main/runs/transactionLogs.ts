import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../../src-shared/errors.ts';

const folderName = 'transaction-logs';

/**
 * A place for the logs of single transactions that a step of a run writes: a folder of its own below the data folder, so
 * that no plan, wherever it comes from, names a place on the disk.
 * @param prefix begin of the files' names, a plain name
 * @returns `path` of the first thread's file, and what tells the user of it, without the data folder's own path
 * @throws AppError `disk-full`, `no-permission`
 */
export function makeLogPlace(
  dataFolder: string,
  run: string,
  phase: number,
  prefix: string,
): { path: string; note: string } {
  const place = join(folderName, run, String(phase + 1));
  const folder = join(dataFolder, place);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    const full = error instanceof Error && 'code' in error && error.code === 'ENOSPC';
    throw new AppError(
      {
        code: full ? 'disk-full' : 'no-permission',
        message: 'The folder for the log of transactions cannot be made',
        place: { file: folder },
        detail: error instanceof Error ? error.message : String(error),
        hint: 'Make room or give your user the right to write there, or leave the log out.',
      },
      { cause: error },
    );
  }
  const name = `${prefix}.${process.pid}`;
  return {
    path: join(folder, name),
    note: `Log of single transactions: ${name}, and one more for each further thread, in ${place} of the data folder`,
  };
}

/** Deletes the logs of runs that are deleted for good. */
export function removeLogs(dataFolder: string, runs: readonly string[]): void {
  for (const run of runs) rmSync(join(dataFolder, folderName, run), { recursive: true, force: true });
}
