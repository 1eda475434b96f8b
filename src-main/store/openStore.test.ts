import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { AppError } from '../../src-shared/errors.ts';
import { migrations } from './migrations.ts';
import { openStore } from './openStore.ts';
import { makeHost, makeProvisioning } from './testHost.ts';
import { makeInventory } from './testInventory.ts';
import { makeRun, makeTarget, makeTick } from './testRun.ts';

let folder: string;
const file = () => join(folder, 'benchberry.sqlite');
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'benchberry-store-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function thrown(work: () => unknown): AppError {
  try {
    work();
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}
const hash = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');

test('a new file is in WAL mode, records its migrations and keeps what is written', () => {
  const store = openStore(join(folder, 'not', 'yet', 'there'));
  store.targets.save(makeTarget());
  store.close();
  store.close();
  const db = new Database(join(folder, 'not', 'yet', 'there', 'benchberry.sqlite'));
  expect(db.pragma('journal_mode', { simple: true })).toBe('wal');
  expect(db.prepare('SELECT name FROM migration').pluck().all()).toEqual(migrations.map(({ name }) => name));
  expect(db.pragma('user_version', { simple: true })).toBe(migrations.length);
  db.close();
});

test('a file of a newer version is refused and not touched', () => {
  openStore(folder).close();
  const db = new Database(file());
  db.pragma('user_version = 99');
  db.pragma('wal_checkpoint(TRUNCATE)');
  db.close();
  const before = hash(file());
  const error = thrown(() => openStore(folder));
  expect(error.code).toBe('store-newer');
  expect(error.hint).toContain('newer version');
  expect(hash(file())).toBe(before);
  expect(readdirSync(folder)).toEqual(['benchberry.sqlite']);
});

test.each([
  [
    'text',
    () => Buffer.from('this is a text file and certainly no database, however long it may be'.repeat(40)),
  ],
  ['a few bytes', () => Buffer.from('SQLite')],
  [
    'zeros over a page in the middle',
    () => {
      const bytes = readFileSync(file());
      bytes.fill(0xa5, 4096, bytes.length);
      return bytes;
    },
  ],
])('a damaged file (%s) is set aside whole, a new one opened, and that is said', (_, damage) => {
  openStore(folder).close();
  const bytes = damage();
  writeFileSync(file(), bytes);
  const store = openStore(folder, { now: () => new Date('2026-02-03T04:05:06.789Z') });
  const kept = join(folder, 'benchberry.damaged-2026-02-03T04-05-06-789Z.sqlite');
  expect(readFileSync(kept).equals(bytes)).toBe(true);
  expect(store.notices).toHaveLength(1);
  expect(store.notices[0]).toContain(kept);
  store.runs.create(makeRun(), { pid: 1, startedAt: 1 });
  expect(store.runs.list({ terms: [], limit: 10 })).toHaveLength(1);
  store.close();
});

test('a failing migration changes nothing, stops, and leaves a copy with the data beside the file', () => {
  const first = openStore(folder);
  first.targets.save(makeTarget());
  first.close();
  const bad = [
    ...migrations,
    { name: '999 bad', sql: 'CREATE TABLE half (x); INSERT INTO nowhere VALUES (1);' },
  ];
  const now = () => new Date('2026-02-03T04:05:06.789Z');
  const error = thrown(() => openStore(folder, { migrations: bad, now }));
  const copy = join(folder, `benchberry.before-migration-${bad.length}-2026-02-03T04-05-06-789Z.sqlite`);
  expect(error.code).toBe('store-damaged');
  expect(error.message).toContain('999 bad');
  expect(error.detail).toContain('nowhere');
  expect(error.hint).toContain(copy);
  const db = new Database(copy, { readonly: true });
  expect(db.prepare('SELECT name FROM target').pluck().all()).toEqual(['rpi-3']);
  db.close();
  const again = openStore(folder);
  expect(again.targets.list()).toHaveLength(1);
  again.close();
  const raw = new Database(file());
  expect(raw.prepare(`SELECT count(*) FROM sqlite_master WHERE name = 'half'`).pluck().get()).toBe(0);
  raw.close();
});

test('a further migration keeps the data and leaves no copy', () => {
  const first = openStore(folder);
  first.targets.save(makeTarget());
  first.close();
  const more = [...migrations, { name: '999 more', sql: 'ALTER TABLE target ADD COLUMN extra TEXT' }];
  const store = openStore(folder, { migrations: more });
  expect(store.targets.list()).toHaveLength(1);
  store.close();
  expect(readdirSync(folder)).toEqual(['benchberry.sqlite']);
});

