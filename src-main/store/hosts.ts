import { z } from 'zod';
import { AppError } from '../../src-shared/errors.ts';
import {
  datedChecksSchema,
  hostAuthSchema,
  hostKeySchema,
  hostSchema,
  inventorySchema,
} from '../../src-shared/model/host.ts';
import type { Connection, Row } from './database.ts';
import { firstIssue, jsonColumn, type Report } from './json.ts';
import type { HostRepository, StoredHost } from './repositories.ts';

const columns =
  'id, name, address, port, user, auth, host_key AS hostKey, host_group AS "group", inventory, gate, measured, created_at AS createdAt';

const rowSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    address: z.string(),
    port: z.number(),
    user: z.string(),
    auth: jsonColumn(hostAuthSchema),
    hostKey: z.union([z.null(), jsonColumn(hostKeySchema)]),
    group: z.string().nullable(),
    // What is of an older form is read anew from the host; it never hides the host.
    inventory: z.union([z.null(), jsonColumn(inventorySchema)]).catch(null),
    gate: z.union([z.null(), jsonColumn(datedChecksSchema)]).catch(null),
    measured: z.union([z.null(), jsonColumn(datedChecksSchema)]).catch(null),
    createdAt: z.string(),
  })
  .pipe(hostSchema.omit({ hasSecret: true }));

export function hostRepository(db: Connection, report: Report, now: () => Date): HostRepository {
  function read(row: unknown): StoredHost[] {
    const parsed = rowSchema.safeParse(row);
    if (parsed.success) return [parsed.data];
    const { name } = z.object({ name: z.unknown() }).parse(row);
    report(
      `The saved host ${JSON.stringify(name)} cannot be read (${firstIssue(parsed.error)}). It is kept in the data file.`,
    );
    return [];
  }

  function get(id: string): StoredHost | null {
    const row = db.get(`SELECT ${columns} FROM host WHERE id = ? AND deleted_at IS NULL`, id);
    return row === undefined ? null : (read(row)[0] ?? null);
  }

  function refuseTaken(id: string, name: string): void {
    const other = db.get(
      'SELECT 1 FROM host WHERE name = ? COLLATE NOCASE AND id <> ? AND deleted_at IS NULL',
      name,
      id,
    );
    if (other === undefined) return;
    throw new AppError({
      code: 'bad-input',
      message: `There is a host named ${JSON.stringify(name)} already`,
      place: { field: 'name' },
      hint: 'Choose another name.',
    });
  }

  return {
    list: () =>
      db
        .all(`SELECT ${columns} FROM host WHERE deleted_at IS NULL ORDER BY name COLLATE NOCASE`)
        .flatMap(read),
    get,
    save: (host) =>
      db.transaction(() => {
        refuseTaken(host.id, host.name);
        if (db.update('host', 'id', host.id, hostRow(host)) === 0) {
          db.insert('host', { id: host.id, ...hostRow(host) });
        }
      }),
    seen(id, inventory) {
      db.update('host', 'id', id, { inventory: JSON.stringify(inventory) });
    },
    checked(id, which, checks) {
      db.update('host', 'id', id, { [which]: JSON.stringify(checks) });
    },
    remove(id) {
      db.update('host', 'id', id, { deleted_at: now().toISOString() });
    },
    restore: (id) =>
      db.transaction(() => {
        const name = db.column('SELECT name FROM host WHERE id = ?', id)[0];
        if (typeof name === 'string') refuseTaken(id, name);
        db.update('host', 'id', id, { deleted_at: null });
        return get(id);
      }),
  };
}

function hostRow(host: StoredHost): Row {
  return {
    name: host.name,
    address: host.address,
    port: host.port,
    user: host.user,
    auth: JSON.stringify(host.auth),
    host_key: host.hostKey && JSON.stringify(host.hostKey),
    host_group: host.group,
    inventory: host.inventory && JSON.stringify(host.inventory),
    gate: host.gate && JSON.stringify(host.gate),
    measured: host.measured && JSON.stringify(host.measured),
    created_at: host.createdAt,
  };
}
