import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cancelled } from '../../src-shared/errors.ts';
import { generators } from './generate.ts';
import { intoFile } from './outputFile.ts';

const { signal } = new AbortController();
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'benchberry-output-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('a file of several blocks is the same whatever it is packed with', async () => {
  const options = {
    useCase: 'cpu-only',
    seed: 1,
    scale: 100,
    format: 'questdb',
    timestampEnd: '2016-01-01T01:00:00Z',
  };
  const packed = await Promise.all(
    ['plain', 'a.gz', 'a.zst'].map(async (name) => {
      const file = path.join(folder, name);
      await intoFile(file, (output) => generators.data.write(options, output, signal));
      return readFile(file);
    }),
  );
  const [plain = Buffer.alloc(0), gz = Buffer.alloc(0), zst = Buffer.alloc(0)] = packed;
  expect(plain.length).toBeGreaterThan(5 << 20);
  expect(new Set(plain.toString().split('\n')).size).toBe(36_001);
  expect(gunzipSync(gz).equals(plain)).toBe(true);
  expect(zstdDecompressSync(zst).equals(plain)).toBe(true);
});

test('what is not whole is not left behind, and what cannot be written is named', async () => {
  const before = await readdir(folder);
  const broken = async () => {
    throw cancelled();
  };
  await expect(intoFile(path.join(folder, 'b.gz'), broken)).rejects.toMatchObject({ code: 'cancelled' });
  await expect(intoFile(path.join(folder, 'b'), broken)).rejects.toMatchObject({ code: 'cancelled' });
  expect(await readdir(folder)).toEqual(before);
  const nowhere = path.join(folder, 'none', 'c.gz');
  const options = { format: 'questdb', timestampEnd: '2016-01-01T00:01:00Z' };
  await expect(
    intoFile(nowhere, (output) => generators.data.write(options, output, signal)),
  ).rejects.toMatchObject({ code: 'bad-input', place: { file: nowhere } });
});
