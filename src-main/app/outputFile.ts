import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import type { Transform, Writable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import { createGzip, createZstdCompress } from 'node:zlib';
import { AppError, toAppError } from '../../src-shared/errors.ts';

/** By the end of the file's name; null: as it is. Level 3 of gzip: a third of the time of its usual one for a tenth more bytes. */
function packer(file: string): Transform | null {
  if (/\.gz$/i.test(file)) return createGzip({ level: 3 });
  if (/\.zst$/i.test(file)) return createZstdCompress();
  return null;
}

/**
 * Writes a file, compressed where its name ends in `.gz` or `.zst`. It appears under its name once it is whole; one of that
 * name that was there is then replaced.
 * @param write gets where to write to, and leaves it open
 * @throws what `write` throws; AppError `bad-input` or `disk-full` where the file cannot be written
 */
export async function intoFile<T>(file: string, write: (output: Writable) => Promise<T>): Promise<T> {
  const part = `${file}.part`;
  const disk = createWriteStream(part);
  const packing = packer(file);
  const output = packing ?? disk;
  const piping = packing === null ? finished(disk) : pipeline(packing, disk);
  // Whoever writes hears of it as well; what the disk said comes first.
  const failed = piping.then(
    () => null,
    (error: unknown) => writeError(error, file),
  );
  try {
    const result = await write(output);
    output.end();
    const failure = await failed;
    if (failure !== null) throw failure;
    await rename(part, file);
    return result;
  } catch (error) {
    output.destroy(error instanceof Error ? error : undefined);
    const failure = await failed;
    await rm(part, { force: true });
    throw failure !== null && toAppError(error).code !== 'cancelled' ? failure : error;
  }
}

function writeError(error: unknown, file: string): AppError {
  if (error instanceof AppError) return error;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === undefined) return toAppError(error);
  return new AppError(
    {
      code: code === 'ENOSPC' ? 'disk-full' : 'bad-input',
      message: code === 'ENOSPC' ? 'The disk is full' : 'The file cannot be written',
      place: { file },
      detail: error instanceof Error ? error.message : undefined,
    },
    { cause: error },
  );
}
