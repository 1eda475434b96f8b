import { constants, type FileHandle, open } from 'node:fs/promises';
import { createGunzip, createZstdDecompress, type Gunzip, type ZstdDecompress } from 'node:zlib';
import { AppError } from '../../../../src-shared/errors.ts';

export type Compression = 'none' | 'gzip' | 'zstd';

/** A file's bytes, unpacked, block by block; the next one is made only when it is asked for. */
export interface ByteSource {
  readonly compression: Compression;
  /** Bytes of the file. */
  readonly size: number;
  /** How many of them have been read. */
  readonly consumed: number;
  /** null at the end. @throws AppError `bad-input` where the compressed data is damaged or cut off */
  next(): Promise<Buffer | null>;
  close(): void;
}

/** What files of other kinds begin with, and what to do about them. */
const magics: readonly { bytes: readonly number[]; is: Compression | string }[] = [
  { bytes: [0x1f, 0x8b], is: 'gzip' },
  { bytes: [0x28, 0xb5, 0x2f, 0xfd], is: 'zstd' },
  { bytes: [0x50, 0x4b, 0x03, 0x04], is: 'a zip archive' },
  { bytes: [0x42, 0x5a, 0x68], is: 'compressed with bzip2' },
  { bytes: [0xfd, 0x37, 0x7a, 0x58, 0x5a], is: 'compressed with xz' },
  { bytes: [0x04, 0x22, 0x4d, 0x18], is: 'compressed with lz4' },
];

/** Read from the disk at once; compressed data becomes several times as much text. */
const blockBytes = { none: 1 << 18, gzip: 1 << 16, zstd: 1 << 16 } as const;

/** @throws AppError `not-found`, `no-permission`, `unsupported` for another compression, `bad-input` for what is no file */
export async function openBytes(file: string): Promise<ByteSource> {
  const { handle, size, compression } = await opened(file);
  const unpacker = compression === 'none' ? null : new Unpacker(compression);
  let consumed = 0;
  let over = false;

  async function readOn(): Promise<Buffer | null> {
    const block = Buffer.allocUnsafe(blockBytes[compression]);
    const { bytesRead } = await handle.read(block, 0, block.length, null);
    consumed += bytesRead;
    over = bytesRead === 0;
    return over ? null : block.subarray(0, bytesRead);
  }

  return {
    compression,
    size,
    get consumed() {
      return consumed;
    },
    async next() {
      try {
        if (unpacker === null) return over ? null : await readOn();
        for (;;) {
          const text = unpacker.take();
          if (text !== null) return text;
          if (unpacker.full) await unpacker.goOn();
          else if (over) return null;
          else await unpacker.feed(await readOn());
        }
      } catch (error) {
        throw readError(error, file, compression);
      }
    },
    close() {
      over = true;
      unpacker?.close();
      handle.close().catch(() => undefined); // nothing is written, so nothing can be lost
    },
  };
}

/** So much text at most is unpacked ahead, but for a last piece: a few KB of a file may become gigabytes of it. */
const mostAhead = 4 << 20;

/** Unpacks piece by piece. All text before a damage is given, and only then the error: a stream that ends in one drops it. */
class Unpacker {
  readonly #stream: Gunzip | ZstdDecompress;
  #text: Buffer[] = [];
  #ahead = 0;
  /** The stream waits for text to be taken. */
  #full = false;
  /** Something was fed that is not used up. */
  #busy = false;
  #failure: Error | null = null;
  #settle: () => void = () => undefined;

