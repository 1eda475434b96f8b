import { describe, expect, it } from 'vitest';
import { BinaryRows } from './binaryRows.ts';

const layout = {
  writeMode: 'binary' as const,
  tables: [
    { name: 'cpu', columns: ['time', 'tags_id', 'additional_tags', 'hostname', 'a', 'b'], fields: 2 },
    { name: 'mem', columns: ['time', 'tags_id', 'additional_tags', 'hostname', 'c'], fields: 1 },
  ],
  additionalTags: [null, null],
  deviceNames: ['host_0', null],
};

function encoded(rows: BinaryRows, table: number): string {
  const block = rows.batch.blocks[table];
  return block === undefined ? '' : block.bytes.subarray(0, block.length).toString('hex');
}

describe('rows in the binary COPY format', () => {
  it('writes the bytes that the PostgreSQL manual describes', () => {
    const rows = new BinaryRows(layout, true);
    // 2000-01-01T00:00:01.000002Z and 999 ns, which are cut off
    rows.row(0, 0, 946_684_801_000, 2999, Float64Array.of(1.5, Number.NaN));
    expect(encoded(rows, 0)).toBe(
      [
        '0006', // fields
        '00000008',
        '00000000000f4242', // 1,000,002 µs
        '00000004',
        '00000001', // device 0 is tags row 1
        'ffffffff', // no additional tags
        '00000006',
        Buffer.from('host_0').toString('hex'),
        '00000008',
        '3ff8000000000000', // 1.5 in IEEE 754
        'ffffffff', // NaN is NULL
      ].join(''),
    );
    expect(rows.batch.rows).toBe(1);
  });

  it('knows times before 2000 and devices without a name, and keeps tables apart', () => {
    const rows = new BinaryRows(layout, false);
    rows.row(1, 1, 946_684_799_999, 0, Float64Array.of(100));
    expect(encoded(rows, 0)).toBe('');
    expect(encoded(rows, 1)).toBe(
      [
        '00000008',
        'fffffffffffffc18', // −1,000 µs
        '00000004',
        '00000002',
        'ffffffff',
        'ffffffff', // no name
        '00000008',
        '4059000000000000', // 100
      ].join(''),
    );
  });

  it('takes the next batch while one is on its way, and uses the memory again', () => {
    const rows = new BinaryRows(layout, true);
    const values = new Float64Array(2);
    for (let i = 0; i < 5000; i += 1) rows.row(0, 0, i, 0, values);
    const first = rows.batch.take();
    const copy = Buffer.from(first[0]?.bytes.subarray(0, first[0].length) ?? []);
    expect(rows.batch.rows).toBe(0);
    for (let i = 0; i < 5000; i += 1) rows.row(0, 1, i, 0, values);
    expect(first[0]?.bytes.subarray(0, first[0].length).equals(copy)).toBe(true);
    rows.batch.take();
    rows.batch.recycle(first);
    rows.batch.take();
    expect(rows.batch.blocks).toBe(first);
    expect(rows.batch.rows).toBe(0);
  });
});
