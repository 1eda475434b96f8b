import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openStore } from './openStore.ts';
import type { Store } from './repositories.ts';
import { makeHost, makeProvisioning } from './testHost.ts';
import { makeInventory } from './testInventory.ts';

let folder: string;
let store: Store;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'benchberry-hosts-'));
  store = openStore(folder);
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

test('hosts come back as written, sorted by name, with key, rack and way to sign in', () => {
  const b = makeHost({ id: 'b', name: 'beta', group: 'rack 1', auth: { method: 'key', keyFile: '~/k "1"' } });
  const a = makeHost({ id: 'a', name: 'Alpha', hostKey: { type: 'ssh-ed25519', fingerprint: 'SHA256:abc' } });
  store.hosts.save(b);
  store.hosts.save(a);
  expect(store.hosts.list()).toEqual([a, b]);
  store.hosts.save({ ...a, user: 'ünïcode $(x)' });
  expect(store.hosts.get('a')).toEqual({ ...a, user: 'ünïcode $(x)' });
});

test('a name can be taken once, whatever its case; a removed host frees it until it is restored', () => {
  store.hosts.save(makeHost({ id: 'a', name: 'rpi' }));
  const taken = expect.objectContaining({ code: 'bad-input', place: { field: 'name' } });
  expect(() => store.hosts.save(makeHost({ id: 'b', name: 'RPI' }))).toThrow(taken);
  store.hosts.remove('a');
  expect(store.hosts.list()).toEqual([]);
  store.hosts.save(makeHost({ id: 'b', name: 'RPI' }));
  expect(() => store.hosts.restore('a')).toThrow(taken);
  store.hosts.remove('b');
  expect(store.hosts.restore('a')?.name).toBe('rpi');
  expect(store.hosts.restore('none')).toBeNull();
});

test('an inventory that cannot be read hides no host; a host that cannot be read is told of', () => {
  store.hosts.save(makeHost({ id: 'a', name: 'one' }));
  store.hosts.save(makeHost({ id: 'b', name: 'two' }));
  spoil(`UPDATE host SET inventory = '{"at":"yesterday"}' WHERE id = 'a'`);
  spoil(`UPDATE host SET auth = '{"method":"guess"}' WHERE id = 'b'`);
  expect(store.hosts.list()).toEqual([makeHost({ id: 'a', name: 'one' })]);
  expect(store.notices).toEqual([expect.stringContaining('"two"')]);
});

test('provisionings keep the way back beside them and come newest first', () => {
  store.hosts.save(makeHost());
  const undo = { state: { target: 'graphical.target' }, undo: "echo 'x'", needsRoot: true, bootId: 'b1' };
  const first = {
    provisioning: makeProvisioning({ id: 'p1', updatedAt: '2026-01-01T00:00:00.000Z' }),
    saved: { 'headless.boot-target': undo },
    host: makeInventory(),
    owner: null,
  };
  const second = {
    provisioning: makeProvisioning({ id: 'p2', updatedAt: '2026-01-02T00:00:00.000Z' }),
    saved: {},
    host: makeInventory(),
    owner: { pid: 7, startedAt: 70 },
  };
  store.provisionings.save(first);
  store.provisionings.save(second);
  expect(store.provisionings.list('host-1')).toEqual([second, first]);
  expect(store.provisionings.list('host-2')).toEqual([]);
  const done = { ...first, provisioning: { ...first.provisioning, status: 'done' as const } };
  store.provisionings.save(done);
  expect(store.provisionings.get('p1')).toEqual(done);
  expect(store.provisionings.get('p3')).toBeNull();
  expect(store.provisionings.orphans(() => true)).toEqual([]);
  expect(store.provisionings.orphans(({ pid, startedAt }) => pid !== 7 || startedAt !== 70)).toEqual([
    second,
  ]);
});
