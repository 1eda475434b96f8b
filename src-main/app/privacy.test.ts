import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { migrations } from '../store/migrations.ts';
import { openStore } from '../store/openStore.ts';
import { createApp } from './createApp.ts';
import { makeDataFolder } from './dataFolder.ts';
import { openLog } from './log.ts';
import { memorySecrets } from './secrets.ts';

let base: string;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'benchberry-privacy-'));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));
const others = (path: string) => statSync(path).mode & 0o077;

// Windows has no such bits: there a user's application data is closed to others by its folder.
test.skipIf(process.platform === 'win32')('other users of the machine read nothing of what is kept', () => {
  const folder = join(base, 'data');
  makeDataFolder(folder);
  expect(others(folder) & 0o066).toBe(0);
  const { log, close } = openLog(folder);
  log.info('a line');
  close();
  const store = openStore(folder, { migrations: migrations.slice(0, 1) });
  expect(existsSync(join(folder, 'benchberry.sqlite-wal'))).toBe(true);
  const names = readdirSync(folder);
  expect(names).toHaveLength(4);
  expect(names.filter((name) => others(join(folder, name)) !== 0)).toEqual([]);
  store.close();
});

test.skipIf(process.platform === 'win32')('the copy before a migration is as private as its original', () => {
  openStore(base, { migrations: migrations.slice(0, 1) }).close();
  const broken = [...migrations.slice(0, 1), { name: '002 broken', sql: 'SELECT nothing FROM nowhere' }];
  expect(() => openStore(base, { migrations: broken })).toThrow(/could not be brought/);
  const [copy, ...more] = readdirSync(base).filter((name) => name.includes('before-migration'));
  expect(more).toEqual([]);
  expect(others(join(base, copy ?? ''))).toBe(0);
});

test('a data file that cannot be read is said with its place', () => {
  const file = join(base, 'benchberry.sqlite');
  mkdirSync(file);
  expect(() => openStore(base)).toThrow(expect.objectContaining({ code: 'no-permission', place: { file } }));
});

test('a plan written as a file does not hold the password of its target', async () => {
  const app = await createApp({ dataFolder: base, secrets: memorySecrets() });
  const target = 'postgresql://me:hunter2@db.local/postgres';
  const plan = { version: 1 as const, name: 'A plan', target, steps: [{ 'tsbs.load': {} }], repeat: 1 };
  const text = await app.api.call('plans.toYaml', { plan });
  await app.close();
  expect(text).toContain('postgresql://me@db.local/postgres');
  expect(text).not.toContain('hunter2');
});
