import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Prepared, Reader, Session } from '../../../databases/driver.ts';
import { stopSandbox } from '../../../databases/sandbox/index.ts';
import { openTsbsRows } from '../openRows.ts';
import * as known from '../testing/iotAnswers.ts';
import { reachServer, server } from '../testing/server.ts';
import { TsbsQueries } from './openQueries.ts';

/** The answers about trucks on a real server against the same thing computed from the generated rows in JavaScript. */
const { signal } = new AbortController();
const data = {
  useCase: 'iot',
  seed: 123,
  scale: 40,
  timestampStart: '2016-01-01T00:00:00Z',
  timestampEnd: '2016-01-03T00:00:00Z',
  logInterval: '1m',
};
const rowsSpec = { workload: 'tsbs', parameters: data };
const { sink, trucks } = known.truckKeeper(openTsbsRows(rowsSpec).dataset);
const source = openTsbsRows(rowsSpec);
const rows = source.fill(sink, Number.MAX_SAFE_INTEGER);

let folder: string;
let session: Session;
let prepared: Prepared;
let reader: Reader;
let dialect: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'benchberry-iot-'));
  const { driver, endpoint } = await reachServer(folder, signal);
  session = await driver.openSession(endpoint, signal);
  const { dataset } = openTsbsRows(rowsSpec);
  const options = { database: `benchberry_iot_${process.pid}`, doCreateDb: true, doAbortOnExist: false };
  prepared = await session.prepare(dataset, { ...options, engine: driver.loadOptions.parse({}) }, signal);
  dialect = (await session.describe(signal, prepared.database)).dialect;
  await session.writeDevices(prepared, dataset, signal);
  const writer = await driver.openWriter(endpoint, prepared, signal, dataset);
  const again = openTsbsRows(rowsSpec);
  while (again.fill(writer, 10_000) > 0) await writer.flush(signal);
  await writer.close();
  const counts = await session.count(prepared, signal);
  expect((counts.readings ?? 0) + (counts.diagnostics ?? 0)).toBe(rows);
  reader = await driver.openReader(endpoint, prepared.database, signal);
});
afterAll(async () => {
  await reader?.close();
  if (prepared) await session.drop(prepared, signal);
  await session?.close();
  await stopSandbox();
  await rm(folder, { recursive: true, force: true });
});

async function ask(
  type: string,
  index = 0,
  scale = data.scale,
): Promise<{ text: string; values: (string | null)[][] }> {
  const parameters = { ...data, scale, type, queries: 20, timestampEnd: '2016-01-03T00:00:01Z' };
  const { text } = new TsbsQueries({ workload: 'tsbs', parameters }, dialect).at(index);
  const { values = [] } = await reader.run({ text }, signal, true);
  return { text, values };
}
const sorted = (answer: readonly unknown[][]) => answer.map((row) => row.join(' | ')).sort();
/** Texts as they are; numbers rounded to ten digits, since a server adds in another order. */
const rounded = (answer: readonly (string | number | null)[][]) =>
  sorted(answer.map((row) => row.map((v) => (Number.isNaN(Number(v)) ? v : Number(v).toPrecision(10)))));

describe(server === 'sandbox' ? server : 'the server of BENCHBERRY_TEST_PG_URL', () => {
  const drawn = Array.from({ length: 8 }, (_, i) => i);

  it.each(['last-loc', 'single-last-loc', 'low-fuel', 'high-load'])('%s', async (type) => {
    let found = 0;
    for (const index of drawn) {
      const { text, values } = await ask(type, index);
      expect(rounded(values)).toEqual(rounded(known.newest(trucks, type, known.askedIn(text))));
      found += values.length;
    }
    // Nobody is out of fuel, or loaded to the brim, at the end of these two days.
    if (type.includes('loc')) expect(found).toBeGreaterThan(0);
  });

  it.each([
    ['stationary-trucks', 1],
    ['long-driving-sessions', 22],
    ['long-daily-sessions', 60],
  ] as const)('%s', async (type, limit) => {
    let found = 0;
    for (const index of drawn) {
      const { text, values } = await ask(type, index);
      const asked = known.askedIn(text);
      const wanted =
        type === 'stationary-trucks'
          ? known.stationary(trucks, asked, limit)
          : known.driven(trucks, asked, limit);
      expect(sorted(values)).toEqual(sorted(wanted));
      found += values.length;
    }
    if (type !== 'stationary-trucks') expect(found).toBeGreaterThan(0);
  });

  it('avg-vs-projected-fuel-consumption', async () => {
    const { values } = await ask('avg-vs-projected-fuel-consumption');
    expect(values).toHaveLength(4);
    expect(rounded(values)).toEqual(rounded(known.fuel(trucks)));
  });
  it('avg-daily-driving-duration', async () => {
    const { values } = await ask('avg-daily-driving-duration');
    expect(values.length).toBeGreaterThan(30);
    expect(rounded(values)).toEqual(rounded(known.dailyHours(trucks)));
  });
  it('avg-daily-driving-session', async () => {
    const { values } = await ask('avg-daily-driving-session');
    const seconds = values.map(([name = null, day = null, duration = null]) => [
      name,
      known.instant(day) / 1000,
      known.secondsOf(duration),
    ]);
    const wanted = known.dailySessions(trucks);
    expect(wanted.length).toBeGreaterThan(10);
    expect(rounded(seconds)).toEqual(rounded(wanted));
  });
  it('avg-load', async () => {
    const { values } = await ask('avg-load');
    expect(values.length).toBeGreaterThan(4);
    expect(rounded(values)).toEqual(rounded(known.loads(trucks)));
  });
  it('daily-activity', async () => {
    const { values } = await ask('daily-activity');
    const answered = values.map(([fleet = null, model = null, day = null, activity = null]) => [
      fleet,
      model,
      known.instant(day) / 1000,
      activity,
    ]);
    const wanted = known.dailyActivity(trucks);
    expect(wanted.length).toBeGreaterThan(0);
    expect(rounded(answered)).toEqual(rounded(wanted));
  });
  it('breakdown-frequency', async () => {
    const { values } = await ask('breakdown-frequency');
    expect(sorted(values)).toEqual(sorted(known.breakdowns(trucks)));
  });
});
