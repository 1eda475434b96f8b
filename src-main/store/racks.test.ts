import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { RackRun } from '../../src-shared/model/rack.ts';
import { openStore } from './openStore.ts';
import type { Store } from './repositories.ts';
import { storeFileName } from './storeFile.ts';
import { makeRun } from './testRun.ts';

let folder: string;
let store: Store;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'benchberry-racks-'));
  store = openStore(folder);
});
afterEach(() => {
  store.close();
  rmSync(folder, { recursive: true });
});

const owner = { pid: 1, startedAt: 1 };
const rack = (part: Partial<RackRun> = {}): RackRun => ({
  id: 'rack-run-1',
  rack: 'shelf',
  plan: makeRun().plan,
  atOnce: true,
  startedAt: '2026-01-31T12:00:00.000Z',
  endedAt: null,
  members: [
    { hostId: 'a', hostName: 'rpi-a', targetName: 'a', runIds: [], error: null, leftOut: null },
    {
      hostId: 'b',
      hostName: 'rpi-b',
      targetName: 'b',
      runIds: ['run-1'],
      error: { code: 'store-locked', message: 'busy' },
      leftOut: { reason: 'worn card', at: '2026-01-31T13:00:00.000Z' },
    },
  ],
  ...part,
});

it('keeps a benchmark of a rack with all its parts, and changes it as it stands', () => {
  store.racks.save(rack());
  expect(store.racks.get('rack-run-1')).toEqual(rack());
  const changed = store.racks.change('rack-run-1', (run) => ({ ...run, endedAt: run.startedAt }));
  expect(changed).toEqual(rack({ endedAt: '2026-01-31T12:00:00.000Z' }));
  expect(store.racks.get('rack-run-1')).toEqual(changed);
  expect(store.racks.change('nothing', (run) => run)).toBeNull();
});

it('lists those of a rack, newest first, without ended ones whose runs are deleted', () => {
  const ended = '2026-01-31T14:00:00.000Z';
  store.racks.save(rack({ id: 'old', endedAt: ended }));
  store.racks.save(rack({ id: 'new', startedAt: '2026-02-01T12:00:00.000Z', endedAt: ended }));
  store.racks.save(rack({ id: 'on', startedAt: '2026-02-02T12:00:00.000Z' }));
  store.racks.save(rack({ id: 'other', rack: 'desk' }));
  store.runs.create(makeRun({ id: 'r1', group: 'old', status: 'finished' }), owner);
  store.runs.create(makeRun({ id: 'r2', group: 'new', status: 'finished' }), owner);
  const ids = (name: string | null) => store.racks.list(name).map(({ id }) => id);
  expect(ids('shelf')).toEqual(['on', 'new', 'old']);
  expect(ids(null)).toEqual(['on', 'new', 'old', 'other']);
  store.runs.remove(['r1']);
  expect(ids('shelf')).toEqual(['on', 'new']);
  store.runs.restore(['r1']);
  expect(ids('shelf')).toEqual(['on', 'new', 'old']);
  store.runs.remove(['r1']);
  store.purge(new Date(Date.now() + 1000));
  expect(store.racks.get('old')).toBeNull();
  expect(store.racks.get('new')).not.toBeNull();
});

it('ends those of which no run is active any more', () => {
  store.racks.save(rack({ id: 'gone' }));
  store.racks.save(rack({ id: 'on' }));
  store.runs.create(makeRun({ id: 'r', group: 'on', status: 'running' }), owner);
  store.racks.endOrphans('2026-03-01T00:00:00.000Z');
  expect(store.racks.get('gone')?.endedAt).toBe('2026-03-01T00:00:00.000Z');
  expect(store.racks.get('on')?.endedAt).toBeNull();
});

it('says what cannot be read, and keeps it', () => {
  store.racks.save(rack());
  store.close();
  const db = new Database(join(folder, storeFileName));
  db.exec(`UPDATE rack_run SET members = '{'`);
  db.close();
  store = openStore(folder);
  expect(store.racks.list('shelf')).toEqual([]);
  expect(store.notices.join()).toContain('A benchmark of a rack (rack-run-1) cannot be read');
});
