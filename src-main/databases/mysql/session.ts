import type { Endpoint, Session } from '../driver.ts';
import { type Dialled, dialledFrom } from './connection.ts';
import { describeServer } from './describe.ts';
import { Link } from './link.ts';
import { databaseExists, dropOurs, provideDatabase } from './ownership.ts';
import { countRows, insertDevices, mysqlLayoutSchema, prepareTables } from './schema.ts';

/** In every server; nothing can be written there. */
const alwaysThere = 'information_schema';

/** The control connection; the benchmark's own database has one for as long as a call needs it. */
export async function openSession(endpoint: Endpoint, signal: AbortSignal): Promise<Session> {
  const target = dialledFrom(endpoint);
  const control = await Link.open(target, alwaysThere, signal);
  return {
    async describe(own, database) {
      if (database === undefined || !(await databaseExists(control, database, own)))
        return describeServer(control, endpoint.engine, own);
      return within(target, database, own, (link) => describeServer(link, endpoint.engine, own));
    },
    async prepare(dataset, options, own) {
      await provideDatabase(control, target, options, own);
      return within(target, options.database, own, (link) =>
        prepareTables(link, target, dataset, options, own),
      );
    },
    writeDevices: (prepared, dataset, own) =>
      within(target, prepared.database, own, (link) => insertDevices(link, dataset, own)),
    count: (prepared, own) =>
      within(target, prepared.database, own, (link) =>
        countRows(link, mysqlLayoutSchema.parse(prepared.driver), own),
      ),
    drop: (prepared, own) => dropOurs(control, target, prepared.database, own),
    close: () => control.close(),
  };
}

async function within<T>(
  target: Dialled,
  database: string,
  signal: AbortSignal,
  work: (link: Link) => Promise<T>,
): Promise<T> {
  const link = await Link.open(target, database, signal);
  try {
    return await work(link);
  } finally {
    await link.close();
  }
}
