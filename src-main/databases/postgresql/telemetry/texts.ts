/** In each statement, so that pg_stat_statements' list of a run can leave them out. */
export const marker = 'benchberry-telemetry';
const select = `SELECT /* ${marker} */`;

/** The statements of the telemetry, as this server's version knows its views. */
export interface Texts {
  /** Ten times a second. `$1`: application name of the run's sessions. */
  look: string;
  /** Once a second. */
  counters: string;
  /** Once a second while a session waits for a lock. `$1` as above. */
  queue: string;
  /** Every ten seconds. */
  sizes: string;
}

const epochMs = (time: string) => `(extract(epoch FROM ${time}) * 1000)::float8`;
const json = (query: string) => `(SELECT row_to_json(r) FROM (${query}) r)`;
const list = (query: string) => `(SELECT coalesce(json_agg(r), '[]'::json) FROM (${query}) r)`;

/** @param version `server_version_num`: 90600 and up */
export function textsFor(version: number): Texts {
  return {
    look: look(version),
    counters: `${select} ${epochMs('clock_timestamp()')} AS at, ${control(version)}, current_setting('block_size')::int AS block,
      ${json(checkpointer(version))} AS checkpointer, ${wal(version)} AS wal, ${json(walDetails(version))} AS "walDetails",
      ${json(database)} AS database, ${json(io(version))} AS io, ${list(autovacuum)} AS autovacuum FROM pg_control_checkpoint()`,
    queue: queue(version),
    sizes,
  };
}

/** Background processes are in pg_stat_activity from 10 on; their names are hidden from a user without pg_read_all_stats. */
function look(version: number): string {
  const ours = 'application_name = $1';
  const [who, others] =
    version >= 100_000
      ? [
          `CASE WHEN ${ours} THEN 'run' ELSE backend_type END`,
          "OR backend_type IN ('checkpointer', 'walwriter', 'background writer', 'autovacuum worker')",
        ]
      : ["'run'::text", ''];
  return `${select} ${epochMs('clock_timestamp()')} AS at, ${control(version)},
    ${list(`SELECT ${who} AS who, coalesce(state, '') AS state, wait_event_type AS type, wait_event AS event, count(*)::int AS n
      FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND (${ours} ${others}) GROUP BY 1, 2, 3, 4`)} AS sessions
    FROM pg_control_checkpoint()`;
}

/** The last checkpoint that is complete, as the control file names it. */
function control(version: number): string {
  const lsn = version >= 100_000 ? 'checkpoint_lsn' : 'checkpoint_location';
  return `${lsn}::text AS checkpoint, ${epochMs('checkpoint_time')} AS started`;
}

function checkpointer(version: number): string {
  if (version >= 170_000) {
    const done = version >= 180_000 ? 'c.num_done' : 'NULL::bigint';
    return `SELECT c.num_timed AS timed, c.num_requested AS requested, ${done} AS done, c.write_time AS "writeMs",
      c.sync_time AS "syncMs", c.buffers_written AS buffers, b.buffers_clean AS cleaned, NULL::bigint AS backend
      FROM pg_stat_checkpointer c, pg_stat_bgwriter b`;
  }
  return `SELECT checkpoints_timed AS timed, checkpoints_req AS requested, NULL::bigint AS done, checkpoint_write_time AS "writeMs",
    checkpoint_sync_time AS "syncMs", buffers_checkpoint AS buffers, buffers_clean AS cleaned, buffers_backend AS backend
    FROM pg_stat_bgwriter`;
}

/** Where the log of changes has come to, in bytes. */
function wal(version: number): string {
  const [diff, replayed, current] =
    version >= 100_000
      ? ['pg_wal_lsn_diff', 'pg_last_wal_replay_lsn', 'pg_current_wal_lsn']
      : ['pg_xlog_location_diff', 'pg_last_xlog_replay_location', 'pg_current_xlog_location'];
  return `${diff}(CASE WHEN pg_is_in_recovery() THEN ${replayed}() ELSE ${current}() END, '0/0')::float8`;
}

