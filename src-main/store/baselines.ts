import { z } from 'zod';
import { type Baseline, baselineSchema } from '../../src-shared/model/baseline.ts';
import type { Connection } from './database.ts';
import { firstIssue, type Report } from './json.ts';
import type { BaselineRepository } from './repositories.ts';

const columns = 'plan, side, set_at AS setAt';

export function baselineRepository(db: Connection, report: Report, now: () => Date): BaselineRepository {
  function read(row: unknown): Baseline[] {
    const parsed = baselineSchema.safeParse(row);
    if (parsed.success) return [parsed.data];
    const { plan } = z.object({ plan: z.unknown() }).parse(row);
    report(
      `The baseline of the plan ${String(plan)} cannot be read (${firstIssue(parsed.error)}). It is kept in the data file.`,
    );
    return [];
  }

  return {
    list: () => db.all(`SELECT ${columns} FROM baseline ORDER BY plan`).flatMap(read),
    get(plan) {
      const row = db.get(`SELECT ${columns} FROM baseline WHERE plan = ?`, plan);
      return row === undefined ? null : (read(row)[0] ?? null);
    },
    set(plan, side) {
      const baseline = { plan, side, setAt: now().toISOString() };
      db.run(
        'INSERT OR REPLACE INTO baseline (plan, side, set_at) VALUES (?, ?, ?)',
        plan,
        side,
        baseline.setAt,
      );
      return baseline;
    },
    clear(plan) {
      db.run('DELETE FROM baseline WHERE plan = ?', plan);
    },
  };
}
