import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RowSink } from '../../databases/driver.ts';
import type { RowShare } from '../workload.ts';
import { fnv1a32 } from './hash.ts';
import { openTsbsRows } from './openRows.ts';
import { Schedule, simulationSchema } from './simulation.ts';

const basis = {
  useCase: 'cpu-only',
  seed: 123,
  scale: 10,
  timestampStart: '2016-01-01T00:00:00Z',
  timestampEnd: '2016-01-01T01:00:00Z',
  logInterval: '10s',
};
function open(changes: Record<string, unknown> = {}, share?: RowShare) {
  return openTsbsRows({ workload: 'tsbs', parameters: { ...basis, ...changes } }, share);
}
interface Row {
  device: number;
  time: bigint;
  values: number[];
}
function collector(): { rows: Row[]; sink: RowSink } {
  const rows: Row[] = [];
  return {
    rows,
    sink: {
      row(table, device, timeMs, nanos, values) {
        expect(table).toBe(0);
        rows.push({ device, time: BigInt(timeMs) * 1_000_000n + BigInt(nanos), values: [...values] });
      },
    },
  };
}
function all(changes: Record<string, unknown> = {}, share?: RowShare): Row[] {
  const source = open(changes, share);
  const { rows, sink } = collector();
  source.fill(sink, Number.MAX_SAFE_INTEGER);
  expect(rows).toHaveLength(source.totalRows);
  return rows;
}

describe('cpu-only', () => {
  it('makes the hosts and rows that TSBS makes', () => {
    const rows = all();
    const { dataset } = open();
    const shown = (device: number) =>
      `${dataset.deviceTags(device).join(' ')}: ${rows[device]?.values.join(' ')}`;
    expect(shown(0)).toBe(
      'host_0 eu-central-1 eu-central-1a 6 Ubuntu15.10 x86 SF 19 1 test: 58 2 24 61 22 63 6 44 80 38',
    );
    expect(shown(1)).toBe(
      'host_1 us-west-1 us-west-1a 41 Ubuntu15.10 x64 NYC 9 1 staging: 84 11 53 87 29 20 54 77 53 74',
    );
    expect(shown(2)).toBe(
      'host_2 sa-east-1 sa-east-1a 89 Ubuntu16.04LTS x86 LON 13 0 staging: 29 48 5 63 17 52 60 49 93 1',
    );
    const last = rows.at(-1);
    expect(last?.device).toBe(9);
    expect(last?.values).toEqual([97, 7, 80, 5, 29, 21, 6, 82, 4, 75]);
    expect(all({ scale: 2 })[2]?.values).toEqual([59, 4, 25, 60, 23, 62, 5, 47, 80, 38]);
  });

  it('walks epoch by epoch, the end excluded, a trailing part of an interval left out', () => {
    const rows = all({ timestampEnd: '2016-01-01T00:00:35.000000001Z', logInterval: '10.000000005s' });
    const start = 1451606400000000000n;
    expect(rows.map((r) => r.time - start)).toEqual(
      [0n, 10_000_000_005n, 20_000_000_010n].flatMap((t) => Array.from({ length: 10 }, () => t)),
    );
    expect(open({ timestampEnd: '2016-01-01T00:00:09Z' }).totalRows).toBe(0);
    expect(open({ timestampEnd: '2015-01-01T00:00:09Z' }).totalRows).toBe(0);
  });

  it('keeps whole, non-negative values without a negative zero', () => {
    const odd = all({ timestampEnd: '2016-01-02T00:00:00Z' })
      .flatMap((row) => row.values)
      .filter((v) => !Number.isInteger(v) || v < 0 || v > 100 || Object.is(v, -0));
    expect(odd).toEqual([]);
  });

  it('ramps up from the initial scale', () => {
    const schedule = new Schedule(
      simulationSchema.parse({
        ...basis,
        scale: 100,
        initialScale: 10,
        timestampEnd: '2016-01-01T00:00:30Z',
      }),
    );
    expect([0, 1, 2].map((epoch) => schedule.rowsIn(epoch, 0))).toEqual([10, 55, 100]);
    expect(schedule.countRows()).toBe(165);
    expect(open({ initialScale: 2 }).totalRows).toBe(1981);
  });

  it('counts suppressed points against maxDataPoints and written rows against limit', () => {
    const full = all({ initialScale: 2 });
    // 100 points are ten epochs: host 0 … visible − 1 of each.
    expect(all({ initialScale: 2, maxDataPoints: 100 })).toEqual(full.slice(0, 20));
    expect(all({ initialScale: 2, maxDataPoints: 101 })).toEqual(full.slice(0, 21));
    expect(all({ initialScale: 2, limit: 333 })).toEqual(full.slice(0, 333));
    expect(all({ limit: 333 })).toEqual(all().slice(0, 333));
    expect(all({ limit: 1_000_000 })).toHaveLength(3600);
  });

  it('gives the same rows however they are asked for', () => {
    const expected = all({ initialScale: 3, limit: 500 });
    fc.assert(
      fc.property(
        fc.array(fc.record({ skip: fc.boolean(), rows: fc.nat(90) }), { maxLength: 12 }),
        (asked) => {
          const source = open({ initialScale: 3, limit: 500 });
          const { rows, sink } = collector();
          const wanted: Row[] = [];
          let at = 0;
          for (const { skip, rows: count } of asked) {
            const got = skip ? source.skip(count) : source.fill(sink, count);
            expect(got).toBe(Math.min(count, expected.length - at));
            if (!skip) wanted.push(...expected.slice(at, at + got));
            at += got;
          }
          expect(rows).toEqual(wanted);
        },
      ),
      { numRuns: 30 },
    );
  });

  it('shares the hosts out by TSBS’s hash, each row once', () => {
    const whole = all({ scale: 50, initialScale: 7, limit: 4000 });
    const shares = [0, 1, 2].map((worker) =>
      all({ scale: 50, initialScale: 7, limit: 4000 }, { worker, workers: 3 }),
    );
    for (const [worker, rows] of shares.entries())
      expect(rows).toEqual(whole.filter((r) => fnv1a32(`hostname=host_${r.device}`) % 3 === worker));
    expect(shares.flat()).toHaveLength(4000);
    expect(all({}, { worker: 0, workers: 1 })).toEqual(all());
  });

  it('hashes as FNV-1a does', () => {
    expect(['hostname=host_0', 'hostname=host_1', 'hostname=host_2', 'name=truck_0'].map(fnv1a32)).toEqual([
      0x2a811612, 0x2b8117a5, 0x288112ec, 0x1b77f8db,
    ]);
  });
});
