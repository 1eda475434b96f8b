/** One step of the file's history. Never changed after a release: a new need is a new entry at the end. */
export interface Migration {
  name: string;
  sql: string;
}

export const migrations: readonly Migration[] = [
  {
    name: '001 runs, ticks, targets, plans, settings',
    sql: `
      -- The head of a run is columns, so that a list of ten thousand reads no plan and no phase.
      CREATE TABLE run (
        id TEXT PRIMARY KEY,
        name TEXT NOT NULL,
        status TEXT NOT NULL,
        target_name TEXT NOT NULL,
        engine TEXT NOT NULL,
        server_label TEXT,
        started_at TEXT NOT NULL,
        ended_at TEXT,
        notes TEXT NOT NULL,
        rows_per_second REAL,
        rows INTEGER,
        p99_us REAL,
        run_group TEXT,
        tags TEXT NOT NULL,
        verdicts TEXT NOT NULL,
        -- What a search looks through, folded.
        haystack TEXT NOT NULL,
        owner_pid INTEGER NOT NULL,
        owner_started_at INTEGER NOT NULL,
        deleted_at TEXT
      );
      CREATE INDEX run_by_start ON run (started_at DESC) WHERE deleted_at IS NULL;
      CREATE TABLE run_body (
        run_id TEXT PRIMARY KEY REFERENCES run ON DELETE CASCADE,
        plan TEXT NOT NULL,
        resolved_steps TEXT NOT NULL,
        seed REAL,
        client TEXT NOT NULL,
        server TEXT,
        phases TEXT NOT NULL,
        error TEXT
      );
      -- One JSON text a tick: written whole once a second, read whole; nothing ever asks for a part of one.
      CREATE TABLE tick (
        run_id TEXT NOT NULL REFERENCES run ON DELETE CASCADE,
        seq INTEGER NOT NULL,
        tick TEXT NOT NULL,
        PRIMARY KEY (run_id, seq)
      ) WITHOUT ROWID;
      -- Apart from the ticks: only totals need them, and they are the larger part.
      CREATE TABLE histogram (
        run_id TEXT NOT NULL REFERENCES run ON DELETE CASCADE,
        phase INTEGER NOT NULL,
        seq INTEGER NOT NULL,
        operation TEXT NOT NULL,
        latency TEXT,
        service TEXT,
        PRIMARY KEY (run_id, phase, seq, operation)
      ) WITHOUT ROWID;
      CREATE TABLE run_event (
        position INTEGER PRIMARY KEY,
        run_id TEXT NOT NULL REFERENCES run ON DELETE CASCADE,
        at_ms REAL NOT NULL,
        kind TEXT NOT NULL,
        text TEXT NOT NULL
      );
      CREATE INDEX run_event_by_run ON run_event (run_id, at_ms);
      CREATE TABLE target (
        id TEXT PRIMARY KEY,
        name TEXT NOT NULL,
        engine TEXT NOT NULL,
        connection TEXT NOT NULL,
        last_seen TEXT,
        last_seen_at TEXT,
        created_at TEXT NOT NULL,
        deleted_at TEXT
      );
      CREATE UNIQUE INDEX target_name ON target (name COLLATE NOCASE) WHERE deleted_at IS NULL;
      CREATE TABLE plan (
        id TEXT PRIMARY KEY,
        plan TEXT NOT NULL,
        updated_at TEXT NOT NULL,
        deleted_at TEXT
      );
      CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL);
    `,
  },
  {
    name: '002 hosts and their provisioning',
    sql: `
      CREATE TABLE host (
        id TEXT PRIMARY KEY,
        name TEXT NOT NULL,
        address TEXT NOT NULL,
        port INTEGER NOT NULL,
        user TEXT NOT NULL,
        auth TEXT NOT NULL,
        host_key TEXT,
        host_group TEXT,
        inventory TEXT,
        created_at TEXT NOT NULL,
        deleted_at TEXT
      );
      CREATE UNIQUE INDEX host_name ON host (name COLLATE NOCASE) WHERE deleted_at IS NULL;
      CREATE TABLE provisioning (
        id TEXT PRIMARY KEY,
        host_id TEXT NOT NULL REFERENCES host ON DELETE CASCADE,
        updated_at TEXT NOT NULL,
        provisioning TEXT NOT NULL,
        -- What undo needs, by step: recorded before anything was changed.
        saved TEXT NOT NULL,
        -- The inventory that the plan was made from.
        inventory TEXT NOT NULL,
        -- The process that is at it; null when none is.
        owner_pid INTEGER,
        owner_started_at INTEGER
      );
      CREATE INDEX provisioning_by_host ON provisioning (host_id, updated_at DESC);
      ALTER TABLE target ADD COLUMN host_id TEXT;
    `,
  },
  {
    name: '003 health of a run',
    sql: `
      -- A JSON text a second, as with ticks. Not part of them: it comes from another machine at its own pace.
      CREATE TABLE health (
        position INTEGER PRIMARY KEY,
        run_id TEXT NOT NULL REFERENCES run ON DELETE CASCADE,
        sample TEXT NOT NULL
      );
      CREATE INDEX health_by_run ON health (run_id, position);
      ALTER TABLE run_body ADD COLUMN host TEXT;
    `,
  },
  {
    name: '004 transactions a second',
    sql: `
      ALTER TABLE run ADD COLUMN tps REAL;
    `,
  },
  {
    name: '005 what the gate and the checks said of a host',
    sql: `
      ALTER TABLE host ADD COLUMN gate TEXT;
      ALTER TABLE host ADD COLUMN measured TEXT;
    `,
  },
  {
    name: '006 racks',
    sql: `
      CREATE TABLE rack_run (
        -- The group of its runs.
        id TEXT PRIMARY KEY,
        rack TEXT NOT NULL,
        started_at TEXT NOT NULL,
        ended_at TEXT,
        plan TEXT NOT NULL,
        at_once INTEGER NOT NULL,
        -- Hosts with their runs, and which are left out of what they come to.
        members TEXT NOT NULL
      );
      CREATE INDEX rack_run_by_start ON rack_run (started_at DESC);
      CREATE INDEX run_by_group ON run (run_group) WHERE run_group IS NOT NULL;
    `,
  },
  {
    name: '007 what the server did beside a run',
    sql: `
      -- A JSON text a second, as with health: from a connection of its own, at its own pace.
      CREATE TABLE server_sample (
        position INTEGER PRIMARY KEY,
        run_id TEXT NOT NULL REFERENCES run ON DELETE CASCADE,
        sample TEXT NOT NULL
      );
      CREATE INDEX server_sample_by_run ON server_sample (run_id, position);
      ALTER TABLE run_body ADD COLUMN server_watch TEXT;
    `,
  },
  {
    name: '008 what runs are found by',
    sql: `
      ALTER TABLE run ADD COLUMN archived_at TEXT;
      -- One index for every key of a filter: engine, model of the Pi, version, tags, verdicts.
      CREATE TABLE run_facet (
        key TEXT NOT NULL,
        -- Folded; shown is as it was written.
        value TEXT NOT NULL,
        run_id TEXT NOT NULL REFERENCES run ON DELETE CASCADE,
        shown TEXT NOT NULL,
        PRIMARY KEY (key, value, run_id)
      ) WITHOUT ROWID;
      CREATE INDEX run_facet_by_run ON run_facet (run_id);
      INSERT OR IGNORE INTO run_facet SELECT 'engine', lower(engine), id, engine FROM run WHERE engine <> '';
      INSERT OR IGNORE INTO run_facet SELECT 'status', lower(status), id, status FROM run;
      INSERT OR IGNORE INTO run_facet SELECT 'target', lower(target_name), id, target_name FROM run WHERE target_name <> '';
      INSERT OR IGNORE INTO run_facet SELECT 'tag', lower(each.value), run.id, each.value
        FROM run, json_each(iif(json_valid(run.tags), run.tags, '[]')) AS each WHERE each.type = 'text';
      INSERT OR IGNORE INTO run_facet SELECT 'verdict', json_extract(each.value, '$.code'), run.id, json_extract(each.value, '$.code')
        FROM run, json_each(iif(json_valid(run.verdicts), run.verdicts, '[]')) AS each
        WHERE each.type = 'object' AND json_type(each.value, '$.code') = 'text';
      INSERT OR IGNORE INTO run_facet SELECT key, lower(value), run_id, value FROM (
        SELECT 'plan' AS key, json_extract(iif(json_valid(plan), plan, '{}'), '$.name') AS value, run_id FROM run_body
        UNION ALL
        SELECT 'version', json_extract(iif(json_valid(server), server, '{}'), '$.version'), run_id FROM run_body
        UNION ALL
        SELECT 'pi', json_extract(iif(json_valid(host), host, '{}'), '$.before.model.value'), run_id FROM run_body
      ) WHERE typeof(value) = 'text' AND value <> '';
    `,
  },
  {
    name: '009 series of runs',
    sql: `
      CREATE TABLE run_series (
        -- The group of its runs.
        id TEXT PRIMARY KEY,
        started_at TEXT NOT NULL,
        ended_at TEXT,
        -- Plan, targets, parameters, and each member with its runs and figures.
        series TEXT NOT NULL,
        -- The process that is at it; null when none is.
        owner_pid INTEGER,
        owner_started_at INTEGER
      );
      CREATE INDEX run_series_by_start ON run_series (started_at DESC);
    `,
  },
  {
    name: '010 runs that are left out of their group',
    sql: `
      ALTER TABLE run ADD COLUMN left_out TEXT;
    `,
  },
  {
    name: '011 figures that were printed elsewhere',
    sql: `
      ALTER TABLE run_body ADD COLUMN printed TEXT;
    `,
  },
  {
    name: '012 a series may be stopped by another process',
    sql: `
      ALTER TABLE run_series ADD COLUMN stop_asked INTEGER NOT NULL DEFAULT 0;
    `,
  },
  {
    name: '013 baselines',
    sql: `
      CREATE TABLE baseline (
        -- Name of the plan: a plan that comes from a file has nothing else to be known by.
        plan TEXT PRIMARY KEY,
        -- A run, or the repeats of a series.
        side TEXT NOT NULL,
        set_at TEXT NOT NULL
      );
    `,
  },
  {
    name: '014 runs whose seconds were thinned',
    sql: `
      ALTER TABLE run ADD COLUMN thinned INTEGER NOT NULL DEFAULT 0;
    `,
  },
];
