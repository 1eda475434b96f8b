import { z } from 'zod';
import { AppError } from '../../src-shared/errors.ts';
import { targetSchema } from '../../src-shared/model/target.ts';
import type { Connection, Row } from './database.ts';
import { firstIssue, jsonColumn, type Report } from './json.ts';
import type { StoredTarget, TargetRepository } from './repositories.ts';

const columns = 'id, name, engine, connection, host_id, last_seen, last_seen_at, created_at';

const rowSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    engine: z.string(),
    connection: jsonColumn(targetSchema.shape.connection),
    host_id: z.string().nullable(),
    last_seen: z.union([z.null(), jsonColumn(targetSchema.shape.lastSeen)]),
    last_seen_at: z.string().nullable(),
    created_at: z.string(),
  })
  .transform((row) => ({
    id: row.id,
    name: row.name,
    engine: row.engine,
    connection: row.connection,
    hostId: row.host_id,
    lastSeen: row.last_seen,
    lastSeenAt: row.last_seen_at,
    createdAt: row.created_at,
  }))
  .pipe(targetSchema.omit({ builtIn: true, hasSecret: true }));

export function targetRepository(db: Connection, report: Report, now: () => Date): TargetRepository {
  function read(row: unknown): StoredTarget[] {
    const parsed = rowSchema.safeParse(row);
    if (parsed.success) return [parsed.data];
    const { name } = z.object({ name: z.unknown() }).parse(row);
    report(
      `The saved target ${JSON.stringify(name)} cannot be read (${firstIssue(parsed.error)}). It is kept in the data file.`,
    );
    return [];
  }

  function get(id: string): StoredTarget | null {
    const row = db.get(`SELECT ${columns} FROM target WHERE id = ? AND deleted_at IS NULL`, id);
    return row === undefined ? null : (read(row)[0] ?? null);
  }

  function refuseTaken(id: string, name: string): void {
    const other = db.get(
      'SELECT 1 FROM target WHERE name = ? COLLATE NOCASE AND id <> ? AND deleted_at IS NULL',
      name,
      id,
    );
    if (other === undefined) return;
    throw new AppError({
      code: 'bad-input',
      message: `There is a target named ${JSON.stringify(name)} already`,
      place: { field: 'name' },
      hint: 'Choose another name.',
    });
  }

  return {
    list: () =>
      db
        .all(`SELECT ${columns} FROM target WHERE deleted_at IS NULL ORDER BY name COLLATE NOCASE`)
        .flatMap(read),
    get,
    save: (target) =>
      db.transaction(() => {
        refuseTaken(target.id, target.name);
        if (db.update('target', 'id', target.id, targetRow(target)) === 0) {
          db.insert('target', { id: target.id, ...targetRow(target) });
        }
      }),
    seen(id, server, at) {
      db.update('target', 'id', id, { last_seen: JSON.stringify(server), last_seen_at: at });
    },
    remove(id) {
      db.update('target', 'id', id, { deleted_at: now().toISOString() });
    },
    restore: (id) =>
      db.transaction(() => {
        const name = db.column('SELECT name FROM target WHERE id = ?', id)[0];
        if (typeof name === 'string') refuseTaken(id, name);
        db.update('target', 'id', id, { deleted_at: null });
        return get(id);
      }),
  };
}

function targetRow(target: StoredTarget): Row {
  return {
    name: target.name,
    engine: target.engine,
    connection: JSON.stringify(target.connection),
    host_id: target.hostId,
    last_seen: target.lastSeen && JSON.stringify(target.lastSeen),
    last_seen_at: target.lastSeenAt,
    created_at: target.createdAt,
  };
}