  constructor(compression: 'gzip' | 'zstd') {
    // Nothing is kept in the stream while it waits, so that a damage behind it cannot take text along.
    const options = { chunkSize: 1 << 16, readableHighWaterMark: 1 };
    this.#stream = compression === 'gzip' ? createGunzip(options) : createZstdDecompress(options);
    this.#stream.on('data', (text: Buffer) => {
      this.#text.push(text);
      this.#ahead += text.length;
      if (this.#ahead < mostAhead) return;
      this.#full = true;
      this.#stream.pause();
      this.#settle();
    });
    this.#stream.on('end', () => this.#used());
    this.#stream.on('error', (error) => {
      this.#failure = error;
      this.#used();
    });
  }

  /** There may be more text in what was fed. */
  get full(): boolean {
    return this.#full;
  }

  /** What has been unpacked since the last call; null for nothing. */
  take(): Buffer | null {
    const text = this.#text;
    this.#text = [];
    this.#ahead = 0;
    if (text.length > 0) return Buffer.concat(text);
    if (this.#failure !== null) throw this.#failure;
    return null;
  }

  /** Resolves when it is used up, or enough text is there. @param packed null: there is no more */
  feed(packed: Buffer | null): Promise<void> {
    const settled = this.#settled();
    this.#busy = true;
    if (packed === null) this.#stream.end();
    else this.#stream.write(packed, () => this.#used());
    return settled;
  }

  /** Goes on with what was fed, once the text before it has been taken. Resolves as `feed` does. */
  async goOn(): Promise<void> {
    const settled = this.#settled();
    this.#full = false;
    this.#stream.resume();
    if (this.#busy) await settled;
  }

  #settled(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#settle = resolve;
    return promise;
  }

  #used(): void {
    this.#busy = false;
    this.#settle();
  }

  close(): void {
    this.#stream.destroy();
  }
}

/** A pipe would be waited for until somebody writes into it, which nothing could end. Windows has no such flag, nor such files. */
const notWaiting = constants.O_NONBLOCK ?? 0;

async function opened(file: string): Promise<{ handle: FileHandle; size: number; compression: Compression }> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(file, constants.O_RDONLY | notWaiting);
    const stats = await handle.stat();
    if (!stats.isFile()) throw new AppError({ code: 'bad-input', message: 'It is no file', place: { file } });
    const head = Buffer.alloc(8);
    const { bytesRead } = await handle.read(head, 0, head.length, 0);
    return { handle, size: stats.size, compression: compressionOf(head.subarray(0, bytesRead), file) };
  } catch (error) {
    await handle?.close();
    throw openError(error, file);
  }
}

function compressionOf(head: Buffer, file: string): Compression {
  const found = magics.find(({ bytes }) => bytes.every((byte, i) => head[i] === byte))?.is;
  if (found === undefined) return 'none';
  if (found === 'gzip' || found === 'zstd') return found;
  throw new AppError({
    code: 'unsupported',
    message: `The file is ${found}, which is not unpacked here`,
    place: { file },
    hint: 'Unpack it, or pack it with gzip or zstd.',
  });
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

function openError(error: unknown, file: string): AppError {
  if (error instanceof AppError) return error;
  const code = codeOf(error);
  const detail = error instanceof Error ? error.message : String(error);
  const place = { file };
  if (code === 'ENOENT' || code === 'ENOTDIR')
    return new AppError({ code: 'not-found', message: 'There is no such file', place, detail });
  if (code === 'EACCES' || code === 'EPERM')
    return new AppError({ code: 'no-permission', message: 'The file may not be read', place, detail });
  if (code === 'EISDIR')
    return new AppError({ code: 'bad-input', message: 'It is a folder, not a file', place });
  return new AppError({ code: 'bad-input', message: 'The file cannot be read', place, detail });
}

function readError(error: unknown, file: string, compression: Compression): AppError {
  const code = codeOf(error);
  if (compression === 'none' || !/^(?:Z_|ZSTD_|ERR_)/.test(code)) return openError(error, file);
  const cut = code === 'Z_BUF_ERROR';
  return new AppError({
    code: 'bad-input',
    message: cut
      ? `The file ends in the middle of its ${compression} data`
      : `The ${compression} data of the file is damaged`,
    place: { file },
    detail: error instanceof Error ? error.message : String(error),
    hint: 'Copy or make the file again.',
  });
}
