import { setTimeout as pause } from 'node:timers/promises';
import { cancelled } from '../../../src-shared/errors.ts';
import { formatCount } from '../../../src-shared/units.ts';
import type { Endpoint, Prepared, Session } from '../driver.ts';
import { httpTo, targetFrom } from './connection.ts';
import { describeServer } from './describe.ts';
import { type Layout, layoutSchema } from './loadOptions.ts';
import { dropOurs, existing } from './ownership.ts';
import { countRows, prepareTables } from './prepare.ts';
import { openReader } from './reader.ts';
import { readiness } from './readiness.ts';
import { awaitApplied } from './wal.ts';

const lookMs = 200;

/** The control connection, over HTTP. Opening it tries every way that runs on this target will need. */
export async function openSession(endpoint: Endpoint, signal: AbortSignal): Promise<Session> {
  const target = targetFrom(endpoint);
  const http = await httpTo(target);
  const look = (own: AbortSignal) => describeServer(http, target, endpoint.engine, own);
  try {
    await look(signal);
    await (await openReader(target, signal)).close();
  } catch (error) {
    http.close();
    throw error;
  }
  const counted = async (layout: Layout, own: AbortSignal) => {
    const now = await countRows(http, layout.tables, own);
    return Object.fromEntries(
      Object.entries(now).map(([table, rows]) => [table, rows - (layout.rowsBefore[table] ?? 0)]),
    );
  };
  const layoutOf = (prepared: Prepared) => layoutSchema.parse(prepared.driver);
  return {
    describe: (own) => look(own),
    readiness: (own) => readiness(http, own),
    async tablesThere(dataset, own) {
      const names = dataset.tables.map(({ name }) => name);
      return (await existing(http, names, own)).map(({ name }) => name);
    },
    prepare: (dataset, options, own) => prepareTables(http, dataset, options, own),
    // Each row has its tags.
    writeDevices: async () => undefined,
    async awaitVisible(prepared, rows, tell, own) {
      const layout = layoutOf(prepared);
      const present = async () =>
        Object.values(await counted(layout, own)).reduce((sum, count) => sum + count, 0);
      let [before, moved] = [-1, performance.now()];
      for (;;) {
        if (layout.wal) {
          const missing = await awaitApplied(
            http,
            { tables: layout.tables, patienceMs: layout.visibleMs },
            own,
          );
          if (missing !== null) return { missing };
        }
        // Over TCP the server commits when it sees fit: an applied WAL is not all of it.
        const there = await present();
        tell(Math.min(1, rows === 0 ? 1 : there / rows));
        if (there >= rows) return { missing: null };
        // Everything acknowledged is applied: nothing more will come.
        if (layout.transport === 'http')
          return {
            missing: `${formatCount(rows - there)} of ${formatCount(rows)} acknowledged rows are no rows of the tables, although the WAL is applied${layout.deduplicate ? ' (rows alike in time and tags are one, as the plan asks)' : ''}`,
          };
        if (there !== before) [before, moved] = [there, performance.now()];
        if (performance.now() - moved > layout.visibleMs)
          return {
            missing: `${formatCount(rows - there)} of ${formatCount(rows)} rows that went into the sockets did not appear`,
          };
        await pause(lookMs, undefined, { signal: own }).catch(() => {
          throw cancelled();
        });
      }
    },
    count: (prepared, own) => counted(layoutOf(prepared), own),
    drop: (prepared, own) => dropOurs(http, layoutOf(prepared).tables, own),
    async close() {
      http.close();
    },
  };
}
