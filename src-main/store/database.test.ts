import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { connect } from './database.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'benchberry-database-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('a full disk is said, with the file, and what was there before stays', () => {
  const file = join(folder, 'a.sqlite');
  const db = connect(file, 100);
  db.exec('CREATE TABLE t (x TEXT)');
  db.insert('t', { x: 'first' });
  db.pragma('max_page_count = 4'); // SQLite then answers as it does when the disk takes no more
  const error = expect.objectContaining({ code: 'disk-full', place: { file } });
  expect(() => db.insert('t', { x: 'x'.repeat(100_000) })).toThrow(error);
  expect(db.column('SELECT x FROM t')).toEqual(['first']);
  db.close();
});

test('what cannot be opened, and what is no database, is said', () => {
  mkdirSync(join(folder, 'taken.sqlite'));
  expect(() => connect(join(folder, 'taken.sqlite'), 100)).toThrow(
    expect.objectContaining({ code: 'no-permission' }),
  );
  writeFileSync(join(folder, 'text.sqlite'), 'no database'.repeat(100));
  const db = connect(join(folder, 'text.sqlite'), 100);
  expect(() => db.pragma('journal_mode = WAL')).toThrow(expect.objectContaining({ code: 'store-damaged' }));
  db.close();
});

test('a transaction that throws leaves nothing, and its error comes out as it was', () => {
  const db = connect(join(folder, 'a.sqlite'), 100);
  db.exec('CREATE TABLE t (x TEXT)');
  const mine = new Error('mine');
  const work = () =>
    db.transaction(() => {
      db.insert('t', { x: 'half' });
      throw mine;
    });
  expect(work).toThrow(mine);
  expect(db.all('SELECT * FROM t')).toEqual([]);
  expect(db.transaction(() => db.update('t', 'x', 'half', { x: 'y' }))).toBe(0);
  db.close();
});
