import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Dataset, Reader, RowSink, Session } from '../../../src-main/databases/driver.ts';
import { questdbDriver } from '../../../src-main/databases/questdb/index.ts';
import { openTsbsRows } from '../../../src-main/workloads/tsbs/openRows.ts';
import { TsbsQueries } from '../../../src-main/workloads/tsbs/queries/openQueries.ts';
import { findQueryType, iotQueryTypes } from '../../../src-main/workloads/tsbs/queries/queryTypes.ts';
import * as known from '../../../src-main/workloads/tsbs/testing/iotAnswers.ts';
import { awkwardRows } from './awkwardRows.ts';
import { questdbPrograms } from './fetch.ts';
import { type QuestdbServer, startQuestdb } from './server.ts';

// The answers about trucks against the same thing computed from the rows in JavaScript: of TSBS's rows, and of rows that lie
// on every threshold and lack what they can lack.

const { signal } = new AbortController();
const data = {
  ...{ useCase: 'iot', seed: 123, scale: 40, logInterval: '1m' },
  ...{ timestampStart: '2016-01-01T00:00:00Z', timestampEnd: '2016-01-03T00:00:00Z' },
};
/** One second more than the data: a query over all of a day is possible. */
const range = { timestampStart: data.timestampStart, timestampEnd: '2016-01-03T00:00:01Z' };
const names = iotQueryTypes.map(({ name }) => name);

let server: QuestdbServer;
let session: Session;
beforeAll(async () => {
  server = await startQuestdb(questdbPrograms());
  const endpoint = await questdbDriver.resolve(server.connection, null, { dataFolder: '', signal });
  session = await questdbDriver.openSession(endpoint, signal);
});
afterAll(async () => {
  await session?.close();
  await server?.stop();
});

/** Loads rows into new tables, in place of those of before. @returns how many */
async function load(dataset: Dataset, fill: (sink: RowSink) => void): Promise<number> {
  const endpoint = await questdbDriver.resolve(server.connection, null, { dataFolder: '', signal });
  const options = { database: 'benchmark', doCreateDb: true, doAbortOnExist: false };
  const prepared = await session.prepare(
    dataset,
    { ...options, engine: questdbDriver.loadOptions.parse({}) },
    signal,
  );
  const writer = await questdbDriver.openWriter(endpoint, prepared, signal, dataset);
  fill(writer);
  const rows = writer.pending;
  await writer.flush(signal);
  await writer.close();
  await session.awaitVisible?.(prepared, rows, () => undefined, signal);
  const counts = await session.count(prepared, signal);
  expect((counts.readings ?? 0) + (counts.diagnostics ?? 0)).toBe(rows);
  return rows;
}

const tsbsRows = (sink: RowSink) => {
  openTsbsRows({ workload: 'tsbs', parameters: data }).fill(sink, Number.MAX_SAFE_INTEGER);
};

