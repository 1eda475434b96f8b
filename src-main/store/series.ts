import { z } from 'zod';
import { type HealthSample, healthSampleSchema } from '../../src-shared/model/host.ts';
import { type RunEvent, runEventSchema } from '../../src-shared/model/run.ts';
import {
  type ServerSample,
  serverSampleSchema,
  serverWatchSchema,
} from '../../src-shared/model/telemetry.ts';
import { type Tick, tickSchema } from '../../src-shared/model/tick.ts';
import type { Connection } from './database.ts';
import { firstIssue, jsonColumn, type Report } from './json.ts';
import type { RunRepository, TickHistograms } from './repositories.ts';

/** The whole schema, since it costs little: about 10 µs a tick, 40 ms for the 3,600 of an hour with six operations each. */
const tickColumn = jsonColumn(tickSchema);
const healthColumn = jsonColumn(healthSampleSchema);
const serverColumn = jsonColumn(serverSampleSchema);
const watchColumn = jsonColumn(serverWatchSchema);
const eventRow = z
  .object({ run_id: z.string(), at_ms: z.number(), kind: z.string(), text: z.string() })
  .transform(({ run_id, at_ms, ...rest }) => ({ runId: run_id, atMs: at_ms, ...rest }))
  .pipe(runEventSchema);
const histogramRow = z.object({
  seq: z.int(),
  operation: z.string(),
  latency: z.string().nullable(),
  service: z.string().nullable(),
});

const thinnableRows = z.array(
  z.object({ id: z.string(), ticks: z.int().positive(), bytes: z.number().nonnegative() }),
);

/** What lies on a run's time axis. */
export type SeriesRepository = Pick<
  RunRepository,
  | 'appendTick'
  | 'appendEvent'
  | 'appendHealth'
  | 'appendServer'
  | 'keepServerWatch'
  | 'series'
  | 'health'
  | 'histograms'
  | 'replaceSeconds'
  | 'thinnable'
>;

