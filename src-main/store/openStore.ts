import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../../src-shared/errors.ts';
import { baselineRepository } from './baselines.ts';
import { type Connection, connect } from './database.ts';
import { hostRepository } from './hosts.ts';
import { reportOnce } from './json.ts';
import { migrate, refuseNewer } from './migrate.ts';
import { migrations as known, type Migration } from './migrations.ts';
import { planRepository } from './plans.ts';
import { provisioningRepository } from './provisionings.ts';
import { rackRepository } from './racks.ts';
import type { Store } from './repositories.ts';
import { runSeriesRepository } from './runSeries.ts';
import { runRepository } from './runs.ts';
import { settingsRepository } from './settings.ts';
import { beginFile, readFormNumber, setAside, storeFileName } from './storeFile.ts';
import { targetRepository } from './targets.ts';

export interface StoreOptions {
  /** Called for each notice that comes up after opening, e.g. a stored row that cannot be read. */
  onNotice?: (text: string) => void;
  /** How long to wait for another process's write, ms. */
  lockTimeoutMs?: number;
  now?: () => Date;
  migrations?: readonly Migration[];
}

/**
 * Opens (makes, brings up to date) the data file of a folder. A damaged file is set aside under another name and a new one
 * begun; a notice says so.
 * @throws AppError `store-newer`, `store-locked`, `store-damaged` (a migration failed), `disk-full`, `no-permission`
 */
export function openStore(folder: string, options: StoreOptions = {}): Store {
  const { onNotice, lockTimeoutMs = 5000, now = () => new Date(), migrations = known } = options;
  mkdirSync(folder, { recursive: true });
  const file = join(folder, storeFileName);
  const notices: string[] = [];

  refuseNewer(file, readFormNumber(file) ?? 0, migrations.length);
  let db = openSound(file, lockTimeoutMs);
  if ('damage' in db) {
    const kept = setAside(file, now());
    notices.push(
      `The data file was damaged (${db.damage}). It was set aside as ${kept} and a new one was begun.`,
    );
    db = openSound(file, lockTimeoutMs);
    if ('damage' in db) throw damagedAgain(file, db.damage);
  }
  const connection = db;
  try {
    migrate(connection, migrations, now());
  } catch (error) {
    connection.close();
    throw error;
  }

  const report = reportOnce((text) => {
    notices.push(text);
    onNotice?.(text);
  });
  let open = true;
  // https://www.sqlite.org/pragma.html#pragma_data_version: changes with every commit of another connection.
  let seenVersion = connection.pragma('data_version');
  return {
    runs: runRepository(connection, report, now),
    targets: targetRepository(connection, report, now),
    plans: planRepository(connection, report, now),
    hosts: hostRepository(connection, report, now),
    provisionings: provisioningRepository(connection, report),
    racks: rackRepository(connection, report),
    baselines: baselineRepository(connection, report, now),
    series: runSeriesRepository(connection, report),
    settings: settingsRepository(connection, report),
    notices,
    purge: (before) => purge(connection, before.toISOString()),
    size: () => Number(connection.pragma('page_size')) * Number(connection.pragma('page_count')),
    compact() {
      connection.exec('VACUUM');
      // What was written for that stands in the log beside the file until it is taken over.
      connection.pragma('wal_checkpoint(TRUNCATE)');
    },
    changedElsewhere() {
      const before = seenVersion;
      seenVersion = connection.pragma('data_version');
      return seenVersion !== before;
    },
    close() {
      if (open) connection.close();
      open = false;
    },
  };
}

/** A connection with its pragmas set, or what is wrong with the file. */
function openSound(file: string, lockTimeoutMs: number): Connection | { damage: string } {
  beginFile(file);
  const db = connect(file, lockTimeoutMs);
  try {
    db.pragma('journal_mode = WAL');
    // In WAL mode NORMAL leaves out the fsync of each commit: a killed app loses nothing that was committed, a power cut at
    // most the last commits, and the file stays whole either way. FULL would stall the run by an fsync a second on a slow
    // card, in the process that measures.
    db.pragma('synchronous = NORMAL');
    db.pragma('foreign_keys = ON');
    const damage = firstDamage(db);
    if (damage === null) return db;
    db.close();
    return { damage };
  } catch (error) {
    db.close();
    if (error instanceof AppError && error.code === 'store-damaged')
      return { damage: error.detail ?? error.message };
    throw error;
  }
}

/**
 * The whole file is checked up to this size (about a quarter of a second where it is not cached). Beyond it ticks and
 * histograms are left out, which are nearly all of it: damage there is told when that run is opened, and costs that run only.
 */
const wholeCheckBytes = 256 * 1024 * 1024;
const headTables = [
  'run',
  'run_body',
  'run_event',
  'target',
  'plan',
  'host',
  'provisioning',
  'rack_run',
  'run_series',
  'baseline',
  'setting',
  'migration',
];

function firstDamage(db: Connection): string | null {
  const checks =
    statSync(db.file).size <= wholeCheckBytes
      ? ['quick_check(1)']
      : headTables.map((table) => `quick_check(${table})`);
  for (const check of checks) {
    const found = db.pragma(check);
    if (found !== 'ok') return String(found);
  }
  return null;
}

function purge(db: Connection, before: string): ReturnType<Store['purge']> {
  const gone = (table: string) =>
    db.column(`DELETE FROM ${table} WHERE deleted_at < ? RETURNING id`, before).map(String);
  const runs = gone('run');
  // Begun before that moment: the first run of a new one may not be recorded yet.
  for (const table of ['rack_run', 'run_series']) {
    db.run(
      `DELETE FROM ${table} WHERE started_at < ? AND NOT EXISTS (SELECT 1 FROM run WHERE run_group = ${table}.id)`,
      before,
    );
  }
  return { runs, targets: gone('target'), plans: gone('plan'), hosts: gone('host') };
}

function damagedAgain(file: string, detail: string): AppError {
  return new AppError({
    code: 'store-damaged',
    message: 'A new data file could not be begun beside the damaged one',
    place: { file },
    detail,
    hint: 'Check the disk, or set BENCHBERRY_DATA to a folder on another one.',
  });
}
