import type { Dataset } from './driver.ts';

/** Names and values that break careless quoting, tags that are missing, two tables, whole and broken numbers. */
export const dataset: Dataset = {
  tags: [
    { name: 'hostname', type: 'string' },
    { name: 'Region "x"', type: 'string' },
    { name: 'load', type: 'float32' },
  ],
  tables: [
    { name: 'cpu', fields: ['user', 'select', 'idle'].map((name) => ({ name, type: 'integer' as const })) },
    { name: 'Mem "y"', tags: ['bank', "size'\\"], fields: [{ name: 'used', type: 'double' }] },
  ],
  devices: 5,
  deviceTags: (device) => [
    ['host\t0', 'host\\1', 'höst\n2', "host'3", 'host_4'][device] ?? null,
    device === 3 ? null : `region ${device}`,
    device === 1 ? null : device + 0.5,
  ],
  tableTags: (_, device) => [`bank\t"${device}"\n`, `ö\\${device}'`],
};

/** A row as a source gives it. */
export interface Row {
  table: number;
  device: number;
  timeMs: number;
  nanos: number;
  values: number[];
  missingTag: number | undefined;
}

/** More rows in one batch than fit into the 65,535 parameters of one INSERT. */
export function someRows(count: number, from = 0): Row[] {
  const special = [Number.NaN, 1e-7, 1e21, -0, 0.1, 123_456_789.125, -273.15, 5e-324, 1.7976931348623157e308];
  return Array.from({ length: count }, (_, n) => {
    const i = n + from;
    const table = i % 3 === 2 ? 1 : 0;
    return {
      table,
      device: i % 5,
      timeMs: Date.UTC(1999, 11, 31, 23, 59, 50) + i * 977,
      nanos: (i * 4099) % 1_000_000,
      missingTag: [0, 1, undefined][i % 97] ?? undefined,
      values: table === 0 ? [i % 101, (i * 7) % 101, i % 11 === 0 ? Number.NaN : 100] : [special[i % 9] ?? 0],
    };
  });
}

/** The row as this test expects to read it back: ISO time with microseconds, device number, values. */
export function expected(row: Row): string {
  const micros = String((row.timeMs % 1000) * 1000 + Math.floor(row.nanos / 1000)).padStart(6, '0');
  const time = `${new Date(row.timeMs).toISOString().slice(0, 19)}.${micros}`;
  // A row without the first tag belongs to no device.
  return JSON.stringify([
    time,
    row.missingTag === 0 ? 0 : row.device + 1,
    ...row.values.map((v) => (Number.isNaN(v) ? null : v + 0)),
  ]);
}
