import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readCells } from './answers.ts';

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = BigInt(value);
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  return Buffer.from([...bytes, Number(rest)]);
}
const bytesField = (number: number, value: Uint8Array) =>
  Buffer.concat([varint(number * 8 + 2), varint(value.length), value]);

const blob = fc.uint8Array({ maxLength: 300 });
const cell = fc.record({ column: blob, timestampMs: fc.nat(Number.MAX_SAFE_INTEGER), data: blob });
const row = fc.record({ key: blob, cells: fc.array(cell, { maxLength: 5 }) });

function encoded(
  rows: { key: Uint8Array; cells: { column: Uint8Array; timestampMs: number; data: Uint8Array }[] }[],
) {
  return Buffer.concat(
    rows.map(({ key, cells }) =>
      bytesField(
        1,
        Buffer.concat([
          bytesField(1, key),
          ...cells.map(({ column, timestampMs, data }) =>
            bytesField(
              2,
              Buffer.concat([
                bytesField(1, key),
                bytesField(2, column),
                Buffer.concat([varint(3 * 8), varint(timestampMs)]),
                bytesField(4, data),
              ]),
            ),
          ),
        ]),
      ),
    ),
  );
}

it('reads the cells of an answer, each with the key of its row', () => {
  fc.assert(
    fc.property(fc.array(row, { maxLength: 5 }), (rows) => {
      const bytes = encoded(rows);
      const wanted = rows.flatMap(({ key, cells }) =>
        cells.map(({ column, timestampMs, data }) => [
          ...[Buffer.from(key).toString('hex'), Buffer.from(column).toString('hex')],
          ...[timestampMs, Buffer.from(data).toString('hex')],
        ]),
      );
      const found: unknown[] = [];
      const count = readCells(bytes, (key, column, timestampMs, data) =>
        found.push([key.toString('hex'), column.toString('hex'), timestampMs, data.toString('hex')]),
      );
      expect(found).toEqual(wanted);
      expect(count).toBe(wanted.length);
      expect(readCells(bytes)).toBe(wanted.length);
    }),
  );
});

it('takes an answer that is cut off, or another one, for none', () => {
  fc.assert(
    fc.property(blob, (bytes) => {
      try {
        expect(readCells(Buffer.from(bytes), () => undefined)).toBeLessThanOrEqual(bytes.length);
      } catch (error) {
        expect(error).toBeInstanceOf(RangeError);
      }
    }),
  );
  const whole = encoded([
    {
      key: Buffer.from('k'),
      cells: [{ column: Buffer.from('d:x'), timestampMs: 7, data: Buffer.from('v') }],
    },
  ]);
  for (let end = 1; end < whole.length; end += 1)
    expect(() => readCells(whole.subarray(0, end), () => undefined)).toThrow(RangeError);
});
