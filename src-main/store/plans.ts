import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { planSchema, type SavedPlan } from '../../src-shared/model/plan.ts';
import type { Connection } from './database.ts';
import { firstIssue, jsonColumn, type Report } from './json.ts';
import type { PlanRepository } from './repositories.ts';

const rowSchema = z
  .object({ id: z.string(), plan: jsonColumn(planSchema), updated_at: z.iso.datetime() })
  .transform(({ id, plan, updated_at }): SavedPlan => ({ id, sample: false, plan, updatedAt: updated_at }));

export function planRepository(db: Connection, report: Report, now: () => Date): PlanRepository {
  function read(row: unknown): SavedPlan[] {
    const parsed = rowSchema.safeParse(row);
    if (parsed.success) return [parsed.data];
    const { id } = z.object({ id: z.unknown() }).parse(row);
    report(
      `The saved plan ${String(id)} cannot be read (${firstIssue(parsed.error)}). It is kept in the data file.`,
    );
    return [];
  }

  function get(id: string): SavedPlan | null {
    const row = db.get('SELECT id, plan, updated_at FROM plan WHERE id = ? AND deleted_at IS NULL', id);
    return row === undefined ? null : (read(row)[0] ?? null);
  }

  return {
    list: () =>
      db
        .all('SELECT id, plan, updated_at FROM plan WHERE deleted_at IS NULL ORDER BY updated_at DESC, id')
        .flatMap(read),
    get,
    save(id, plan) {
      const saved = { id: id ?? randomUUID(), sample: false, plan, updatedAt: now().toISOString() };
      const row = { plan: JSON.stringify(plan), updated_at: saved.updatedAt };
      db.transaction(() => {
        if (db.update('plan', 'id', saved.id, row) === 0) db.insert('plan', { id: saved.id, ...row });
      });
      return saved;
    },
    remove(id) {
      db.update('plan', 'id', id, { deleted_at: now().toISOString() });
    },
    restore(id) {
      db.update('plan', 'id', id, { deleted_at: null });
      return get(id);
    },
  };
}
