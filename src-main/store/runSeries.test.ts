import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { RunSeries } from '../../src-shared/model/runSeries.ts';
import { openStore } from './openStore.ts';
import type { Store } from './repositories.ts';
import { storeFileName } from './storeFile.ts';
import { makeRun } from './testRun.ts';

let folder: string;
let store: Store;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'benchberry-series-'));
  store = openStore(folder);
});
afterEach(() => {
  store.close();
  rmSync(folder, { recursive: true });
});

const owner = { pid: 1, startedAt: 1 };
const start = '2026-01-31T12:00:00.000Z';
const series = (part: Partial<RunSeries> = {}): RunSeries => ({
  id: 'series-1',
  plan: makeRun().plan,
  targets: ['a'],
  parameters: [{ path: 'steps[0].tsbs.load.workers', label: 'Workers', unit: null, values: [4, 8] }],
  members: [
    {
      ...{ cell: 1, target: 0, round: 2, plannedRows: 10, runIds: ['run-0', 'run-1'], leftOut: null },
      error: { code: 'store-locked', message: 'busy' },
      figures: {
        ...{ status: 'finished', valid: true, rowsPerSecond: 1.5, queriesPerSecond: null },
        ...{ transactionsPerSecond: null, p99Us: 3, perSecond: { median: 1, max: 2 }, tookMs: 5 },
      },
      settled: { waitedMs: 3, temperatureC: 54.5, end: 'too-long' },
    },
  ],
  startedAt: start,
  resumedAt: null,
  endedAt: null,
  outcome: null,
  ...part,
});
const end = (each: RunSeries): RunSeries => ({ ...each, endedAt: start, outcome: 'finished' });

it('keeps a series with all its parts, and changes it as it stands', () => {
  store.series.save(series(), owner);
  expect(store.series.get('series-1')).toEqual(series());
  expect(store.series.change('series-1', end)).toEqual(end(series()));
  expect(store.series.get('series-1')).toEqual(end(series()));
  expect(store.series.change('nothing', end)).toBeNull();
  expect(store.series.get('nothing')).toBeNull();
});

it('says of a run that was left out why, as the run itself does', () => {
  store.series.save(series(), owner);
  store.runs.create(makeRun({ id: 'run-1', group: 'series-1', status: 'finished' }), owner);
  store.runs.leaveOut('run-1', 'a vacuum was on');
  expect(store.series.get('series-1')?.members[0]?.leftOut).toBe('a vacuum was on');
  store.runs.leaveOut('run-1', null);
  expect(store.series.list()[0]?.members[0]?.leftOut).toBeNull();
});

it('lists them newest first, without ended ones whose runs are deleted; they are purged with their last run', () => {
  store.series.save(end(series({ id: 'old' })), owner);
  store.series.save(end(series({ id: 'new', startedAt: '2026-02-01T12:00:00.000Z' })), owner);
  store.series.save(series({ id: 'on', startedAt: '2026-02-02T12:00:00.000Z' }), owner);
  for (const [id, group] of [
    ['r1', 'old'],
    ['r2', 'new'],
    ['r3', 'on'],
  ] as const)
    store.runs.create(makeRun({ id, group, status: 'finished' }), owner);
  const listed = () => store.series.list().map(({ id }) => id);
  expect(listed()).toEqual(['on', 'new', 'old']);
  store.runs.remove(['r1']);
  expect(listed()).toEqual(['on', 'new']);
  store.purge(new Date('2099-01-01T00:00:00.000Z'));
  expect(store.series.get('old')).toBeNull();
  expect(store.series.get('new')).not.toBeNull();
});

it('finds those whose process is gone, and none that has ended', () => {
  store.series.save(series({ id: 'gone' }), owner);
  store.series.save(series({ id: 'alive' }), { pid: 2, startedAt: 2 });
  store.series.save(series({ id: 'ended' }), owner);
  store.series.change('ended', end);
  expect(store.series.orphans(({ pid }) => pid === 2)).toEqual(['gone']);
});

it('carries the wish of another process to stop one, until it is taken up again', () => {
  store.series.save(series(), owner);
  expect(store.series.stopAsked('series-1')).toBe(false);
  const other = openStore(folder);
  other.series.askStop('series-1');
  other.close();
  expect(store.series.stopAsked('series-1')).toBe(true);
  store.series.save(series(), owner);
  expect(store.series.stopAsked('series-1')).toBe(false);
});

it('tells of one that cannot be read, and keeps it and the others', () => {
  store.series.save(series(), owner);
  store.series.save(series({ id: 'sound' }), owner);
  const db = new Database(join(folder, storeFileName));
  db.prepare("UPDATE run_series SET series = '{' WHERE id = 'series-1'").run();
  db.close();
  expect(store.series.list().map(({ id }) => id)).toEqual(['sound']);
  expect(store.notices.at(-1)).toContain('A series of runs (series-1) cannot be read');
});
