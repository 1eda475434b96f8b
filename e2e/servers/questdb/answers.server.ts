import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Prepared, Reader, Session } from '../../../src-main/databases/driver.ts';
import { questdbDriver } from '../../../src-main/databases/questdb/index.ts';
import { cpuFields } from '../../../src-main/workloads/tsbs/cpuOnly/model.ts';
import { openTsbsRows } from '../../../src-main/workloads/tsbs/openRows.ts';
import { TsbsQueries } from '../../../src-main/workloads/tsbs/queries/openQueries.ts';
import { findQueryType, hostQueryTypes } from '../../../src-main/workloads/tsbs/queries/queryTypes.ts';
import * as known from '../../../src-main/workloads/tsbs/testing/answers.ts';
import { questdbPrograms } from './fetch.ts';
import { type QuestdbServer, startQuestdb } from './server.ts';

// The answer of every query type against the same thing computed from the generated rows in JavaScript.

const { signal } = new AbortController();
const data = {
  ...{ useCase: 'cpu-only', seed: 123, scale: 40, logInterval: '1m' },
  ...{ timestampStart: '2016-01-01T00:00:00Z', timestampEnd: '2016-01-02T02:00:00Z' },
};
const spec = { workload: 'tsbs', parameters: data };
const rows: known.KnownRow[] = [];
openTsbsRows(spec).fill(known.rowKeeper(rows), Number.MAX_SAFE_INTEGER);
const names = hostQueryTypes.map(({ name }) => name);

let server: QuestdbServer;
let session: Session;
let prepared: Prepared;
beforeAll(async () => {
  server = await startQuestdb(questdbPrograms());
  const endpoint = await questdbDriver.resolve(server.connection, null, { dataFolder: '', signal });
  session = await questdbDriver.openSession(endpoint, signal);
  const source = openTsbsRows(spec);
  const options = { database: 'benchmark', doCreateDb: true, doAbortOnExist: false };
  prepared = await session.prepare(
    source.dataset,
    { ...options, engine: questdbDriver.loadOptions.parse({}) },
    signal,
  );
  const writer = await questdbDriver.openWriter(endpoint, prepared, signal, source.dataset);
  while (source.fill(writer, 10_000) > 0) await writer.flush(signal);
  await writer.close();
  await session.awaitVisible?.(prepared, rows.length, () => undefined, signal);
  expect(await session.count(prepared, signal)).toEqual({ cpu: rows.length });
});
afterAll(async () => {
  await session?.close();
  await server?.stop();
});

describe.each(['pgwire', 'http'])('over %s', (queriesOver) => {
  let reader: Reader;
  beforeAll(async () => {
    const connection = { ...server.connection, queriesOver };
    const endpoint = await questdbDriver.resolve(connection, null, { dataFolder: '', signal });
    reader = await questdbDriver.openReader(endpoint, 'benchmark', signal);
  });
  afterAll(() => reader?.close());

  async function check(type: string, count: number, timestampStart: string, timestampEnd: string) {
    const kind = findQueryType(type);
    const parameters = { ...data, type, queries: count, timestampStart, timestampEnd };
    const queries = new TsbsQueries({ workload: 'tsbs', parameters }, 'questdb');
    let found = 0;
    for (let i = 0; i < count; i += 1) {
      const { text } = queries.at(i);
      const asked = askedIn(text);
      const { rows: counted, values = [] } = await reader.run({ text }, signal, true);
      expect(values).toHaveLength(counted);
      expect((await reader.run({ text }, signal)).rows).toBe(counted);
      found += counted;
      switch (kind?.kind) {
        case 'single-groupby':
          expect(asked.hosts).toHaveLength(kind.hosts);
          expect(numbers(values)).toEqual(untimed(known.maxima(rows, asked, kind.metrics, 60)));
          break;
        case 'cpu-max-all':
          expect(asked.hosts).toHaveLength(kind.hosts);
          expect(numbers(values)).toEqual(untimed(known.maxima(rows, asked, cpuFields.length, 3600)));
          break;
        case 'double-groupby': {
          const digits = (answer: unknown[][]) =>
            answer
              .map(([host, ...means]) => [host, ...means.map((mean) => Number(mean).toFixed(9))].join(' '))
              .sort();
          expect(digits(values)).toEqual(digits(untimed(known.means(rows, asked, kind.metrics))));
          break;
        }
        case 'groupby-orderby-limit':
          expect(numbers(values)).toEqual(untimed(known.lastFiveMinutes(rows, asked)));
          break;
        case 'high-cpu':
          expect(sorted(cpuRows(values))).toEqual(sorted(known.highCpu(rows, asked, kind.hosts === 'all')));
          break;
        case 'lastpoint':
          expect(sorted(cpuRows(values))).toEqual(sorted(known.newest(rows)));
          break;
        default:
          expect.unreachable(`no check for ${type}`);
      }
    }
    return found;
  }

  it.each(names)('%s', async (type) => {
    expect(await check(type, 3, data.timestampStart, '2016-01-02T02:00:01Z')).toBeGreaterThan(0);
  });

  const windowed = queriesOver === 'pgwire' ? names.filter((name) => name !== 'lastpoint') : [];

  it.each(windowed)('%s takes the row at its beginning and not the one at its end', async (type) => {
    // One nanosecond to draw from: every window begins at 01:00:00, when each host has a row.
    const hours = findQueryType(type)?.hours ?? 0;
    const end = new Date(Date.parse('2016-01-01T01:00:00Z') + hours * 3_600_000).toISOString();
    await check(type, 2, '2016-01-01T01:00:00Z', end.replace('.000Z', '.000000001Z'));
  });

  it.each(windowed)('%s finds nothing where nothing is', async (type) => {
    expect(await check(type, 2, '2015-03-01T00:00:00Z', '2015-03-08T00:00:00Z')).toBe(0);
  });
});

function askedIn(text: string): known.Asked {
  const times = [...text.matchAll(/'(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)'/g)].map(([, time]) =>
    Date.parse(time ?? ''),
  );
  return {
    begin: times.length === 2 ? (times[0] ?? 0) : Number.NEGATIVE_INFINITY,
    end: times.at(-1) ?? Number.POSITIVE_INFINITY,
    hosts: [...text.matchAll(/host_(\d+)/g)].map((match) => Number(match[1])),
  };
}
/** QuestDB's queries do not ask for the time. */
function untimed(answer: (string | number)[][]): (string | number)[][] {
  return answer.map((row) => row.slice(1));
}
function numbers(values: (string | null)[][]): number[][] {
  return values.map((row) => row.map(Number));
}
/** Whole rows of cpu, ten tags, ten values and the time, as time, host's name and values. */
function cpuRows(values: (string | null)[][]): (string | number | null | undefined)[][] {
  return values.map((row) => [
    Date.parse(`${String(row.at(-1)).replace(' ', 'T').replace('Z', '')}Z`),
    row[0],
    ...row.slice(10, 20).map(Number),
  ]);
}
function sorted(answer: unknown[][]): string[] {
  return answer.map((row) => row.join(' ')).sort();
}
