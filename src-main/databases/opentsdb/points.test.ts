import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Dataset } from '../driver.ts';
import { jsonForm, PointRows, requestsOf, telnetForm } from './points.ts';

const dataset: Dataset = {
  tags: [
    { name: 'hostname', type: 'string' },
    { name: 'the rack', type: 'string' },
    { name: 'load', type: 'float32' },
  ],
  tables: [
    { name: 'cpu', fields: ['user', 'idle'].map((name) => ({ name, type: 'integer' as const })) },
    { name: 'mem.x', tags: ['bank'], fields: [{ name: 'used%', type: 'double' }] },
  ],
  devices: 3,
  deviceTags: (device) => [`host_${device}`, device === 0 ? null : `r/${device}`, device === 2 ? null : 0.5],
  tableTags: () => ['é'],
};
const time = 1_451_606_400_000;
const about = { database: 'b.1', mostTags: 8 };

function telnet(write: (rows: PointRows) => void, mostTags = 8): string {
  const rows = new PointRows(dataset, { ...about, mostTags }, telnetForm);
  write(rows);
  return rows.batch.blocks.map(({ bytes, length }) => bytes.toString('latin1', 0, length)).join('');
}

describe('rows as points', () => {
  it('are a line for each value that is there, and tell where the first is not', () => {
    expect(
      telnet((rows) => {
        rows.row(0, 0, time, 1, Float64Array.of(58, 2));
        rows.row(0, 1, time + 1, 0, Float64Array.of(Number.NaN, 24));
        rows.row(0, 2, time + 1000, 0, Float64Array.of(Number.NaN, Number.NaN));
        rows.row(0, 1, time, 0, Float64Array.of(-1, Number.NaN), 0);
        rows.row(1, 1, time, 0, Float64Array.of(2));
      }),
    ).toBe(
      [
        'put b/2E1.cpu.user 1451606400 58 hostname=host_0 load=0.5',
        'put b/2E1.cpu.idle 1451606400 2 hostname=host_0 load=0.5',
        'put b/2E1.cpu.idle 1451606400001 24 hostname=host_1 the/20rack=r/2F1 load=0.5',
        'put b/2E1.cpu.no_value 1451606400001 1 hostname=host_1 the/20rack=r/2F1 load=0.5',
        'put b/2E1.cpu.no_value 1451606401 1 hostname=host_2 the/20rack=r/2F2',
        'put b/2E1.cpu.user 1451606400 -1 the/20rack=r/2F1 load=0.5',
        'put b/2E1.mem/2Ex.used/25 1451606400 2.0 hostname=host_1 the/20rack=r/2F1 load=0.5 bank=/C3/A9',
        '',
      ].join('\n'),
    );
  });

  it('have a tag where they have none, and share one where there are too many', () => {
    const nameless = { ...dataset, tags: [], deviceTags: () => [] };
    const rows = new PointRows(nameless, about, telnetForm);
    rows.row(0, 0, time, 0, Float64Array.of(1, Number.NaN));
    const [block] = rows.batch.blocks;
    expect(block?.bytes.toString('latin1', 0, block.length)).toBe(
      'put b/2E1.cpu.user 1451606400 1 /none=1\n',
    );
    expect(telnet((own) => own.row(1, 1, time, 0, Float64Array.of(0.1)), 2)).toBe(
      'put b/2E1.mem/2Ex.used/25 1451606400 0.1 hostname=host_1 /more=the/20rack//r/2F1//load//0.5//bank///C3/A9\n',
    );
  });

  it('are refused where the server could not keep them, or not take them', () => {
    const rows = new PointRows(dataset, about, telnetForm);
    const one = Float64Array.of(1, 1);
    for (const early of [0, 99_999_999_999])
      expect(() => rows.row(0, 0, early, 0, one)).toThrow('OpenTSDB keeps no points of 19');
    const long = { ...dataset, deviceTags: () => ['x'.repeat(990), null, null] };
    expect(() => new PointRows(long, about, telnetForm).row(0, 0, time, 0, one)).toThrow(
      'the server takes 1000',
    );
    expect(() => new PointRows(long, about, jsonForm(900)).row(0, 0, time, 0, one)).toThrow(
      'the server takes 900',
    );
    expect(() => new PointRows(long, about, jsonForm(1100)).row(0, 0, time, 0, one)).not.toThrow();
  });

  it('are requests of the size that the server takes, that have every value as it was', () => {
    const pointSchema = z.strictObject({
      ...{
        metric: z.string(),
        timestamp: z.int(),
        value: z.number(),
        tags: z.record(z.string(), z.string()),
      },
    });
    const values = fc.tuple(fc.maxSafeInteger(), fc.option(fc.maxSafeInteger(), { nil: Number.NaN }));
    const double = fc.double({ noNaN: true, noDefaultInfinity: true });
    const row = fc.record({
      ...{
        device: fc.nat(2),
        timeMs: fc.integer({ min: 100_000_000_000, max: 9_999_999_999_999 }),
        values,
        double,
      },
    });
    fc.assert(
      fc.property(fc.array(row, { maxLength: 60 }), fc.integer({ min: 250, max: 4000 }), (given, most) => {
        const rows = new PointRows(dataset, about, jsonForm(most - 1));
        for (const { device, timeMs, values: whole, double: value } of given) {
          rows.row(0, device, timeMs, 0, Float64Array.from(whole));
          rows.row(1, device, timeMs, 0, Float64Array.of(value));
        }
        expect(rows.batch.rows).toBe(given.length * 2);
        const found = rows.batch.blocks.map((block) =>
          requestsOf(block).flatMap((parts) => {
            const text = Buffer.concat(parts).toString('utf8');
            expect(text.length).toBeLessThanOrEqual(most);
            // The server takes a number without a dot or an exponent for a whole one.
            if (text.includes('mem')) expect(text).not.toMatch(/"value":-?\d+,/);
            return z.array(pointSchema).min(1).parse(JSON.parse(text));
          }),
        );
        const at = (timeMs: number) => (timeMs % 1000 === 0 ? timeMs / 1000 : timeMs);
        expect(found[0]?.map(({ metric, timestamp, value }) => [metric, timestamp, value])).toEqual(
          given.flatMap(({ timeMs, values: [user, idle] }) => [
            ['b/2E1.cpu.user', at(timeMs), user + 0],
            ...(Number.isNaN(idle) ? [] : [['b/2E1.cpu.idle', at(timeMs), idle + 0]]),
          ]),
        );
        expect(found[1]?.map(({ value, tags }) => [value, tags.hostname])).toEqual(
          given.map(({ device, double: value }) => [value + 0, `host_${device}`]),
        );
      }),
      { numRuns: 40 },
    );
  });
});