describe.each([
  { rows: 'rows of TSBS', fill: tsbsRows },
  { rows: 'awkward rows', fill: awkwardRows },
])('$rows', ({ rows, fill }) => {
  const { dataset } = openTsbsRows({ workload: 'tsbs', parameters: data });
  const { sink, trucks } = known.truckKeeper(dataset);
  beforeAll(async () => {
    fill(sink);
    expect(await load(dataset, fill)).toBeGreaterThan(20_000);
  });

  describe.each(['pgwire', 'http'])('over %s', (queriesOver) => {
    let reader: Reader;
    beforeAll(async () => {
      const connection = { ...server.connection, queriesOver };
      const endpoint = await questdbDriver.resolve(connection, null, { dataFolder: '', signal });
      reader = await questdbDriver.openReader(endpoint, 'benchmark', signal);
    });
    afterAll(() => reader?.close());

    /** @returns rows of all answers; `own` is when the queries ask for */
    async function check(type: string, count: number, own = range): Promise<number> {
      const parameters = { ...data, type, queries: count, ...own };
      const queries = new TsbsQueries({ workload: 'tsbs', parameters }, 'questdb');
      let found = 0;
      for (let i = 0; i < count; i += 1) {
        const { text } = queries.at(i);
        const { rows: counted, values = [] } = await reader.run({ text }, signal, true);
        expect(values).toHaveLength(counted);
        expect(comparable(values), text).toEqual(comparable(answer(trucks, type, known.askedIn(text))));
        found += counted;
      }
      return found;
    }

    // In two days nobody of TSBS's runs out of fuel, is full to the brim at the end or stands still for ten minutes.
    const nothing = rows === 'rows of TSBS' ? ['low-fuel', 'high-load', 'stationary-trucks'] : [];

    it.each(names)('%s', async (name) => {
      const count = findQueryType(name)?.hours === 0 ? 6 : 12;
      const found = await check(name, count);
      if (!nothing.includes(name)) expect(found).toBeGreaterThan(0);
    });

    const windowed = iotQueryTypes.filter(({ hours }) => hours > 0);
    it.each(windowed)('$name takes the row at its beginning and not the one at its end', async (type) => {
      // One nanosecond to draw from: every window begins at 06:00:00, when trucks have rows.
      const begin = Date.parse('2016-01-01T06:00:00Z');
      const end = new Date(begin + type.hours * 3_600_000).toISOString().replace('.000Z', '.000000001Z');
      await check(type.name, 6, { timestampStart: '2016-01-01T06:00:00Z', timestampEnd: end });
    });
    it.each(windowed)('$name finds nothing where nothing is', async ({ name }) => {
      const own = { timestampStart: '2015-03-01T00:00:00Z', timestampEnd: '2015-03-08T00:00:00Z' };
      expect(await check(name, 2, own)).toBe(0);
    });
  });
});

describe('tables without rows', () => {
  it('answer every type with nothing', async () => {
    await load(openTsbsRows({ workload: 'tsbs', parameters: data }).dataset, () => undefined);
    const endpoint = await questdbDriver.resolve(server.connection, null, { dataFolder: '', signal });
    const reader = await questdbDriver.openReader(endpoint, 'benchmark', signal);
    for (const type of names) {
      const parameters = { ...data, type, queries: 1, ...range };
      const query = new TsbsQueries({ workload: 'tsbs', parameters }, 'questdb').at(0);
      expect((await reader.run(query, signal)).rows, type).toBe(0);
    }
    await reader.close();
  });
});

type Values = (string | number | null)[][];

function answer(trucks: readonly known.Truck[], type: string, asked: known.Asked): Values {
  switch (type) {
    case 'last-loc':
    case 'single-last-loc':
    case 'low-fuel':
    case 'high-load':
      return known.newest(trucks, type, asked);
    case 'stationary-trucks':
      return known.stationary(trucks, asked, 1);
    case 'long-driving-sessions':
      return known.driven(trucks, asked, 22);
    case 'long-daily-sessions':
      return known.driven(trucks, asked, 60);
    case 'avg-vs-projected-fuel-consumption':
      return known.fuel(trucks);
    case 'avg-daily-driving-duration':
      return known.dailyHours(trucks);
    case 'avg-daily-driving-session':
      return known.dailySessions(trucks);
    case 'avg-load':
      return known.loads(trucks);
    case 'daily-activity':
      return known.dailyActivity(trucks);
    case 'breakdown-frequency':
      return known.breakdowns(trucks);
    default:
      throw new Error(`no answer for ${type}`);
  }
}

/** Days as seconds, numbers to ten digits, since a server adds in another order; NULL as a word of its own. */
function comparable(values: Values): string[] {
  const one = (value: string | number | null) => {
    if (value === null || Number.isNaN(value)) return 'NULL';
    const day = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)\.0+Z?$/.exec(String(value));
    const number = day ? Date.parse(`${day[1]}T${day[2]}Z`) / 1000 : Number(value);
    return Number.isNaN(number) ? value : number.toPrecision(10);
  };
  return values.map((row) => row.map(one).join(' | ')).sort();
}