test('a write while another connection holds the lock past the timeout is store-locked, and works afterwards', () => {
  const store = openStore(folder, { lockTimeoutMs: 20 });
  const other = new Database(file());
  other.exec('BEGIN IMMEDIATE');
  const error = thrown(() => store.targets.save(makeTarget()));
  expect(error.code).toBe('store-locked');
  expect(error.place?.file).toBe(file());
  expect(store.targets.list()).toEqual([]);
  other.exec('COMMIT');
  other.close();
  store.targets.save(makeTarget());
  expect(store.targets.list()).toHaveLength(1);
  store.close();
});

test('opening a file that another program holds exclusively is store-locked', () => {
  openStore(folder).close();
  const other = new Database(file());
  other.pragma('locking_mode = EXCLUSIVE');
  other.exec('BEGIN EXCLUSIVE');
  expect(thrown(() => openStore(folder, { lockTimeoutMs: 20 })).code).toBe('store-locked');
  other.close();
  openStore(folder).close();
});

test('two processes may have the folder open: one sees what the other wrote', () => {
  const one = openStore(folder);
  const two = openStore(folder);
  one.runs.create(makeRun(), { pid: 1, startedAt: 1 });
  expect(two.runs.get('run-1')?.name).toBe('TSBS cpu-only on sandbox');
  expect([one.changedElsewhere(), two.changedElsewhere(), two.changedElsewhere()]).toEqual([
    false,
    true,
    false,
  ]);
  one.close();
  two.close();
});

test('a process killed right after appendTick loses none of its ticks', async () => {
  const script = `
    import { openStore } from ${JSON.stringify(new URL('./openStore.ts', import.meta.url).href)};
    import { makeRun, makeTick } from ${JSON.stringify(new URL('./testRun.ts', import.meta.url).href)};
    const store = openStore(${JSON.stringify(folder)});
    store.runs.create(makeRun(), { pid: process.pid, startedAt: 1 });
    for (let seq = 0; seq < 50; seq += 1) store.runs.appendTick(makeTick({ seq }), []);
    process.kill(process.pid, 'SIGKILL');
  `;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'inherit' });
  const [, signal] = await new Promise<unknown[]>((resolve) =>
    child.on('exit', (...result) => resolve(result)),
  );
  expect(signal).toBe('SIGKILL');
  const store = openStore(folder);
  expect(store.notices).toEqual([]);
  expect(store.runs.series('run-1').ticks.map(({ seq }) => seq)).toEqual([...Array(50).keys()]);
  expect(store.runs.series('run-1').ticks[49]).toEqual(makeTick({ seq: 49 }));
  store.close();
});

test('purge deletes what was removed before, with its ticks, and nothing else', () => {
  let time = new Date('2026-01-01T00:00:00.000Z');
  const store = openStore(folder, { now: () => time });
  const owner = { pid: 1, startedAt: 1 };
  for (const id of ['old', 'new', 'kept']) {
    store.runs.create(makeRun({ id, status: 'finished' }), owner);
    store.runs.appendTick(makeTick({ runId: id }), [{ operation: 'batch', latency: 'x', service: null }]);
  }
  store.targets.save(makeTarget());
  store.hosts.save(makeHost());
  store.provisionings.save({
    provisioning: makeProvisioning(),
    saved: {},
    host: makeInventory(),
    owner: null,
  });
  store.hosts.remove('host-1');
  store.runs.remove(['old']);
  store.targets.remove('target-1');
  time = new Date('2026-01-03T00:00:00.000Z');
  store.runs.remove(['new']);
  expect(store.purge(new Date('2026-01-02T00:00:00.000Z'))).toEqual({
    runs: ['old'],
    targets: ['target-1'],
    plans: [],
    hosts: ['host-1'],
  });
  store.runs.restore(['old', 'new']);
  expect(
    store.runs
      .list({ terms: [], limit: 10 })
      .map(({ id }) => id)
      .sort(),
  ).toEqual(['kept', 'new']);
  expect(store.targets.restore('target-1')).toBeNull();
  expect(store.provisionings.get('provisioning-1')).toBeNull();
  store.close();
  const db = new Database(file());
  expect(db.prepare('SELECT run_id FROM tick ORDER BY 1').pluck().all()).toEqual(['kept', 'new']);
  expect(db.prepare('SELECT run_id FROM histogram ORDER BY 1').pluck().all()).toEqual(['kept', 'new']);
  db.close();
});
