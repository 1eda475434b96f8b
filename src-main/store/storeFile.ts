import { closeSync, existsSync, openSync, readSync, renameSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { AppError } from '../../src-shared/errors.ts';

export const storeFileName = 'benchberry.sqlite';

/** A name beside the file: `benchberry.<what>-2026-01-31T12-00-00-000Z.sqlite`. */
export function besideName(file: string, what: string, now: Date): string {
  const extension = extname(file);
  const time = now.toISOString().replaceAll(/[:.]/g, '-');
  return join(dirname(file), `${basename(file, extension)}.${what}-${time}${extension}`);
}

/**
 * The form's number (`user_version`) from the first page, without opening the file as a database: opening would already
 * write a `-shm` beside it. null: no file, an empty one, or not SQLite.
 */
export function readFormNumber(file: string): number | null {
  if (!existsSync(file)) return null;
  const head = Buffer.alloc(100);
  const length = told(file, () => {
    const handle = openSync(file, 'r');
    try {
      return readSync(handle, head, 0, 100, 0);
    } finally {
      closeSync(handle);
    }
  });
  if (length < 100) return null;
  // https://www.sqlite.org/fileformat.html: magic at 0, user version at 60, big-endian.
  return head.toString('latin1', 0, 16) === 'SQLite format 3\0' ? head.readUInt32BE(60) : null;
}

/**
 * Begins the file for its user alone: SQLite would let everybody read it. What SQLite makes beside it (`-wal`, `-shm`) gets
 * the same rights. A file that is there stays as it is.
 */
export function beginFile(file: string): void {
  if (!existsSync(file)) told(file, () => closeSync(openSync(file, 'a', 0o600)));
}

/** The system's refusals as AppErrors. */
function told<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const full = error instanceof Error && 'code' in error && error.code === 'ENOSPC';
    throw new AppError(
      {
        code: full ? 'disk-full' : 'no-permission',
        message: 'The Benchberry data file cannot be opened',
        place: { file },
        detail: error instanceof Error ? error.message : String(error),
        hint: full
          ? 'Free some space on its disk, then try again.'
          : 'Give your user the right to read and write the file and its folder.',
      },
      { cause: error },
    );
  }
}

/** Renames a damaged file and its write-ahead log; nothing is deleted. Returns the new name. */
export function setAside(file: string, now: Date): string {
  const target = besideName(file, 'damaged', now);
  renameSync(file, target);
  for (const tail of ['-wal', '-shm']) {
    if (existsSync(file + tail)) renameSync(file + tail, target + tail);
  }
  return target;
}
