import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openStore } from './openStore.ts';
import type { Store } from './repositories.ts';
import { makeRun, makeTarget } from './testRun.ts';

let folder: string;
let store: Store;
let time = new Date();
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'benchberry-nouns-'));
  time = new Date('2026-01-01T00:00:00.000Z');
  store = openStore(folder, { now: () => time });
});
afterEach(() => {
  store.close();
  rmSync(folder, { recursive: true, force: true });
});
function spoil(sql: string): void {
  const db = new Database(join(folder, 'benchberry.sqlite'));
  expect(db.prepare(sql).run().changes).toBeGreaterThan(0);
  db.close();
}
const server = {
  engine: 'postgresql',
  product: 'PostgreSQL',
  version: '15.13',
  versionText: 'PostgreSQL 15.13',
  edition: 'plain',
  dialect: 'postgresql',
  database: 'postgres',
  sizeBytes: 1,
  tls: 'TLSv1.3',
  roundTripUs: 100,
  settings: [{ name: 'work_mem', value: '8', unit: 'MB', source: 'configuration file' }],
  notes: [],
};

test('targets come back as written, sorted by name, and remember what was seen', () => {
  const b = makeTarget({ id: 'b', name: 'beta' });
  const a = makeTarget({ id: 'a', name: 'Alpha' });
  store.targets.save(b);
  store.targets.save(a);
  expect(store.targets.list()).toEqual([a, b]);
  store.targets.save({ ...a, connection: { host: 'other' } });
  store.targets.seen('a', server, '2026-01-02T00:00:00.000Z');
  expect(store.targets.get('a')).toEqual({
    ...a,
    connection: { host: 'other' },
    lastSeen: server,
    lastSeenAt: '2026-01-02T00:00:00.000Z',
  });
});

test('a name can be taken once, whatever its case; a removed target frees it until it is restored', () => {
  store.targets.save(makeTarget({ id: 'a', name: 'rpi' }));
  const taken = expect.objectContaining({ code: 'bad-input', place: { field: 'name' } });
  expect(() => store.targets.save(makeTarget({ id: 'b', name: 'RPI' }))).toThrow(taken);
  store.targets.remove('a');
  expect(store.targets.list()).toEqual([]);
  store.targets.save(makeTarget({ id: 'b', name: 'RPI' }));
  expect(() => store.targets.restore('a')).toThrow(taken);
  store.targets.remove('b');
  expect(store.targets.restore('a')?.name).toBe('rpi');
  expect(store.targets.restore('none')).toBeNull();
});

test('plans come newest first, keep their id when saved again, and can be removed and restored', () => {
  const { plan } = makeRun();
  const first = store.plans.save(null, plan);
  time = new Date('2026-01-02T00:00:00.000Z');
  const second = store.plans.save(null, { ...plan, name: 'second' });
  expect(store.plans.list()).toEqual([second, first]);
  time = new Date('2026-01-03T00:00:00.000Z');
  const again = store.plans.save(first.id, { ...plan, name: 'again' });
  expect(again).toEqual({
    id: first.id,
    sample: false,
    plan: { ...plan, name: 'again' },
    updatedAt: time.toISOString(),
  });
  expect(store.plans.list().map(({ id }) => id)).toEqual([first.id, second.id]);
  store.plans.remove(first.id);
  expect(store.plans.get(first.id)).toBeNull();
  expect(store.plans.restore(first.id)).toEqual(again);
});

test('rows that cannot be read are told of and kept; the others are listed', () => {
  store.targets.save(makeTarget({ id: 'a', name: 'broken' }));
  store.targets.save(makeTarget({ id: 'b', name: 'whole' }));
  const { plan } = makeRun();
  const bad = store.plans.save(null, plan);
  const good = store.plans.save(null, plan);
  store.settings.save({ theme: 'dark' });
  expect(store.settings.get()).toEqual({ theme: 'dark' });
  spoil(`UPDATE target SET connection = '[' WHERE id = 'a'`);
  spoil(`UPDATE plan SET plan = '{"version":2}' WHERE id = '${bad.id}'`);
  spoil(`UPDATE setting SET value = '{"theme":"pink"}'`);
  expect(store.targets.list().map(({ id }) => id)).toEqual(['b']);
  expect(store.plans.list()).toEqual([good]);
  expect(store.settings.get()).toEqual({ theme: 'system' });
  expect(store.notices).toEqual([
    expect.stringContaining('"broken"'),
    expect.stringContaining(bad.id),
    expect.stringContaining('settings'),
  ]);
  spoil(`UPDATE target SET connection = '{}' WHERE id = 'a'`);
  expect(store.targets.list()).toHaveLength(2);
});
