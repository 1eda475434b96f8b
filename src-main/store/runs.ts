import { z } from 'zod';
import { AppError } from '../../src-shared/errors.ts';
import { printedSchema } from '../../src-shared/model/printed.ts';
import { type Run, runHeadSchema, runSchema } from '../../src-shared/model/run.ts';
import { adoption } from './adopt.ts';
import type { Connection, Row } from './database.ts';
import { facetRepository, keepFacets, whereOf } from './facets.ts';
import { firstIssue, jsonColumn, type Report } from './json.ts';
import type { RunOwner, RunRepository } from './repositories.ts';
import { headColumns, headFigures, headRow, parseHead, readHeadOrRemains } from './runHead.ts';
import { seriesRepository } from './series.ts';

const bodySchema = z.object({
  plan: jsonColumn(runSchema.shape.plan),
  resolved_steps: jsonColumn(runSchema.shape.resolvedSteps),
  seed: z.number().nullable(),
  client: jsonColumn(runSchema.shape.client),
  server: z.union([z.null(), jsonColumn(runSchema.shape.server)]),
  host: z.union([z.null(), jsonColumn(runSchema.shape.host)]),
  phases: jsonColumn(runSchema.shape.phases),
  error: z.union([z.null(), jsonColumn(runSchema.shape.error)]),
  printed: z.union([z.null(), jsonColumn(printedSchema)]),
});

const ownerRows = z.array(
  z.object({ id: z.string(), name: z.string(), pid: z.number(), startedAt: z.number() }),
);

export function runRepository(db: Connection, report: Report, now: () => Date): RunRepository {
  const create: RunRepository['create'] = (run, owner, isAlive) => {
    db.transaction(() => {
      if (isAlive) refuseBeside(owner, isAlive);
      db.insert('run', {
        id: run.id,
        ...headRow({ ...run, ...headFigures(run) }, run.plan.name),
        owner_pid: owner.pid,
        owner_started_at: owner.startedAt,
      });
      db.insert('run_body', {
        run_id: run.id,
        plan: JSON.stringify(run.plan),
        resolved_steps: JSON.stringify(run.resolvedSteps),
        seed: run.seed,
        client: JSON.stringify(run.client),
        printed: run.printed === undefined ? null : JSON.stringify(run.printed),
        ...changingParts(run),
      });
      keepFacets(db, run);
    });
  };

  function refuseBeside(owner: RunOwner, isAlive: (owner: RunOwner) => boolean): void {
    const other = active().find(
      ({ pid, startedAt }) =>
        (pid !== owner.pid || startedAt !== owner.startedAt) && isAlive({ pid, startedAt }),
    );
    if (other === undefined) return;
    throw new AppError({
      code: 'run-active',
      message: `${other.name} is running in another Benchberry process (${other.pid}): a second run would disturb its figures`,
      hint: 'Stop it there, or wait until it has ended.',
    });
  }

  const update: RunRepository['update'] = (id, patch) =>
    db.transaction(() => {
      const before = get(id);
      if (!before) throw noSuchRun(id);
      const run = { ...before, ...patch };
      const head = runHeadSchema.parse({ ...run, ...headFigures(run) });
      db.update('run', 'id', id, headRow(head, run.plan.name));
      db.update('run_body', 'run_id', id, changingParts(run));
      keepFacets(db, run);
      return head;
    });

  function get(id: string): Run | null {
    const row = db.get(`SELECT ${headColumns} FROM run WHERE id = ? AND deleted_at IS NULL`, id);
    if (row === undefined) return null;
    const head = parseHead(row);
    if ('issue' in head) throw unreadable(id, head.issue);
    const parsed = bodySchema.safeParse(db.get('SELECT * FROM run_body WHERE run_id = ?', id));
    if (!parsed.success) throw unreadable(id, firstIssue(parsed.error));
    const { resolved_steps, printed, ...body } = parsed.data;
    return {
      ...head.head,
      ...body,
      resolvedSteps: resolved_steps,
      ...(printed !== null && { printed }),
    };
  }

  const list: RunRepository['list'] = ({ terms, limit }) => {
    const { sql, values } = whereOf(terms);
    return db
      .all(
        `SELECT ${headColumns} FROM run WHERE ${sql} ORDER BY started_at DESC, id LIMIT ?`,
        ...values,
        limit,
      )
      .map((row) => readHeadOrRemains(row, report));
  };

  function setDeleted(ids: readonly string[], at: string | null): void {
    db.transaction(() => {
      for (const id of ids) db.run('UPDATE run SET deleted_at = ? WHERE id = ?', at, id);
    });
  }

  function remove(ids: readonly string[]): void {
    const active = ids.filter(
      (id) =>
        db.get(`SELECT 1 FROM run WHERE id = ? AND status IN ('preparing', 'running')`, id) !== undefined,
    );
    if (active.length > 0) {
      throw new AppError({
        code: 'run-active',
        message: 'A run that is on cannot be deleted',
        hint: 'Stop it first.',
      });
    }
    setDeleted(ids, now().toISOString());
  }

  const active = () =>
    ownerRows.parse(
      db.all(
        `SELECT id, name, owner_pid AS pid, owner_started_at AS startedAt FROM run WHERE status IN ('preparing', 'running')`,
      ),
    );

  const orphans: RunRepository['orphans'] = (isAlive) =>
    active()
      .filter(({ pid, startedAt }) => !isAlive({ pid, startedAt }))
      .map((row) => row.id)
      .filter(readable);

  /** A run that cannot be read can be neither ended nor opened; it is reported and stays as it is. */
  function readable(id: string): boolean {
    try {
      return get(id) !== null;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      report(`${error.message}: ${error.detail ?? ''}`);
      return false;
    }
  }

  const restore: RunRepository['restore'] = (ids) => setDeleted(ids, null);
  const series = seriesRepository(db, report);
  return {
    create,
    adopt: adoption(db, { create, restore, ...series }),
    update,
    get,
    list,
    remove,
    restore,
    orphans,
    ...facetRepository(db, now),
    ...series,
  };
}

/** The parts of a run that change while it goes on, as columns. */
function changingParts(run: Pick<Run, 'server' | 'host' | 'phases' | 'error'>): Row {
  return {
    server: run.server && JSON.stringify(run.server),
    host: run.host && JSON.stringify(run.host),
    phases: JSON.stringify(run.phases),
    error: run.error && JSON.stringify(run.error),
  };
}

function noSuchRun(id: string): AppError {
  return new AppError({ code: 'not-found', message: `There is no run ${id}` });
}

function unreadable(id: string, detail: string): AppError {
  return new AppError({
    code: 'store-damaged',
    message: `The stored data of run ${id} cannot be read`,
    detail,
    hint: 'It is kept as it is; other runs are not touched.',
  });
}
