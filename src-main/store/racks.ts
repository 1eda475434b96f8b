import { z } from 'zod';
import { type RackRun, rackRunSchema } from '../../src-shared/model/rack.ts';
import type { Connection, Row } from './database.ts';
import { firstIssue, jsonColumn, type Report } from './json.ts';
import type { RackRepository } from './repositories.ts';

const columns = 'id, rack, started_at AS startedAt, ended_at AS endedAt, plan, at_once AS atOnce, members';

const rowSchema = z.object({
  ...rackRunSchema.shape,
  plan: jsonColumn(rackRunSchema.shape.plan),
  atOnce: z.number().transform((value) => value === 1),
  members: jsonColumn(rackRunSchema.shape.members),
});

export function rackRepository(db: Connection, report: Report): RackRepository {
  function read(row: unknown): RackRun[] {
    const parsed = rowSchema.safeParse(row);
    if (parsed.success) return [parsed.data];
    const { id } = z.object({ id: z.unknown() }).parse(row);
    report(
      `A benchmark of a rack (${String(id)}) cannot be read (${firstIssue(parsed.error)}). It is kept in the data file, and so are its runs.`,
    );
    return [];
  }

  function get(id: string): RackRun | null {
    const row = db.get(`SELECT ${columns} FROM rack_run WHERE id = ?`, id);
    return row === undefined ? null : (read(row)[0] ?? null);
  }

  function write(run: RackRun): void {
    if (db.update('rack_run', 'id', run.id, rackRow(run)) === 0) {
      db.insert('rack_run', { id: run.id, ...rackRow(run) });
    }
  }

  return {
    list: (rack) =>
      db
        .all(
          `SELECT ${columns} FROM rack_run
          WHERE (? IS NULL OR rack = ?) AND (ended_at IS NULL OR EXISTS
            (SELECT 1 FROM run WHERE run_group = rack_run.id AND deleted_at IS NULL))
          ORDER BY started_at DESC, id`,
          rack,
          rack,
        )
        .flatMap(read),
    get,
    save: (run) => db.transaction(() => write(run)),
    change: (id, change) =>
      db.transaction(() => {
        const before = get(id);
        if (before === null) return null;
        const after = change(before);
        write(after);
        return after;
      }),
    endOrphans(at) {
      db.run(
        `UPDATE rack_run SET ended_at = ? WHERE ended_at IS NULL AND NOT EXISTS
          (SELECT 1 FROM run WHERE run_group = rack_run.id AND status IN ('preparing', 'running'))`,
        at,
      );
    },
  };
}

function rackRow(run: RackRun): Row {
  return {
    rack: run.rack,
    started_at: run.startedAt,
    ended_at: run.endedAt,
    plan: JSON.stringify(run.plan),
    at_once: run.atOnce ? 1 : 0,
    members: JSON.stringify(run.members),
  };
}
