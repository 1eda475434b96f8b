import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../../../src-shared/errors.ts';
import { openTsbsRows } from '../openRows.ts';
import { useCases } from '../simulation.ts';
import { generatedRows, readText, rowsSpec, textOf } from '../testing/fileTexts.ts';

const formats = ['timescaledb', 'questdb'] as const;
const short = { timestampEnd: '2016-01-01T00:05:00Z' };

describe('what the generator writes is read as the same rows', () => {
  it.each(useCases.flatMap((useCase) => formats.map((format) => [useCase, format] as const)))(
    '%s, %s',
    async (useCase, format) => {
      const data = { useCase, ...short };
      const { rows, flaw, dataset } = await readText(textOf(data, format));
      expect(flaw).toBeNull();
      // QuestDB's lines have no row without a value.
      const wanted = generatedRows(data);
      expect(rows).toEqual(wanted);
      const made = openTsbsRows(rowsSpec(data)).dataset;
      expect(dataset.tags).toEqual(made.tags);
      const shape = (tables: typeof made.tables) =>
        tables.map(({ name, fields }) => ({ name, fields })).sort((a, b) => (a.name < b.name ? -1 : 1));
      expect(shape(dataset.tables)).toEqual(shape(made.tables));
    },
  );

  it('whatever the seed, the scale and where the blocks of the file end', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...useCases),
        fc.constantFrom(...formats),
        fc.integer({ min: 1, max: 1e6 }),
        fc.integer({ min: 1, max: 7 }),
        fc.integer({ min: 40, max: 5000 }),
        async (useCase, format, seed, scale, blockBytes) => {
          const data = { useCase, seed, scale, timestampEnd: '2016-01-01T00:02:00Z', maxMetricCount: 12 };
          const { rows, flaw } = await readText(textOf(data, format), { blockBytes });
          expect(flaw).toBeNull();
          const wanted = generatedRows(data);
          expect(rows).toEqual(wanted);
        },
      ),
      { numRuns: 40 },
    );
  });

  it('with CR LF throughout', async () => {
    const text = textOf(short, 'timescaledb').toString().replaceAll('\n', '\r\n');
    const { rows, flaw } = await readText(Buffer.from(text));
    expect(flaw).toBeNull();
    expect(rows).toEqual(generatedRows(short));
  });
});

const lines = (format: (typeof formats)[number], changes = short) =>
  textOf(changes, format).toString().trimEnd().split('\n');
/** The text with its lines changed. */
const edited = (format: (typeof formats)[number], edit: (all: string[]) => string[]) =>
  Buffer.from(`${edit(lines(format)).join('\n')}\n`);

