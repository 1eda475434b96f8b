import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Prepared, Reader, Session } from '../../../databases/driver.ts';
import { stopSandbox } from '../../../databases/sandbox/index.ts';
import { cpuFields } from '../cpuOnly/model.ts';
import { openTsbsRows } from '../openRows.ts';
import * as known from '../testing/answers.ts';
import { reachServer, server } from '../testing/server.ts';
import { TsbsQueries } from './openQueries.ts';
import { findQueryType, hostQueryTypes } from './queryTypes.ts';

const queryTypeNames = hostQueryTypes.map(({ name }) => name);

/**
 * The answer of every query type on a real server against the same thing computed from the generated rows in JavaScript:
 * on the sandbox, or on the server that BENCHBERRY_TEST_PG_URL names (postgresql://user:password@host/…).
 */
const { signal } = new AbortController();
const data = {
  useCase: 'cpu-only',
  seed: 123,
  scale: 40,
  timestampStart: '2016-01-01T00:00:00Z',
  timestampEnd: '2016-01-02T02:00:00Z',
  logInterval: '1m',
};
const rowsSpec = { workload: 'tsbs', parameters: data };
const rows: known.KnownRow[] = [];
openTsbsRows(rowsSpec).fill(known.rowKeeper(rows), Number.MAX_SAFE_INTEGER);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'benchberry-answers-'));
});
afterAll(async () => {
  await stopSandbox();
  await rm(folder, { recursive: true, force: true });
});

/** Ways to keep tags, and the queries' options that go with each. */
const modes = [
  { name: 'a tags table', load: {}, options: { timescaleUseTags: true } },
  { name: 'tags as JSON', load: { useJsonbTags: true }, options: { timescaleUseJson: true } },
  {
    name: 'the name in every row',
    load: { inTablePartitionTag: true },
    options: { timescaleUseTags: false },
  },
];

