import { closeSync, existsSync, openSync, readSync, renameSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';

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
  const handle = openSync(file, 'r');
  try {
    if (readSync(handle, head, 0, 100, 0) < 100) return null;
  } finally {
    closeSync(handle);
  }
  // https://www.sqlite.org/fileformat.html: magic at 0, user version at 60, big-endian.
  return head.toString('latin1', 0, 16) === 'SQLite format 3\0' ? head.readUInt32BE(60) : null;
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
