import { rmSync } from 'node:fs';
import { AppError } from '../../src-shared/errors.ts';
import type { Connection } from './database.ts';
import type { Migration } from './migrations.ts';
import { beginFile, besideName } from './storeFile.ts';

/**
 * Brings the file to the newest form: each missing migration in a transaction of its own, noted in the table `migration`.
 * Before a file with data is changed, a copy is made beside it; the copy stays if a migration fails.
 * @throws AppError `store-newer`; `store-damaged` naming the migration and the copy
 */
export function migrate(db: Connection, migrations: readonly Migration[], now: Date): void {
  refuseNewer(db.file, Number(db.pragma('user_version')), migrations.length);
  const done = Number(db.pragma('user_version'));
  if (done === migrations.length) return;
  const copy = done > 0 ? besideName(db.file, `before-migration-${done + 1}`, now) : null;
  if (copy !== null) {
    beginFile(copy);
    db.run('VACUUM INTO ?', copy);
  }
  for (const [index, migration] of migrations.entries()) {
    try {
      db.transaction(() => apply(db, migration, index, now));
    } catch (error) {
      if (error instanceof AppError) throw error;
      throw new AppError(
        {
          code: 'store-damaged',
          message: `The Benchberry data file could not be brought to this version (step ${JSON.stringify(migration.name)})`,
          place: { file: db.file },
          detail: error instanceof Error ? error.message : String(error),
          hint:
            copy === null
              ? 'Nothing was changed. Report this with the cause above.'
              : `Nothing was changed; a copy of the file is ${copy}. Use the version of Benchberry from before, and report this.`,
        },
        { cause: error },
      );
    }
  }
  if (copy !== null) rmSync(copy);
}

/** Inside its transaction: another process may have been faster, so what is done is read again. */
function apply(db: Connection, migration: Migration, index: number, now: Date): void {
  if (Number(db.pragma('user_version')) > index) return;
  db.exec(
    'CREATE TABLE IF NOT EXISTS migration (position INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, applied_at TEXT NOT NULL)',
  );
  db.exec(migration.sql);
  db.run('INSERT INTO migration VALUES (?, ?, ?)', index + 1, migration.name, now.toISOString());
  db.pragma(`user_version = ${index + 1}`);
}

export function refuseNewer(file: string, version: number, known: number): void {
  if (version <= known) return;
  throw new AppError({
    code: 'store-newer',
    message: 'The Benchberry data file was written by a newer version of Benchberry',
    place: { file },
    detail: `The file has form ${version}; this version knows forms up to ${known}.`,
    hint: 'Install the newer version again, or set BENCHBERRY_DATA to another folder. The file was not touched.',
  });
}
