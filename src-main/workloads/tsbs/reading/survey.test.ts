import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generatedRows, textOf, textSink } from '../testing/fileTexts.ts';
import { FileRows, fileSchema } from './fileRows.ts';
import { inspectFile, surveyFile } from './survey.ts';

const { signal } = new AbortController();
const data = { scale: 30 };
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'benchberry-file-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function put(name: string, bytes: Uint8Array): Promise<string> {
  const file = path.join(folder, name);
  await writeFile(file, bytes);
  return file;
}

async function rowsOf(
  file: string,
  more: Record<string, unknown> = {},
  worker?: { worker: number; workers: number },
) {
  const survey = await surveyFile(fileSchema.parse({ file, ...more }), { signal });
  const source = new FileRows(fileSchema.parse(survey.source.parameters), worker);
  const rows: string[] = [];
  const sink = textSink(source.dataset, rows);
  while (await source.read()) source.fill(sink, 777);
  source.close();
  return { rows, survey };
}

describe('files on the disk', () => {
  it.each([
    ['plain', (text: Buffer) => text],
    ['gzip', (text: Buffer) => gzipSync(text)],
    [
      'gzip in two members',
      (text: Buffer) => Buffer.concat([gzipSync(text.subarray(0, 9999)), gzipSync(text.subarray(9999))]),
    ],
    ['zstd', (text: Buffer) => zstdCompressSync(text)],
  ])('%s', async (name, pack) => {
    const file = await put(name, pack(textOf(data, 'timescaledb')));
    const { rows, survey } = await rowsOf(file);
    expect(rows).toEqual(generatedRows(data));
    expect(survey).toMatchObject({ totalRows: 10_800, flaw: null, reading: { name } });
    expect((await rowsOf(file, { limit: 123 })).rows).toEqual(generatedRows(data).slice(0, 123));
    const shares = await Promise.all([0, 1, 2].map((worker) => rowsOf(file, {}, { worker, workers: 3 })));
    expect(shares.flatMap((share) => share.rows).toSorted()).toEqual(generatedRows(data).toSorted());
  });

  it.each([
    ['gzip', (text: Buffer) => gzipSync(text), 'middle of its gzip data'],
    ['zstd', (text: Buffer) => zstdCompressSync(text), 'middle of its zstd data'],
  ])(
    '%s that is cut off keeps the rows before the cut, again and again the same',
    async (name, pack, words) => {
      const packed = pack(textOf(data, 'questdb'));
      const file = await put(`${name} cut`, packed.subarray(0, Math.floor(packed.length / 2)));
      const { rows, survey } = await rowsOf(file);
      expect(survey.flaw).toMatchObject({ code: 'bad-input', place: { file } });
      expect(survey.flaw?.message).toContain(words);
      expect(rows.length).toBeGreaterThan(1000);
      expect(rows).toEqual(generatedRows(data).slice(0, rows.length));
    },
  );

  it('is not what it was when it was looked through', async () => {
    const file = await put('changed', textOf(data, 'timescaledb'));
    const survey = await surveyFile(fileSchema.parse({ file }), { signal });
    await put('changed', textOf({ scale: 10 }, 'timescaledb'));
    const source = new FileRows(fileSchema.parse(survey.source.parameters));
    const reading = async () => {
      while (await source.read()) source.fill({ row: () => undefined }, 10_000);
    };
    await expect(reading()).rejects.toMatchObject({
      code: 'bad-input',
      message: expect.stringContaining('has changed'),
    });
    source.close();
  });

  it('names what cannot be read', async () => {
    const survey = (file: string) => surveyFile(fileSchema.parse({ file }), { signal });
    await expect(survey(path.join(folder, 'none'))).rejects.toMatchObject({ code: 'not-found' });
    await expect(survey(folder)).rejects.toMatchObject({ code: 'bad-input' });
    await expect(survey(await put('a.zip', Buffer.from('PK\x03\x04')))).rejects.toMatchObject({
      code: 'unsupported',
    });
    await expect(survey(await put('empty', Buffer.alloc(0)))).rejects.toMatchObject({ code: 'bad-input' });
    await expect(
      surveyFile(fileSchema.parse({ file: await put('b', textOf(data, 'questdb')) }), {
        signal: AbortSignal.abort(),
      }),
    ).rejects.toMatchObject({ code: 'cancelled' });
  });

  it('tells what a file seems to be', async () => {
    const small = await put('small.gz', gzipSync(textOf({ scale: 3 }, 'questdb')));
    expect(await inspectFile(small, signal)).toMatchObject({
      ...{ format: 'influx', compression: 'gzip', useCase: 'cpu-only', flaw: null },
      ...{ tables: [{ name: 'cpu', fields: 10 }], devices: { count: 3, atLeast: false } },
      ...{ rows: { count: 1080, exact: true }, firstTime: '2016-01-01T00:00:00Z' },
    });
    const large = await put('large.gz', gzipSync(textOf({ useCase: 'devops', scale: 10 }, 'timescaledb')));
    const found = await inspectFile(large, signal);
    expect(found).toMatchObject({ format: 'timescaledb', useCase: 'devops', rows: { exact: false } });
    expect(Math.abs(found.rows.count / (10 * 9 * 360) - 1)).toBeLessThan(0.25);
  });

  it('ends where there are more fields or tables than any database takes', { timeout: 60_000 }, async () => {
    const many = (count: number, one: (i: number) => string, between: string) =>
      Array.from({ length: count }, (_, i) => one(i)).join(between);
    const fields = many(20_000, (i) => `f${i}=1`, ',');
    const wide = await put(
      'wide',
      Buffer.from(`cpu,host=a v=1 1000000000\ncpu,host=a ${fields} 2000000000\n`),
    );
    expect(await inspectFile(wide, signal)).toMatchObject({
      rows: { count: 1 },
      flaw: { message: 'Line 2: the table has more than 10,000 fields' },
    });
    const rows = many(10_050, (i) => `t${i},host=a v=1 1000000000`, '\n');
    const survey = await surveyFile(
      fileSchema.parse({ file: await put('tables', Buffer.from(`${rows}\n`)) }),
      {
        signal,
      },
    );
    expect(survey.totalRows).toBe(10_000);
    expect(survey.flaw?.message).toBe('Line 10,001: there are more than 10,000 tables');
  });
});