function walDetails(version: number): string {
  return version >= 140_000
    ? 'SELECT wal_records AS records, wal_fpi AS "fullPageImages", wal_buffers_full AS "buffersFull" FROM pg_stat_wal'
    : 'SELECT 1 WHERE false';
}

const database = `SELECT xact_commit AS commits, xact_rollback AS rollbacks, blks_read AS "blocksRead", blks_hit AS "blocksHit",
  temp_files AS "tempFiles", temp_bytes AS "tempBytes", deadlocks, tup_returned AS "rowsReturned", tup_fetched AS "rowsFetched",
  tup_inserted AS "rowsInserted", tup_updated AS "rowsUpdated", tup_deleted AS "rowsDeleted"
  FROM pg_stat_database WHERE datname = current_database()`;

/** 16 and 17 count blocks of `op_bytes`, 18 counts bytes. */
function io(version: number): string {
  if (version < 160_000) return 'SELECT 1 WHERE false';
  const bytes = (what: string) =>
    version >= 180_000 ? `coalesce(${what}_bytes, 0)` : `coalesce(${what}s * op_bytes, 0)`;
  const sum = (what: string, who: string) => `coalesce(sum(${what}) FILTER (WHERE ${who}), 0)::float8`;
  return `SELECT sum(${bytes('read')})::float8 AS "readBytes",
    ${sum(bytes('write'), "backend_type = 'checkpointer'")} AS "checkpointerBytes",
    ${sum(bytes('write'), "backend_type = 'background writer'")} AS "backgroundWriterBytes",
    ${sum(`${bytes('write')} + ${bytes('extend')}`, "backend_type IN ('client backend', 'background worker')")} AS "backendBytes",
    coalesce(sum(evictions), 0)::float8 AS evictions FROM pg_stat_io WHERE object = 'relation'`;
}

/** A worker's text says what it does to which table; hidden from a user without pg_read_all_stats. */
const autovacuum = `SELECT a.query AS what, p.phase FROM pg_stat_activity a LEFT JOIN pg_stat_progress_vacuum p USING (pid)
  WHERE a.query LIKE 'autovacuum: %' AND a.datname = current_database()`;

function queue(version: number): string {
  const since = version >= 140_000 ? 'coalesce(l.waitstart, a.query_start)' : 'a.query_start';
  return `${select} w.*, (SELECT coalesce(json_agg(json_build_object('pid', b.pid, 'application', coalesce(b.application_name, ''),
      'state', coalesce(b.state, ''))), '[]'::json) FROM pg_stat_activity b WHERE b.pid = ANY(pg_blocking_pids(w.pid))) AS by
    FROM (SELECT (count(*) OVER ())::int AS total, l.pid, l.locktype AS lock, l.mode,
        CASE WHEN l.database = d.oid THEN l.relation::regclass::text END AS relation,
        greatest(0, coalesce(${epochMs(`clock_timestamp() - ${since}`)}, 0)) AS "waitedMs"
      FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid JOIN pg_database d ON d.datname = current_database()
      WHERE NOT l.granted AND a.application_name = $1 ORDER BY 6 DESC LIMIT 5) w`;
}

/** Chunks and partitions are counted with the table that they belong to. */
const sizes = `${select} pg_database_size(current_database())::float8 AS "databaseBytes",
  ${list(`SELECT coalesce(i.inhparent, c.oid)::regclass::text AS name, sum(pg_table_size(c.oid))::float8 AS "tableBytes",
      sum(pg_indexes_size(c.oid))::float8 AS "indexBytes"
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace LEFT JOIN pg_inherits i ON i.inhrelid = c.oid
    WHERE c.relkind IN ('r', 'm') AND n.nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast', '_timescaledb_catalog',
      '_timescaledb_config', '_timescaledb_cache') AND c.relpersistence <> 't'
    GROUP BY 1 ORDER BY sum(pg_table_size(c.oid) + pg_indexes_size(c.oid)) DESC LIMIT 8`)} AS tables`;