describe(server === 'sandbox' ? server : 'the server of BENCHBERRY_TEST_PG_URL', () => {
  describe.each(modes)('with $name', ({ load, options }) => {
    let session: Session;
    let prepared: Prepared;
    let reader: Reader;
    let dialect: string;

    beforeAll(async () => {
      const { driver, endpoint } = await reachServer(folder, signal);
      session = await driver.openSession(endpoint, signal);
      const { dataset } = openTsbsRows(rowsSpec);
      prepared = await session.prepare(
        dataset,
        {
          database: `benchberry_answers_${process.pid}`,
          doCreateDb: true,
          doAbortOnExist: false,
          engine: driver.loadOptions.parse(load),
        },
        signal,
      );
      // Only now: TimescaleDB shows in the database that has it.
      dialect = (await session.describe(signal, prepared.database)).dialect;
      await session.writeDevices(prepared, dataset, signal);
      const writer = await driver.openWriter(endpoint, prepared, signal, dataset);
      const source = openTsbsRows(rowsSpec);
      while (source.fill(writer, 10_000) > 0) await writer.flush(signal);
      await writer.close();
      expect(await session.count(prepared, signal)).toMatchObject({ cpu: rows.length });
      reader = await driver.openReader(endpoint, prepared.database, signal);
    });
    afterAll(async () => {
      await reader?.close();
      if (prepared) await session.drop(prepared, signal);
      await session?.close();
    });

    /** The first queries of a type between two times, with what the server answers. */
    async function ask(type: string, count: number, from: string, to: string, more = {}) {
      const queries = new TsbsQueries(
        {
          workload: 'tsbs',
          parameters: {
            ...data,
            ...options,
            ...more,
            ...{ type, queries: count, timestampStart: from, timestampEnd: to },
          },
        },
        dialect,
      );
      const answers: { asked: known.Asked; values: (string | null)[][] }[] = [];
      for (let i = 0; i < count; i++) {
        const query = queries.at(i);
        const { rows: counted, values } = await reader.run(query, signal, true);
        expect(values).toHaveLength(counted);
        answers.push({ asked: known.askedIn(query.text), values: values ?? [] });
      }
      return answers;
    }

    /** Rows that end with all columns of cpu, as time, host’s name and values. */
    async function cpuRows(values: (string | null)[][]) {
      const hostOf = new Map<string | null, string | null>();
      if (!('inTablePartitionTag' in load)) {
        const name = 'useJsonbTags' in load ? "tagset->>'hostname'" : 'hostname';
        const tags = await reader.run({ text: `SELECT id, ${name} FROM tags` }, signal, true);
        for (const [id = null, host = null] of tags.values ?? []) hostOf.set(id, host);
      }
      return values.map((row) => {
        const own = row.slice('inTablePartitionTag' in load ? -14 : -13);
        const [time = null, tagsId = null, inTable] = own;
        const host = 'inTablePartitionTag' in load ? inTable : hostOf.get(tagsId);
        return [instant(time), host, ...own.slice(-11, -1).map(Number)];
      });
    }

    async function check(type: string, count: number, from: string, to: string, more = {}): Promise<number> {
      const kind = findQueryType(type);
      let found = 0;
      for (const { asked, values } of await ask(type, count, from, to, more)) {
        found += values.length;
        switch (kind?.kind) {
          case 'single-groupby':
            expect(asked.hosts).toHaveLength(kind.hosts);
            expect(bucketed(values)).toEqual(known.maxima(rows, asked, kind.metrics, 60));
            break;
          case 'cpu-max-all':
            expect(asked.hosts).toHaveLength(kind.hosts);
            expect(bucketed(values)).toEqual(known.maxima(rows, asked, cpuFields.length, 3600));
            break;
          case 'double-groupby': {
            const expected = known.means(rows, asked, kind.metrics);
            const answered = values.map(([time = null, host, ...means]) => [
              instant(time),
              host,
              ...means.map(Number),
            ]);
            expect(answered.map((row) => row.slice(0, 2))).toEqual(expected.map((row) => row.slice(0, 2)));
            expect(answered.flatMap((row) => row.slice(2))).toEqual(
              expected.flatMap((row) => row.slice(2)).map((n) => expect.closeTo(Number(n), 9)),
            );
            break;
          }
          case 'groupby-orderby-limit':
            expect(bucketed(values)).toEqual(known.lastFiveMinutes(rows, asked));
            break;
          case 'high-cpu':
            expect(sorted(await cpuRows(values))).toEqual(
              sorted(known.highCpu(rows, asked, kind.hosts === 'all')),
            );
            break;
          case 'lastpoint':
            expect(await cpuRows(values)).toEqual(known.newest(rows));
            break;
          default:
            expect.unreachable(`no check for ${type}`);
        }
      }
      return found;
    }

    it.each(queryTypeNames)('%s', async (type) => {
      const found = await check(type, 3, data.timestampStart, '2016-01-02T02:00:01Z');
      expect(found).toBeGreaterThan(0);
      if (dialect === 'timescaledb')
        await check(type, 2, data.timestampStart, data.timestampEnd, { timescaleUseTimeBucket: false });
    });

    // How windows are compared does not hang on where the tags are.
    const windowed = options.timescaleUseTags ? queryTypeNames.filter((name) => name !== 'lastpoint') : [];

    it.each(windowed)('%s takes the row at its beginning and not the one at its end', async (type) => {
      // One nanosecond to draw from: every window begins at 01:00:00, when each host has a row.
      const hours = findQueryType(type)?.hours ?? 0;
      const end = new Date(Date.parse('2016-01-01T01:00:00Z') + hours * 3_600_000).toISOString();
      await check(type, 3, '2016-01-01T01:00:00Z', end.replace('.000Z', '.000000001Z'));
    });

    it.each(windowed)('%s finds nothing where nothing is', async (type) => {
      expect(await check(type, 2, '2015-03-01T00:00:00Z', '2015-03-08T00:00:00Z')).toBe(0);
    });
  });
});

it('asks of rows that sit exactly on the threshold, and of hosts that share a highest value', () => {
  expect(rows.filter((row) => row.values[0] === 90).length).toBeGreaterThan(100);
  const topsOfEpoch = (epoch: number) => {
    const users = rows.slice(epoch * data.scale, (epoch + 1) * data.scale).map((row) => row.values[0]);
    return users.filter((user) => user === 100).length;
  };
  const shared = Array.from({ length: rows.length / data.scale }, (_, epoch) => topsOfEpoch(epoch) > 1);
  expect(shared.filter(Boolean).length).toBeGreaterThan(50);
});

/** `2016-01-01 01:00:00+00` in ms since 1970. */
function instant(text: string | null): number {
  return Date.parse(
    String(text)
      .replace(' ', 'T')
      .replace(/([+-]\d\d)$/, '$1:00'),
  );
}
function bucketed(values: (string | null)[][]): (string | number)[][] {
  return values.map(([time = null, ...numbers]) => [instant(time), ...numbers.map(Number)]);
}
function sorted(answer: unknown[][]): string[] {
  return answer.map((row) => row.join(' ')).sort();
}
