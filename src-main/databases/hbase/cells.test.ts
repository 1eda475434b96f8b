import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Dataset } from '../driver.ts';
import { CellRows } from './cells.ts';
import { deviceOf, keysBetween, keysOf, readColumn, saltOf } from './keys.ts';
import type { Shape } from './loadOptions.ts';

const series: Shape = { schema: 'series', salts: 16, stretchMs: 3_600_000 };
const wide: Shape = { schema: 'wide', salts: 0, stretchMs: 0 };

function datasetOf(device: string | null): Dataset {
  return {
    tags: [{ name: 'hostname', type: 'string' }],
    tables: [
      {
        name: 'cpu',
        fields: [
          { name: 'user', type: 'integer' },
          { name: 'load', type: 'double' },
          { name: 'idle', type: 'integer' },
        ],
      },
    ],
    devices: 1,
    deviceTags: () => [device],
  };
}

type Field = { number: number; value: bigint | Buffer };

/** A message of protocol buffers, read as its specification has it. */
function fieldsOf(bytes: Buffer): Field[] {
  const fields: Field[] = [];
  let at = 0;
  const varint = () => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes.readUInt8(at++);
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 128) return value;
    }
  };
  while (at < bytes.length) {
    const tag = varint();
    const number = Number(tag >> 3n);
    if ((tag & 7n) === 0n) fields.push({ number, value: varint() });
    else {
      expect(tag & 7n).toBe(2n);
      const length = Number(varint());
      expect(at + length).toBeLessThanOrEqual(bytes.length);
      fields.push({ number, value: bytes.subarray(at, at + length) });
      at += length;
    }
  }
  return fields;
}

const part = (fields: readonly Field[], number: number): Buffer => {
  const found = fields.find((field) => field.number === number)?.value;
  return Buffer.isBuffer(found) ? found : Buffer.from(`no field ${number}`);
};

interface Cell {
  key: Buffer;
  column: Buffer;
  timestamp: bigint | Buffer | undefined;
  data: Buffer;
}

function cellsOf(rows: CellRows): Cell[] {
  return rows.batch.blocks.flatMap(({ bytes, length }) =>
    fieldsOf(bytes.subarray(0, length)).flatMap((row) => {
      expect(row.number).toBe(1);
      const fields = fieldsOf(Buffer.isBuffer(row.value) ? row.value : Buffer.alloc(0));
      const key = part(fields, 1);
      return fields
        .filter(({ number }) => number === 2)
        .map(({ value }) => {
          const cell = fieldsOf(Buffer.isBuffer(value) ? value : Buffer.alloc(0));
          const timestamp = cell.find(({ number }) => number === 3)?.value;
          return { key, column: part(cell, 2), timestamp, data: part(cell, 4) };
        });
    }),
  );
}

const integer = fc.maxSafeInteger();
const values = fc.tuple(
  fc.option(integer, { nil: Number.NaN }),
  fc.double(),
  fc.option(integer, { nil: Number.NaN }),
);
const name = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 200 })
  .filter((text) => !text.includes('\0'));
const time = fc.integer({ min: 0, max: 4_294_967_295_999 });
const nanos = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 999_999 }));

