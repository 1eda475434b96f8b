import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBytes } from './openBytes.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'benchberry-bytes-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function blocksOf(packed: Uint8Array) {
  const file = path.join(folder, 'packed');
  await writeFile(file, packed);
  const source = await openBytes(file);
  const blocks: Buffer[] = [];
  let failure: unknown = null;
  try {
    for (let block = await source.next(); block !== null; block = await source.next()) blocks.push(block);
  } catch (error) {
    failure = error;
  } finally {
    source.close();
  }
  return { text: Buffer.concat(blocks), longest: Math.max(...blocks.map(({ length }) => length)), failure };
}

/** Every 100 kB a number, and else zeros: a few KB when they are packed. */
const text = Buffer.alloc(40_000_000);
for (let at = 0; at < text.length; at += 100_000) text.writeUInt32LE(at, at);

test.each([
  ['gzip', gzipSync(text)],
  ['zstd', zstdCompressSync(text)],
])('%s that becomes a thousand times as much is unpacked in small pieces', async (_, packed) => {
  expect(packed.length).toBeLessThan(text.length / 500);
  const whole = await blocksOf(packed);
  expect(whole.failure).toBeNull();
  expect(whole.text.equals(text)).toBe(true);
  expect(whole.longest).toBeLessThan(5_000_000);
  const cut = await blocksOf(packed.subarray(0, packed.length >> 1));
  expect(cut.failure).toMatchObject({ code: 'bad-input' });
  expect(cut.text.length).toBeGreaterThan(text.length / 3);
  expect(cut.text.equals(text.subarray(0, cut.text.length))).toBe(true);
});

test.runIf(process.platform !== 'win32')('a pipe that nobody writes into is not waited for', async () => {
  const pipe = path.join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  await expect(openBytes(pipe)).rejects.toMatchObject({ code: 'bad-input', message: 'It is no file' });
});
