import type { Endpoint, Prepared, Session } from '../driver.ts';
import { connected, httpTargetFrom } from '../http/connection.ts';
import { countRows } from './count.ts';
import { describeServer, versionOf } from './describe.ts';
import { writeDevices } from './devices.ts';
import { tableName } from './gateway.ts';
import { preparedSchema } from './loadOptions.ts';
import { dropOurs, namespaceExists } from './ownership.ts';
import { prepareTables } from './tables.ts';

/** In every cluster. */
const alwaysThere = 'default';

/** The control connection. */
export async function openSession(endpoint: Endpoint, signal: AbortSignal): Promise<Session> {
  const target = httpTargetFrom(endpoint);
  const http = await connected(target, (own) => versionOf(own, signal));
  const tls = target.tlsMode === 'disable' ? null : 'encrypted';
  const driverOf = (prepared: Prepared) => preparedSchema.parse(prepared.driver);
  return {
    async describe(own, asked = alwaysThere) {
      const database = (await namespaceExists(http, asked, own)) ? asked : alwaysThere;
      return describeServer(http, { engine: endpoint.engine, database, tls }, own);
    },
    prepare: (dataset, options, own) => prepareTables(http, dataset, options, own),
    writeDevices: (prepared, dataset, own) =>
      writeDevices(http, prepared.database, dataset, driverOf(prepared).resendMs, own),
    async count(prepared, own) {
      const { shape, tables } = driverOf(prepared);
      const counts: Record<string, number> = {};
      for (const table of tables)
        counts[table] = await countRows(http, tableName(prepared.database, table), shape, own);
      return counts;
    },
    drop: (prepared, own) => dropOurs(http, prepared.database, own),
    close: async () => http.close(),
  };
}