describe.each([series, wide, { ...series, salts: 64, stretchMs: 86_400_000 }])(
  'rows as cells: %j',
  (shape) => {
    it('have a key, a column, the time and eight bytes for each value', () => {
      fc.assert(
        fc.property(name, time, nanos, values, fc.boolean(), (device, timeMs, ns, row, nameless) => {
          const rows = new CellRows(datasetOf(device), shape);
          rows.row(0, 0, timeMs, ns, Float64Array.from(row), nameless ? 0 : undefined);
          const cells = cellsOf(rows);
          const wanted = row
            .map((value, field) => ({ value, field }))
            .filter(({ value, field }) => field === 0 || !Number.isNaN(value));
          expect(cells.length).toBe(wanted.length);
          const host = nameless ? '' : device;
          const start = BigInt(timeMs) - (BigInt(timeMs) % BigInt(shape.stretchMs || 1));
          const bucket = Buffer.alloc(4);
          bucket.writeUInt32BE(Number(start / 1000n));
          const key =
            shape.schema === 'wide'
              ? Buffer.from(host || '\0')
              : Buffer.concat([Buffer.of(saltOf(host, shape.salts)), bucket, Buffer.from(`\0${host}`)]);
          for (const [i, cell] of cells.entries()) {
            const { value = 0, field = 0 } = wanted[i] ?? {};
            expect(cell.key.equals(key)).toBe(true);
            expect(deviceOf(cell.key, shape)).toBe(Buffer.from(host).toString());
            const { start: from, end, pattern } = keysOf(host, shape);
            expect([Buffer.compare(from, cell.key) <= 0, Buffer.compare(cell.key, end)]).toEqual([true, -1]);
            // Java's way to write a letter by its number is another one.
            const ours = pattern?.replace(/\\x\{/g, '\\u{');
            expect(ours === undefined || new RegExp(ours, 'u').test(cell.key.toString('utf8'))).toBe(true);
            const ranges = shape.schema === 'wide' ? [] : keysBetween(timeMs, timeMs + 1, shape);
            const within = ranges.filter(
              (range) =>
                Buffer.compare(range.start, cell.key) <= 0 && Buffer.compare(cell.key, range.end) < 0,
            );
            expect(within.length).toBe(shape.schema === 'wide' ? 0 : 1);
            expect(cell.column.subarray(0, 4).toString('latin1')).toBe(`d:\0${String.fromCharCode(field)}`);
            expect(readColumn(cell.key, cell.column, shape)).toEqual({ field, timeMs, nanos: ns });
            expect(cell.timestamp).toBe(BigInt(timeMs));
            if (Number.isNaN(value)) expect(cell.data.length).toBe(0);
            else
              expect(field === 1 ? cell.data.readDoubleBE() : Number(cell.data.readBigInt64BE())).toBe(
                value + 0,
              );
          }
        }),
      );
    });

    it('lie in the order of their time, with the nanoseconds last', () => {
      fc.assert(
        fc.property(fc.array(fc.tuple(time, nanos), { minLength: 2, maxLength: 20 }), (times) => {
          const rows = new CellRows(datasetOf('host_0'), shape);
          const inOrder = times.toSorted(([a, x], [b, y]) => a - b || x - y);
          for (const [timeMs, ns] of inOrder)
            rows.row(0, 0, timeMs, ns, Float64Array.of(1, Number.NaN, Number.NaN));
          const keys = cellsOf(rows).map(({ key, column }) => Buffer.concat([key, column]));
          for (const [i, key] of keys.slice(1).entries())
            expect(Buffer.compare(keys[i] ?? key, key)).toBeLessThanOrEqual(0);
        }),
      );
    });
  },
);

describe('rows as cells', () => {
  it.each([
    { fields: 3, parts: 3 },
    // 29 bytes for each value and 17 more: 597 rows to a megabyte, and a part ends at 4,000 and 8,000 as well.
    { fields: 60, parts: 18 },
  ])(
    'of a large batch are marked where a request ends, whole rows each: $fields fields',
    ({ fields, parts }) => {
      const base = datasetOf('host_0');
      const tables = [
        {
          name: 'cpu',
          fields: Array.from({ length: fields }, (_, i) => ({ name: `f${i}`, type: 'double' as const })),
        },
      ];
      const rows = new CellRows({ ...base, tables }, series);
      const count = 10_000;
      for (let i = 0; i < count; i += 1) rows.row(0, 0, 1e12 + i * 1000, 0, new Float64Array(fields).fill(i));
      const [block] = rows.batch.blocks;
      if (block === undefined) throw new Error('a table has a block');
      const bounds = [0, ...block.marks, block.length];
      const found = bounds.slice(1).map((end, i) => {
        const part = block.bytes.subarray(bounds[i], end);
        expect(part.length).toBeLessThan((1 << 20) + fields * 40);
        return fieldsOf(part).length;
      });
      expect(Math.max(...found)).toBeLessThanOrEqual(4000);
      expect(found.reduce((sum, n) => sum + n, 0)).toBe(count);
      expect(found.length).toBe(parts);
    },
  );

  it('refuse what keys and times cannot carry', () => {
    const write = (device: string, timeMs: number) =>
      new CellRows(datasetOf(device), series).row(0, 0, timeMs, 0, Float64Array.of(1, 2, 3));
    expect(() => write('a\0b', 1)).toThrow(expect.objectContaining({ code: 'bad-input' }));
    expect(() => write('a', -1)).toThrow(expect.objectContaining({ code: 'bad-input' }));
    expect(() => write('a', 4_294_967_296_000)).toThrow(expect.objectContaining({ code: 'bad-input' }));
    expect(() => write('a', 4_294_967_295_999)).not.toThrow();
  });

  it('are spread over all salts', () => {
    const salts = new Set(Array.from({ length: 1000 }, (_, i) => saltOf(`host_${i}`, 16)));
    expect(salts.size).toBe(16);
  });
});
