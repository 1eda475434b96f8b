import { describe, expect, it } from 'vitest';
import type { Dataset } from '../driver.ts';
import { checkNames, LineRows } from './rows.ts';

const dataset: Dataset = {
  tags: [
    { name: 'host name', type: 'string' },
    { name: 'rack', type: 'string' },
    { name: 'load', type: 'float32' },
  ],
  tables: [
    { name: 'cpu', fields: ['user', 'idle'].map((name) => ({ name, type: 'integer' as const })) },
    { name: 'mem used', tags: ['bank'], fields: [{ name: 'x', type: 'double' }] },
  ],
  devices: 3,
  deviceTags: (device) => [
    ['a,b', 'c=d', 'line\nend'][device] ?? null,
    device === 0 ? '' : 'r 1',
    device === 0 ? null : 0.5,
  ],
  tableTags: () => ['0'],
};

function lines(write: (rows: LineRows) => void): string {
  const rows = new LineRows(dataset);
  write(rows);
  return rows.batch.blocks.map(({ bytes, length }) => bytes.toString('utf8', 0, length)).join('');
}

describe('rows of servers that know no NULL', () => {
  it('have tags, then what is there, and tell where their first field is not', () => {
    const time = 1_451_606_400_000;
    expect(
      lines((rows) => {
        rows.row(0, 0, time, 1, Float64Array.of(58, 2));
        rows.row(0, 1, time, 0, Float64Array.of(Number.NaN, 24));
        rows.row(0, 1, time, 0, Float64Array.of(7, Number.NaN));
        rows.row(0, 0, time, 0, Float64Array.of(Number.NaN, Number.NaN));
        rows.row(0, 0, time, 0, Float64Array.of(1, 2), 0);
        rows.row(1, 0, time, 0, Float64Array.of(-0.25));
        rows.row(1, 0, time, 0, Float64Array.of(Number.NaN));
      }),
    ).toBe(
      [
        'cpu,host\\ name=a\\,b user=58i,idle=2i 1451606400000000001',
        'cpu,host\\ name=c\\=d,rack=r\\ 1 load=0.5,idle=24i,no_value=1i 1451606400000000000',
        'cpu,host\\ name=c\\=d,rack=r\\ 1 load=0.5,user=7i 1451606400000000000',
        'cpu,host\\ name=a\\,b no_value=1i 1451606400000000000',
        'cpu user=1i,idle=2i 1451606400000000000',
        'mem\\ used,host\\ name=a\\,b,bank=0 x=-0.25 1451606400000000000',
        'mem\\ used,host\\ name=a\\,b,bank=0 no_value=1i 1451606400000000000',
        '',
      ].join('\n'),
    );
  });

  it('are refused where the protocol has no escape', () => {
    const rows = new LineRows(dataset);
    expect(() => rows.row(0, 2, 1, 0, Float64Array.of(1, 2))).toThrow(
      'cannot carry the tag value "line\\nend"',
    );
    expect(() => checkNames(dataset)).not.toThrow();
    const named = (name: string) => ({
      ...dataset,
      tables: [{ name: 'cpu', fields: [{ name, type: 'double' as const }] }],
    });
    for (const name of ['', 'a\\b', 'a\nb', 'no_value'])
      expect(() => checkNames(named(name))).toThrow(expect.objectContaining({ code: 'bad-input' }));
    expect(() => checkNames({ ...dataset, tables: [{ name: 'a=b', fields: [] }] })).toThrow('a=b');
  });
});
