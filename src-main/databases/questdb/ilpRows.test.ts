import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openTsbsRows } from '../../workloads/tsbs/openRows.ts';
import type { Dataset } from '../driver.ts';
import { IlpRows } from './ilpRows.ts';

function taken(rows: IlpRows): Buffer {
  const blocks = rows.batch.take();
  const bytes = Buffer.concat(blocks.map(({ bytes: all, length }) => all.subarray(0, length)));
  rows.batch.recycle(blocks);
  return bytes;
}

// Sizes and checksums of the files that TSBS itself writes for QuestDB.
describe.each([
  {
    useCase: 'cpu-only',
    scale: 10,
    end: '2016-01-01T01:00:00Z',
    bytes: 1_231_111,
    sha256: '9532785e38451e5657eb26b04d6256569c4d233c603377bb948b71c1fa721841',
  },
  {
    useCase: 'devops',
    scale: 2,
    end: '2016-01-01T00:05:00Z',
    bytes: 224_945,
    sha256: '7d199a44791f9bebf2356b4db9a6cb13cf490bfb5c01061f17014c37cceafe4d',
  },
  {
    useCase: 'iot',
    scale: 10,
    end: '2016-01-01T01:00:00Z',
    bytes: 1_540_121,
    sha256: '982ec8f4f37e0891e06782e3b3a69ffd6601bf3f50081a2d7c955902c9171589',
  },
])('TSBS’s rows of $useCase', ({ useCase, scale, end, bytes, sha256 }) => {
  it('are to the byte what TSBS sends', () => {
    const source = openTsbsRows({
      workload: 'tsbs',
      parameters: {
        ...{ useCase, scale, seed: 123, logInterval: '10s' },
        ...{ timestampStart: '2016-01-01T00:00:00Z', timestampEnd: end },
      },
    });
    const rows = new IlpRows(source.dataset, false);
    const hash = createHash('sha256');
    let length = 0;
    // Row by row: a batch has the rows of each table together.
    while (source.fill(rows, 1) > 0) {
      const line = taken(rows);
      hash.update(line);
      length += line.length;
    }
    expect({ length, sha256: hash.digest('hex') }).toEqual({ length: bytes, sha256 });
  });
});

const one = (values: number[], about: Partial<Dataset> = {}): Dataset => ({
  tags: [{ name: 'hostname', type: 'string' }],
  tables: [{ name: 'cpu', fields: values.map((_, i) => ({ name: `f${i}`, type: 'integer' as const })) }],
  devices: 1,
  deviceTags: () => ['host_0'],
  ...about,
});
function line(dataset: Dataset, values: number[], binary = false, timeMs = 0, nanos = 0): Buffer {
  const rows = new IlpRows(dataset, binary);
  rows.row(0, 0, timeMs, nanos, Float64Array.from(values));
  return taken(rows);
}

describe('a line', () => {
  it('has whole numbers as digits, whatever their size', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.maxSafeInteger(), fc.integer({ min: -1500, max: 1500 })), {
          minLength: 1,
          maxLength: 5,
        }),
        (values) => {
          const fields = values.map((value, i) => `f${i}=${BigInt(value)}i`).join(',');
          expect(line(one(values), values).toString()).toBe(`cpu,hostname=host_0 ${fields} 0\n`);
        },
      ),
    );
    const large = [2 ** 60, -(2 ** 62)];
    expect(line(one(large), large).toString()).toContain('f0=1152921504606846976i,f1=-4611686018427387904i');
  });

  it('has doubles exactly, as text or as eight bytes', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const dataset = one([0], { tables: [{ name: 'm', fields: [{ name: 'x', type: 'double' }] }] });
        const text = line(dataset, [value]).toString();
        expect(Number(/x=(\S+) 0\n$/.exec(text)?.[1]) + 0).toBe(value + 0);
        const bytes = line(dataset, [value], true);
        const at = bytes.indexOf('x==');
        expect(bytes[at + 3]).toBe(16);
        expect(bytes.readDoubleLE(at + 4)).toBe(value + 0);
        expect(bytes.subarray(at + 12).toString()).toBe(' 0\n');
      }),
    );
  });

  it('has its time in nanoseconds', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -8e12, max: 8e12 }),
        fc.integer({ min: 0, max: 999_999 }),
        (timeMs, nanos) => {
          const wanted = BigInt(timeMs) * 1_000_000n + BigInt(nanos);
          expect(line(one([1]), [1], false, timeMs, nanos).toString()).toBe(
            `cpu,hostname=host_0 f0=1i ${wanted}\n`,
          );
        },
      ),
    );
  });

  it('has what would end a name or a value behind a backslash', () => {
    const dataset = one([0], {
      tags: [
        { name: 'host name', type: 'string' },
        { name: 'load', type: 'float32' },
        { name: 'none', type: 'string' },
      ],
      tables: [{ name: 'a,b', tags: ['bank'], fields: [{ name: 'c=d', type: 'integer' }] }],
      deviceTags: () => ['x=1,\\ y\n', 0.5, null],
      tableTags: () => ['ö "q"'],
    });
    expect(line(dataset, [7]).toString()).toBe(
      'a\\,b,host\\ name=x\\=1\\,\\\\\\ y\\\n,bank=ö\\ "q" load=0.5,c\\=d=7i 0\n',
    );
  });

  it('leaves NULLs out, and spells one out where there is nothing else', () => {
    const { NaN: none } = Number;
    const text = (values: number[], about: Partial<Dataset> = {}) =>
      line(one(values, about), values).toString();
    expect(text([none, 2, none])).toBe('cpu,hostname=host_0 f1=2i 0\n');
    expect(text([none, none])).toBe('cpu,hostname=host_0 f0=-9223372036854775808i 0\n');
    expect(text([none], { tables: [{ name: 'm', fields: [{ name: 'x', type: 'double' }] }] })).toBe(
      'm,hostname=host_0 x=NaN 0\n',
    );
  });
});

it('keeps one row of each batch that tells whether the batch is stored', () => {
  const dataset = one([1], { devices: 3, deviceTags: (i) => [`host_${i}`] });
  const rows = new IlpRows(dataset, false);
  for (let round = 0; round < 3; round += 1) {
    rows.row(0, 1, 1000 + round, 5, Float64Array.of(1), 0);
    rows.row(0, 2, 2000 + round, 6, Float64Array.of(1));
    rows.row(0, 0, 3000 + round, 7, Float64Array.of(1));
    const blocks = rows.batch.take();
    expect(blocks.map((block) => rows.witness(block))).toEqual([
      { device: 2, timeMs: 2000 + round, nanos: 6 },
    ]);
    rows.batch.recycle(blocks);
    rows.row(0, 0, 1, 1, Float64Array.of(1), 0);
    const nameless = rows.batch.take();
    expect(nameless.map((block) => rows.witness(block))).toEqual([undefined]);
    rows.batch.recycle(nameless);
  }
});
