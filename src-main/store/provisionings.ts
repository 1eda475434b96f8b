import { z } from 'zod';
import { inventorySchema } from '../../src-shared/model/host.ts';
import { provisioningSchema } from '../../src-shared/model/provision.ts';
import type { Connection } from './database.ts';
import { firstIssue, jsonColumn, type Report } from './json.ts';
import type { ProvisioningRepository, StoredProvisioning } from './repositories.ts';

const savedSchema = z.record(
  z.string(),
  z.object({
    state: z.record(z.string(), z.unknown()),
    undo: z.string().nullable(),
    needsRoot: z.boolean(),
    bootId: z.string(),
    applied: z.boolean().optional(),
  }),
);
const columns = 'id, provisioning, saved, inventory, owner_pid, owner_started_at';
const rowSchema = z
  .object({
    provisioning: jsonColumn(provisioningSchema),
    saved: jsonColumn(savedSchema),
    inventory: jsonColumn(inventorySchema),
    owner_pid: z.number().nullable(),
    owner_started_at: z.number().nullable(),
  })
  .transform(
    ({
      provisioning,
      saved,
      inventory,
      owner_pid: pid,
      owner_started_at: startedAt,
    }): StoredProvisioning => ({
      provisioning,
      saved,
      host: inventory,
      owner: pid === null || startedAt === null ? null : { pid, startedAt },
    }),
  );

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
  const where = (condition: string, ...values: string[]) =>
    db
      .all(`SELECT ${columns} FROM provisioning WHERE ${condition} ORDER BY updated_at DESC, id`, ...values)
      .flatMap(read);
  return {
    list: (hostId) => where('host_id = ?', hostId),
    get: (id) => where('id = ?', id)[0] ?? null,
    orphans: (isAlive) =>
      where('owner_pid IS NOT NULL').filter(({ owner }) => owner !== null && !isAlive(owner)),
    save({ provisioning, saved, host, owner }) {
      const row = {
        host_id: provisioning.hostId,
        updated_at: provisioning.updatedAt,
        provisioning: JSON.stringify(provisioning),
        saved: JSON.stringify(saved),
        inventory: JSON.stringify(host),
        owner_pid: owner?.pid ?? null,
        owner_started_at: owner?.startedAt ?? null,
      };
      db.transaction(() => {
        if (db.update('provisioning', 'id', provisioning.id, row) === 0) {
          db.insert('provisioning', { id: provisioning.id, ...row });
        }
      });
    },
  };
}
