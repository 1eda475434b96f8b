import type { Endpoint, Session } from '../driver.ts';
import { type Dialled, dialledFrom } from './connection.ts';
import { Control } from './control.ts';
import { describeServer } from './describe.ts';
import { writeDevices } from './devices.ts';
import { layoutFrom } from './layout.ts';
import { databaseExists, dropOurs, ownTables, provideDatabase } from './ownership.ts';
import { countRows, preparedSchema, prepareTables } from './prepare.ts';
import { readiness } from './readiness.ts';

/** The control connection: to the admin database, and to the benchmark's own for as long as a call needs it. */
export async function openSession(endpoint: Endpoint, signal: AbortSignal): Promise<Session> {
  const target = dialledFrom(endpoint);
  const admin = await Control.open(target, target.adminDatabase, signal);
  return {
    async describe(own, database) {
      if (database === undefined || !(await databaseExists(admin, database, own))) {
        return describeServer(admin, endpoint.engine, true, own);
      }
      return within(target, database, own, (control) => describeServer(control, endpoint.engine, false, own));
    },
    readiness: (own) => readiness(admin, own),
    async prepare(dataset, options, own) {
      await provideDatabase(admin, options, own);
      return within(target, options.database, own, (control) =>
        prepareTables(control, dataset, options, own),
      );
    },
    async writeDevices(prepared, dataset, own) {
      await writeDevices(target, prepared.database, dataset, preparedSchema.parse(prepared.driver), own);
    },
    async count(prepared, own) {
      const tables = layoutFrom(prepared).tables.map((table) => table.name);
      const { rowsBefore } = preparedSchema.parse(prepared.driver);
      const now = await within(target, prepared.database, own, (control) => countRows(control, tables, own));
      return Object.fromEntries(
        Object.entries(now).map(([table, rows]) => [table, rows - (rowsBefore[table] ?? 0)]),
      );
    },
    drop: (prepared, own) => dropOurs(admin, prepared.database, own),
    tables: ownTables(admin, (database, own, work) => within(target, database, own, work)),
    close: () => admin.close(),
  };
}

async function within<T>(
  target: Dialled,
  database: string,
  signal: AbortSignal,
  work: (control: Control) => Promise<T>,
): Promise<T> {
  const control = await Control.open(target, database, signal);
  try {
    return await work(control);
  } finally {
    await control.close();
  }
}
