import { z } from 'zod';
import { type RunSeries, runSeriesSchema } from '../../src-shared/model/runSeries.ts';
import type { Connection, Row } from './database.ts';
import { firstIssue, jsonColumn, type Report } from './json.ts';
import type { RunOwner, RunSeriesRepository } from './repositories.ts';

const rowSchema = z.object({
  series: jsonColumn(runSeriesSchema),
  pid: z.number().nullable(),
  startedAt: z.number().nullable(),
  leftOut: jsonColumn(z.record(z.string(), z.string())),
});
/** A run that was left out says so itself. */
const columns = `id, series, owner_pid AS pid, owner_started_at AS startedAt,
  (SELECT json_group_object(run.id, run.left_out) FROM run
    WHERE run.run_group = run_series.id AND run.left_out IS NOT NULL) AS leftOut`;

interface Stored {
  series: RunSeries;
  owner: RunOwner | null;
}

export function runSeriesRepository(db: Connection, report: Report): RunSeriesRepository {
  function read(row: unknown): Stored[] {
    const parsed = rowSchema.safeParse(row);
    if (parsed.success) {
      const { series, pid, startedAt, leftOut } = parsed.data;
      const members = series.members.map((member) => ({
        ...member,
        leftOut: leftOut[member.runIds.at(-1) ?? ''] ?? null,
      }));
      return [
        {
          series: { ...series, members },
          owner: pid === null || startedAt === null ? null : { pid, startedAt },
        },
      ];
    }
    const { id } = z.object({ id: z.unknown() }).parse(row);
    report(
      `A series of runs (${String(id)}) cannot be read (${firstIssue(parsed.error)}). It is kept in the data file, and so are its runs.`,
    );
    return [];
  }

  function find(id: string): Stored | null {
    const row = db.get(`SELECT ${columns} FROM run_series WHERE id = ?`, id);
    return row === undefined ? null : (read(row)[0] ?? null);
  }

  function write(series: RunSeries, owner: RunOwner | null): void {
    const row: Row = {
      started_at: series.startedAt,
      ended_at: series.endedAt,
      series: JSON.stringify(series),
      owner_pid: owner?.pid ?? null,
      owner_started_at: owner?.startedAt ?? null,
    };
    if (db.update('run_series', 'id', series.id, row) === 0)
      db.insert('run_series', { id: series.id, ...row });
  }

  return {
    list: () =>
      db
        .all(
          `SELECT ${columns} FROM run_series
          WHERE ended_at IS NULL OR EXISTS
            (SELECT 1 FROM run WHERE run_group = run_series.id AND deleted_at IS NULL)
          ORDER BY started_at DESC, id`,
        )
        .flatMap(read)
        .map(({ series }) => series),
    get: (id) => find(id)?.series ?? null,
    save: (series, owner) =>
      db.transaction(() => {
        write(series, owner);
        db.update('run_series', 'id', series.id, { stop_asked: 0 });
      }),
    askStop: (id) => void db.update('run_series', 'id', id, { stop_asked: 1 }),
    stopAsked: (id) => db.column('SELECT id FROM run_series WHERE id = ? AND stop_asked = 1', id).length > 0,
    change: (id, change) =>
      db.transaction(() => {
        const before = find(id);
        if (before === null) return null;
        const after = change(before.series);
        write(after, after.endedAt === null ? before.owner : null);
        return after;
      }),
    orphans: (isAlive) =>
      db
        .all(`SELECT ${columns} FROM run_series WHERE ended_at IS NULL`)
        .flatMap(read)
        .filter(({ owner }) => owner === null || !isAlive(owner))
        .map(({ series }) => series.id),
  };
}