export function seriesRepository(db: Connection, report: Report): SeriesRepository {
  function writeTick(tick: Tick, histograms: readonly TickHistograms[]): void {
    db.run('INSERT INTO tick VALUES (?, ?, ?)', tick.runId, tick.seq, JSON.stringify(tick));
    for (const { operation, latency, service } of histograms) {
      db.run(
        'INSERT INTO histogram VALUES (?, ?, ?, ?, ?, ?)',
        tick.runId,
        tick.phase,
        tick.seq,
        operation,
        latency,
        service,
      );
    }
  }

  function appendTick(tick: Tick, histograms: readonly TickHistograms[]): void {
    db.transaction(() => writeTick(tick, histograms));
  }

  const replaceSeconds: RunRepository['replaceSeconds'] = (id, seconds) =>
    db.transaction(() => {
      db.run('DELETE FROM tick WHERE run_id = ?', id);
      db.run('DELETE FROM histogram WHERE run_id = ?', id);
      for (const { tick, histograms } of seconds) writeTick({ ...tick, runId: id }, histograms);
      db.run('UPDATE run SET thinned = 1 WHERE id = ?', id);
    });

  const thinnable: RunRepository['thinnable'] = (startedBefore) =>
    thinnableRows.parse(
      db.all(
        `SELECT id, count(*) AS ticks, sum(octet_length(tick)) + (
           SELECT coalesce(sum(octet_length(coalesce(latency, '')) + octet_length(coalesce(service, ''))), 0)
           FROM histogram WHERE histogram.run_id = id
         ) AS bytes
         FROM run JOIN tick ON tick.run_id = id
         WHERE deleted_at IS NULL AND thinned = 0 AND started_at < ? AND status NOT IN ('preparing', 'running')
         GROUP BY id ORDER BY started_at, id`,
        startedBefore,
      ),
    );

  function appendEvent(event: RunEvent): void {
    db.run(
      'INSERT INTO run_event (run_id, at_ms, kind, text) VALUES (?, ?, ?, ?)',
      event.runId,
      event.atMs,
      event.kind,
      event.text,
    );
  }

  function appendHealth(id: string, sample: HealthSample): void {
    db.run('INSERT INTO health (run_id, sample) VALUES (?, ?)', id, JSON.stringify(sample));
  }

  function appendServer(id: string, sample: ServerSample): void {
    db.run('INSERT INTO server_sample (run_id, sample) VALUES (?, ?)', id, JSON.stringify(sample));
  }

  const keepServerWatch: RunRepository['keepServerWatch'] = (id, watch) =>
    db.update('run_body', 'run_id', id, { server_watch: JSON.stringify(watch) });

  const healthRows = (id: string) =>
    readable(db.column('SELECT sample FROM health WHERE run_id = ? ORDER BY position', id), healthColumn);

  function series(id: string): ReturnType<RunRepository['series']> {
    const ticks = readable(db.column('SELECT tick FROM tick WHERE run_id = ? ORDER BY seq', id), tickColumn);
    const events = readable(
      db.all('SELECT run_id, at_ms, kind, text FROM run_event WHERE run_id = ? ORDER BY at_ms, position', id),
      eventRow,
    );
    const health = healthRows(id);
    const server = readable(
      db.column('SELECT sample FROM server_sample WHERE run_id = ? ORDER BY position', id),
      serverColumn,
    );
    const watch = readable(
      db.column('SELECT server_watch FROM run_body WHERE run_id = ? AND server_watch IS NOT NULL', id),
      watchColumn,
    );
    const gaps = [
      ticks.bad > 0 && `${ticks.bad} of ${ticks.all} snapshots of this run cannot be read: ${ticks.issue}`,
      events.bad > 0 && `${events.bad} of ${events.all} events of this run cannot be read: ${events.issue}`,
      health.bad > 0 &&
        `${health.bad} of ${health.all} health samples of this run cannot be read: ${health.issue}`,
      server.bad > 0 &&
        `${server.bad} of ${server.all} samples of the server in this run cannot be read: ${server.issue}`,
      watch.bad > 0 && `What the server's telemetry told of this run cannot be read: ${watch.issue}`,
    ].filter((text) => text !== false);
    for (const text of gaps) report(`${text} (run ${id})`);
    return {
      ticks: ticks.good,
      // Said on the run's own event list too: figures drawn with a gap must not look whole.
      events: [
        ...gaps.map((text): RunEvent => ({ runId: id, atMs: 0, kind: 'error', text })),
        ...events.good,
      ],
      health: health.good,
      server: server.good,
      serverWatch: watch.good[0] ?? null,
    };
  }

  function histograms(id: string, phase: number) {
    const rows = readable(
      db.all(
        'SELECT seq, operation, latency, service FROM histogram WHERE run_id = ? AND phase = ? ORDER BY seq, operation',
        id,
        phase,
      ),
      histogramRow,
    );
    if (rows.bad > 0)
      report(`${rows.bad} of ${rows.all} histograms of run ${id} cannot be read: ${rows.issue}`);
    return rows.good;
  }

  return {
    appendTick,
    appendEvent,
    appendHealth,
    appendServer,
    keepServerWatch,
    series,
    health: (id) => healthRows(id).good,
    histograms,
    replaceSeconds,
    thinnable,
  };
}

/** Parses each row; bad ones are counted, the first one's trouble told. */
function readable<S extends z.ZodType>(rows: readonly unknown[], schema: S) {
  const good: z.output<S>[] = [];
  let bad = 0;
  let issue = '';
  for (const row of rows) {
    const parsed = schema.safeParse(row);
    if (parsed.success) good.push(parsed.data);
    else {
      if (bad === 0) issue = firstIssue(parsed.error);
      bad += 1;
    }
  }
  return { good, bad, all: rows.length, issue };
}
