import { z } from 'zod';
import { provisioningSchema } from '../../src-shared/model/provision.ts';
import type { Connection } from './database.ts';
import { firstIssue, jsonColumn, type Report } from './json.ts';
import type { ProvisioningRepository, StoredProvisioning } from './repositories.ts';

const savedSchema = z.record(
  z.string(),
  z.object({ state: z.record(z.string(), z.unknown()), undo: z.string().nullable() }),
);
const rowSchema = z.object({ provisioning: jsonColumn(provisioningSchema), saved: jsonColumn(savedSchema) });

export function provisioningRepository(db: Connection, report: Report): ProvisioningRepository {
  function read(row: unknown): StoredProvisioning[] {
    const parsed = rowSchema.safeParse(row);
    if (parsed.success) return [parsed.data];
    const { id } = z.object({ id: z.unknown() }).parse(row);
    report(
      `What was set up on a host (${String(id)}) cannot be read (${firstIssue(parsed.error)}). It is kept in the data file.`,
    );
    return [];
  }
  return {
    list: (hostId) =>
      db
        .all(
          'SELECT id, provisioning, saved FROM provisioning WHERE host_id = ? ORDER BY updated_at DESC, id',
          hostId,
        )
        .flatMap(read),
    get(id) {
      const row = db.get('SELECT id, provisioning, saved FROM provisioning WHERE id = ?', id);
      return row === undefined ? null : (read(row)[0] ?? null);
    },
    save({ provisioning, saved }) {
      const row = {
        host_id: provisioning.hostId,
        updated_at: provisioning.updatedAt,
        provisioning: JSON.stringify(provisioning),
        saved: JSON.stringify(saved),
      };
      db.transaction(() => {
        if (db.update('provisioning', 'id', provisioning.id, row) === 0) {
          db.insert('provisioning', { id: provisioning.id, ...row });
        }
      });
    },
  };
}
