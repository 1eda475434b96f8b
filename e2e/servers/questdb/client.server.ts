import { Sender } from '@questdb/nodejs-client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Dataset, Reader } from '../../../src-main/databases/driver.ts';
import { questdbDriver } from '../../../src-main/databases/questdb/index.ts';
import { openTsbsRows } from '../../../src-main/workloads/tsbs/openRows.ts';
import { questdbPrograms } from './fetch.ts';
import { type QuestdbServer, startQuestdb } from './server.ts';

// The same rows by QuestDB's own client and by Benchberry give the same table.

const { signal } = new AbortController();
let server: QuestdbServer;
let reader: Reader;
beforeAll(async () => {
  server = await startQuestdb(questdbPrograms());
  const endpoint = await questdbDriver.resolve(server.connection, null, { dataFolder: '', signal });
  reader = await questdbDriver.openReader(endpoint, 'qdb', signal);
});
afterAll(async () => {
  await reader?.close();
  await server?.stop();
});

const ask = async (text: string) => (await reader.run({ text }, signal, true)).values ?? [];
const tableOf = async (name: string) => ({
  columns: await ask(`SELECT "column", type, designated FROM table_columns('${name}')`),
  made: await ask(
    `SELECT partitionBy, walEnabled, dedup, designatedTimestamp FROM tables() WHERE table_name = '${name}'`,
  ),
  rows: await ask(`SELECT * FROM "${name}" ORDER BY timestamp, hostname`),
});

async function byClient(dataset: Dataset, parameters: Record<string, unknown>): Promise<void> {
  const sender = await Sender.fromConfig(`http::addr=127.0.0.1:${server.port};auto_flush=off;`);
  const pending: (() => Promise<void>)[] = [];
  openTsbsRows({ workload: 'tsbs', parameters }).fill(
    {
      row(table, device, timeMs, nanos, values, missingTag) {
        const row = [...values];
        const tags = dataset.deviceTags(device);
        pending.push(async () => {
          const { name = '', fields = [] } = dataset.tables[table] ?? {};
          sender.table(name);
          for (const type of ['string', 'float32'] as const)
            dataset.tags.forEach((tag, i) => {
              const value = tags[i] ?? null;
              if (tag.type !== type || value === null || i === missingTag) return;
              if (type === 'string') sender.symbol(tag.name, value);
              else sender.floatColumn(tag.name, Number(value));
            });
          fields.forEach((field, i) => {
            const value = row[i] ?? Number.NaN;
            if (Number.isNaN(value)) return;
            if (field.type === 'integer') sender.intColumn(field.name, value);
            else sender.floatColumn(field.name, value);
          });
          // In nanoseconds the client makes a column of nanoseconds.
          await sender.at(timeMs * 1000 + Math.floor(nanos / 1000), 'us');
        });
      },
    },
    Number.MAX_SAFE_INTEGER,
  );
  for (const write of pending) await write();
  await sender.flush();
  await sender.close();
}

it.each(['cpu-only'])('%s', async (useCase) => {
  const parameters = {
    ...{ useCase, scale: 3, seed: 123, logInterval: '10s' },
    ...{ timestampStart: '2016-01-01T00:00:00Z', timestampEnd: '2016-01-01T00:10:00Z' },
  };
  const source = openTsbsRows({ workload: 'tsbs', parameters });
  const { dataset } = source;
  const names = dataset.tables.map(({ name }) => name);
  const endpoint = await questdbDriver.resolve(server.connection, null, { dataFolder: '', signal });
  const session = await questdbDriver.openSession(endpoint, signal);
  const prepared = await session.prepare(
    dataset,
    {
      ...{ database: 'benchmark', doCreateDb: true, doAbortOnExist: false },
      engine: questdbDriver.loadOptions.parse({}),
    },
    signal,
  );
  const writer = await questdbDriver.openWriter(endpoint, prepared, signal, dataset);
  const rows = source.fill(writer, Number.MAX_SAFE_INTEGER);
  await writer.flush(signal);
  await writer.close();
  await session.awaitVisible?.(prepared, rows, () => undefined, signal);
  const ours = await Promise.all(names.map(tableOf));
  await session.drop(prepared, signal);

  await byClient(dataset, parameters);
  expect(await session.awaitVisible?.(prepared, rows, () => undefined, signal)).toEqual({ missing: null });
  const theirs = await Promise.all(names.map(tableOf));
  for (const name of names) await ask(`DROP TABLE "${name}"`);
  expect(ours.flatMap((table) => table.rows)).toHaveLength(rows);
  for (const [i, table] of theirs.entries()) {
    const sorted = (columns: (string | null)[][] = []) => columns.map((column) => column.join(' ')).sort();
    expect(sorted(ours[i]?.columns)).toEqual(sorted(table.columns));
    expect(ours[i]?.made).toEqual(table.made);
    if (useCase === 'cpu-only') expect(ours[i]).toEqual(table);
  }
  await session.close();
});