describe('a file that is not whole', () => {
  it.each([
    [
      'a last line that is cut off',
      textOf(short, 'timescaledb').subarray(0, -7),
      603,
      'ends in the middle',
      299,
    ],
    [
      'a last line of tags',
      edited('timescaledb', (all) => all.slice(0, -1)),
      603,
      'a line of values should come',
      299,
    ],
    [
      'a last line that is cut off, QuestDB',
      textOf(short, 'questdb').subarray(0, -7),
      300,
      'ends in the middle',
      299,
    ],
    [
      'mixed line ends',
      edited('timescaledb', (all) => all.map((line, i) => (i === 9 ? `${line}\r` : line))),
      10,
      'CR LF',
      3,
    ],
    [
      'lines that were sorted',
      edited('timescaledb', (all) => [...all.slice(0, 3), ...all.slice(3).sort()]),
      4,
      'no line of tags',
      0,
    ],
    [
      'a line of values that was lost',
      edited('timescaledb', (all) => all.toSpliced(6, 1)),
      7,
      'follows another',
      1,
    ],
    [
      'rows out of order',
      edited('timescaledb', (all) => [...all.slice(0, 3), ...all.slice(43, 63), ...all.slice(3, 43)]),
      25,
      'older than the one before',
      10,
    ],
    [
      'rows out of order, QuestDB',
      edited('questdb', (all) => [...all.slice(20, 30), ...all.slice(0, 20)]),
      11,
      'older than the one before',
      10,
    ],
    [
      'too few values',
      edited('timescaledb', (all) => all.with(8, all[8]?.replace(/,\d+$/, '') ?? '')),
      9,
      '9 of the 10 values',
      2,
    ],
    [
      'too many values',
      edited('timescaledb', (all) => all.with(8, `${all[8]},5`)),
      9,
      'more than the 10 values',
      2,
    ],
    [
      'a value that is no number',
      edited('timescaledb', (all) => all.with(4, 'cpu,1451606400000000000,58,2,x,61,22,63,6,44,80,38')),
      5,
      '"x" is no',
      0,
    ],
    [
      'a value that is no number, QuestDB',
      edited('questdb', (all) => all.with(1, all[1]?.replace(/usage_user=\d+i/, 'usage_user=t') ?? '')),
      2,
      '"t" is no number',
      1,
    ],
    [
      'an unknown table',
      edited('timescaledb', (all) => all.with(6, 'gpu,1451606400000000000,1')),
      7,
      '"gpu" is no table',
      1,
    ],
    [
      'a tag out of place',
      edited('timescaledb', (all) => all.with(5, 'tags,region=x')),
      6,
      'hostname is not in its place',
      1,
    ],
    [
      'an empty line among the rows',
      edited('timescaledb', (all) => all.toSpliced(5, 0, '')),
      6,
      'no line of tags',
      1,
    ],
    [
      'a header without types',
      edited('timescaledb', (all) => all.with(0, 'tags,hostname,region')),
      1,
      'no types',
      0,
    ],
    ['a missing header', edited('timescaledb', (all) => all.slice(3)), 1, 'the header is missing', 0],
    [
      'a header without the tags',
      edited('timescaledb', (all) => all.slice(1)),
      1,
      'does not begin with a line of tags',
      0,
    ],
    [
      'a table twice in the header',
      edited('timescaledb', (all) => all.toSpliced(1, 0, all[1] ?? '')),
      3,
      'twice',
      0,
    ],
    ['nothing', Buffer.alloc(0), 1, 'empty', 0],
    ['something else', Buffer.from('hello\nworld\n'), 1, 'no beginning of a data file', 0],
    ['something that is no text', Buffer.from([1, 0, 2, 10]), 1, 'not text', 0],
  ])('%s', async (_, text, line, words, good) => {
    const { rows, flaw } = await readText(text);
    expect(flaw?.code).toBe('bad-input');
    expect(flaw?.place?.line).toBe(line);
    expect(flaw?.message).toContain(words);
    expect(rows).toHaveLength(good);
    if (words !== 'older than the one before') expect(rows).toEqual(generatedRows(short).slice(0, good));
  });

  it('rows in any order are taken where that is wanted, those of trucks always', async () => {
    const text = edited('questdb', (all) => [...all.slice(20), ...all.slice(0, 20)]);
    const { rows, flaw } = await readText(text, { anyOrder: true });
    expect(flaw).toBeNull();
    expect(rows.toSorted()).toEqual(generatedRows(short).toSorted());
  });

  it('queries of TSBS are named as what they are', async () => {
    const gob = Buffer.from(
      'K\xff\x81\x03\x01\x01\x0bTimescaleDB\x01\xff\x82\x00\x01\x05\x01\nHumanLabel\x01\n\x00\x01\x10HumanDescription\x01\n\x00',
      'latin1',
    );
    const { flaw } = await readText(gob);
    expect(flaw?.code).toBe('unsupported');
    expect(flaw?.hint).toContain('tsbs.queries');
  });

  it('whatever is done to a file, it ends in a named error or in rows, and rows before the change are good', async () => {
    const change = fc.record({
      at: fc.double({ min: 0, max: 0.999, noNaN: true }),
      remove: fc.nat(300),
      insert: fc.uint8Array({ maxLength: 40 }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...useCases),
        fc.constantFrom(...formats),
        change,
        async (useCase, format, { at, remove, insert }) => {
          const data = { useCase, scale: 3, timestampEnd: '2016-01-01T00:01:00Z', maxMetricCount: 5 };
          const whole = textOf(data, format);
          const from = Math.floor(at * whole.length);
          const text = Buffer.concat([whole.subarray(0, from), insert, whole.subarray(from + remove)]);
          const { rows, flaw } = await readText(text, { blockBytes: 777 });
          if (flaw !== null) expect(['bad-input', 'unsupported']).toContain(flaw.code);
          if (flaw !== null) expect(flaw).toBeInstanceOf(AppError);
          const before = await readText(whole.subarray(0, from));
          const times = (all: readonly string[]) => all.map((row) => row.split(' ').slice(0, 2).join(' '));
          expect(times(rows).slice(0, before.rows.length)).toEqual(times(before.rows));
        },
      ),
      { numRuns: 150 },
    );
  });
});
