import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parseRunFilter } from '../../src-shared/filter/runFilter.ts';
import type { Phase } from '../../src-shared/model/run.ts';
import { makeServerSample } from '../../src-shared/model/testServerSample.ts';
import { openStore } from './openStore.ts';
import type { Store } from './repositories.ts';
import { makeHealth } from './testHealth.ts';
import { makeInventory } from './testInventory.ts';
import { makeEvent, makeOperation, makeRun, makeTick } from './testRun.ts';

let folder: string;
let store: Store;
let said: string[];
const owner = { pid: 42, startedAt: 7 };
const all = { terms: [], limit: 100 };
const terms = (filter: string) => {
  const { terms: read, problems } = parseRunFilter(filter, new Date('2026-01-04T00:00:00Z'));
  expect(problems).toEqual([]);
  return read;
};
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'benchberry-runs-'));
  said = [];
  store = openStore(folder, { onNotice: (text) => said.push(text) });
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

const latency = {
  count: 1,
  min: 1,
  mean: 1,
  p50: 1,
  p90: 1,
  p95: 1,
  p99: 77,
  p999: 1,
  max: 1,
  stddev: 0,
  sum: 1,
};
const load: Phase = {
  index: 0,
  name: 'tsbs.load',
  kind: 'load',
  workers: 2,
  startedMs: 12.5,
  rows: 1000,
  metrics: 10_000,
  bytes: 5e4,
  seconds: 0.5,
  rowsPerSecond: 2000,
  metricsPerSecond: 20_000,
  verifiedRows: 1000,
  plannedRows: 1000,
  operations: [
    {
      name: 'batch',
      count: 1,
      errors: 0,
      late: 0,
      dropped: 0,
      rows: 1000,
      bytes: 5e4,
      seconds: 0.5,
      perSecond: 2,
      latencyUs: latency,
      serviceUs: null,
    },
  ],
  notes: ['plain table'],
};
const server = {
  engine: 'sandbox',
  product: 'PostgreSQL',
  version: '18.4',
  versionText: 'PostgreSQL 18.4 on x86_64',
  edition: 'plain',
  dialect: 'postgresql',
  database: 'benchmark',
  sizeBytes: 8e6,
  tls: null,
  roundTripUs: 90,
  settings: [],
  notes: [],
};

describe('a run', () => {
  test('comes back as it was written, and its head gets its figures from the parts', () => {
    const run = makeRun({ tags: ['nightly'], notes: 'first' });
    store.runs.create(run, owner);
    expect(store.runs.get('run-1')).toEqual(run);
    const head = store.runs.update('run-1', {
      status: 'finished',
      server,
      phases: [load],
      endedAt: '2026-01-31T12:10:00.000Z',
    });
    expect(head).toMatchObject({
      serverLabel: 'PostgreSQL 18.4',
      rows: 1000,
      rowsPerSecond: 2000,
      p99Us: 77,
    });
    expect(store.runs.list(all)).toEqual([head]);
    expect(store.runs.get('run-1')).toMatchObject({ ...run, ...head, phases: [load], server });
  });

  test('an edition is part of the label; a query run has no rows', () => {
    store.runs.create(makeRun(), owner);
    const phases: Phase[] = [
      { ...load, kind: 'queries', name: 'tsbs.queries', plannedRows: null, verifiedRows: null },
    ];
    const head = store.runs.update('run-1', { server: { ...server, edition: 'TimescaleDB 2.19.3' }, phases });
    expect(head).toMatchObject({
      serverLabel: 'PostgreSQL 18.4, TimescaleDB 2.19.3',
      rows: null,
      rowsPerSecond: null,
      p99Us: 77,
    });
  });

  test('that does not exist is null to get and not-found to update', () => {
    expect(store.runs.get('none')).toBeNull();
    expect(() => store.runs.update('none', { notes: '' })).toThrow('There is no run none');
  });

  test('hides when removed, comes back when restored, and cannot be removed while active', () => {
    store.runs.create(makeRun(), owner);
    expect(() => store.runs.remove(['run-1'])).toThrow('cannot be deleted');
    store.runs.update('run-1', { status: 'finished' });
    store.runs.remove(['run-1']);
    expect(store.runs.list(all)).toEqual([]);
    expect(store.runs.get('run-1')).toBeNull();
    store.runs.restore(['run-1']);
    expect(store.runs.list(all)).toHaveLength(1);
  });

  test('is an orphan only while active and its owner is gone', () => {
    store.runs.create(makeRun({ id: 'a', status: 'running' }), { pid: 1, startedAt: 10 });
    store.runs.create(makeRun({ id: 'b', status: 'preparing' }), { pid: 1, startedAt: 11 });
    store.runs.create(makeRun({ id: 'c', status: 'finished' }), { pid: 1, startedAt: 10 });
    expect(store.runs.orphans(({ pid, startedAt }) => pid === 1 && startedAt === 11)).toEqual(['a']);
    spoil(`UPDATE run_body SET plan = '' WHERE run_id = 'a'`);
    expect(store.runs.orphans(() => false)).toEqual(['b']);
    expect(said).toEqual([expect.stringContaining('run a')]);
  });
});

describe('the list', () => {
  beforeEach(() => {
    const days = ['2026-01-01', '2026-01-03', '2026-01-02'];
    for (const [i, name] of ['Alpha 100%', 'Émile_B', 'gamma'].entries()) {
      store.runs.create(
        makeRun({
          id: `r${i}`,
          name,
          startedAt: `${days[i]}T00:00:00.000Z`,
          tags: i === 2 ? ['x', 'x y'] : [],
          notes: i === 0 ? 'slow CARD' : '',
        }),
        owner,
      );
    }
  });
  const names = (filter: string, limit = 100) =>
    store.runs.list({ terms: terms(filter), limit }).map(({ name }) => name);

  test('is newest first and keeps the limit', () => {
    expect(names('')).toEqual(['Émile_B', 'gamma', 'Alpha 100%']);
    expect(names('', 2)).toEqual(['Émile_B', 'gamma']);
  });
  test('finds every word anywhere, whatever its case, with no wildcards', () => {
    expect(names('card alpha')).toEqual(['Alpha 100%']);
    expect(names('ÉMILE')).toEqual(['Émile_B']);
    expect(names('%')).toEqual(['Alpha 100%']);
    expect(names('e_b')).toEqual(['Émile_B']);
    expect(names(`'; DROP TABLE run; --`)).toEqual([]);
    expect(names('sandbox')).toHaveLength(3);
  });
  test('filters by whole tags', () => {
    expect(names('tag:x')).toEqual(['gamma']);
    expect(names('tag:y')).toEqual([]);
  });
  test('follows a change of name, notes and tags', () => {
    store.runs.update('r2', { name: 'delta', tags: ['z'], notes: 'warm' });
    expect(names('gamma')).toEqual([]);
    expect(names('delta warm tag:z')).toEqual(['delta']);
  });
});

describe('a filter', () => {
  const host = (model: string) => {
    const before = makeInventory();
    return {
      name: 'shelf',
      before: { ...before, model: { value: model, raw: model } },
      after: null,
      gate: null,
      quieted: null,
      place: null,
    };
  };
  beforeEach(() => {
    const valid = { code: 'valid' as const, reason: '', advice: '' };
    store.runs.create(
      makeRun({
        id: 'pi4',
        status: 'finished',
        engine: 'questdb',
        targetName: 'Käfer',
        startedAt: '2026-01-01T23:59:59.999Z',
        host: host('Raspberry Pi 4 Model B Rev 1.4'),
        verdicts: [valid],
        tags: ['NVMe'],
      }),
      owner,
    );
    store.runs.create(
      makeRun({
        id: 'pi5',
        status: 'finished',
        engine: 'postgresql',
        targetName: 'bee',
        startedAt: '2026-01-02T00:00:00.000Z',
        host: host('Raspberry Pi 5 Model B Rev 1.0'),
        verdicts: [{ ...valid, code: 'throttled' }],
      }),
      owner,
    );
  });
  const found = (filter: string) => {
    const ids = store.runs.list({ terms: terms(filter), limit: 100 }).map(({ id }) => id);
    expect(store.runs.count(terms(filter))).toBe(ids.length);
    return ids.join(' ');
  };

  test.each([
    ['engine:questdb', 'pi4'],
    ['engine:quest', ''],
    ['pi:"pi 5"', 'pi5'],
    ['pi:"model b"', 'pi5 pi4'],
    ['tag:nvme', 'pi4'],
    ['target:KÄF', 'pi4'],
    ['verdict:valid', 'pi4'],
    ['-verdict:valid', 'pi5'],
    ['verdict:valid engine:postgresql', ''],
    ['since:2026-01-02', 'pi5'],
    ['until:2026-01-01', 'pi4'],
    ['since:3d', 'pi4 pi5'.split(' ').toReversed().join(' ')],
    ['since:2d', 'pi5'],
    ['status:finished -bee', 'pi4'],
    ['plan:cpu-only', 'pi5 pi4'],
  ])('%s finds %s', (filter, ids) => {
    expect(found(filter)).toBe(ids);
  });

  test('version is known once the server is, and begins with what is asked', () => {
    expect(found('version:1')).toBe('');
    store.runs.update('pi5', { server: { ...server, version: '17.5' } });
    expect(found('version:17')).toBe('pi5');
    expect(found('version:17.5')).toBe('pi5');
    expect(found('version:7')).toBe('');
    expect(store.runs.facets()).toContainEqual({ key: 'version', value: '17.5', runs: 1 });
  });

  test('archived runs come only where they are asked for, and a deleted one is in no count', () => {
    expect(store.runs.archive(['pi4', 'gone'], true)).toEqual(['pi4']);
    expect(store.runs.archive(['pi4'], true)).toEqual([]);
    expect(found('')).toBe('pi5');
    expect(found('is:archived')).toBe('pi4');
    expect(found('is:any tag:nvme')).toBe('pi4');
    expect(store.runs.get('pi4')?.archived).toBe(true);
    expect(store.runs.facets().filter(({ key }) => key === 'tag')).toEqual([]);
    expect(store.runs.archive(['pi4'], false)).toEqual(['pi4']);
    expect(store.runs.facets().filter(({ key }) => key === 'tag')).toEqual([
      { key: 'tag', value: 'NVMe', runs: 1 },
    ]);
    store.runs.remove(['pi4']);
    expect(found('is:any')).toBe('pi5');
    expect(store.runs.facets().filter(({ key }) => key === 'tag')).toEqual([]);
  });
});

test('a run is left out of its group with a reason, whatever is written of it later, and taken in again', () => {
  store.runs.create(makeRun(), owner);
  expect(store.runs.leaveOut('run-1', 'the fan had come off')).toBe(true);
  store.runs.update('run-1', { notes: 'x' });
  expect(store.runs.get('run-1')?.leftOut).toBe('the fan had come off');
  expect(store.runs.list(all)[0]?.leftOut).toBe('the fan had come off');
  store.runs.leaveOut('run-1', null);
  expect(store.runs.get('run-1')).not.toHaveProperty('leftOut');
  expect(store.runs.leaveOut('gone', 'why')).toBe(false);
});

describe('stored data that cannot be read', () => {
  beforeEach(() => {
    store.runs.create(makeRun({ id: 'bad', name: 'broken', tags: ['t'] }), owner);
    store.runs.create(makeRun({ id: 'good', tags: ['t'] }), owner);
  });

  test.each([
    `UPDATE run SET tags = '{' WHERE id = 'bad'`,
    `UPDATE run SET verdicts = '[{"code":"fine"}]' WHERE id = 'bad'`,
    `UPDATE run SET status = 'odd', rows = 'many', started_at = 'yesterday' WHERE id = 'bad'`,
  ])('%s: the entry is listed with what is wrong, reported once, and not written over', (sql) => {
    spoil(sql);
    for (let i = 0; i < 2; i += 1) {
      const list = store.runs.list(all);
      expect(list).toHaveLength(2);
      const entry = list.find(({ id }) => id === 'bad');
      expect(entry).toMatchObject({ name: 'broken', status: 'failed' });
      expect(entry?.verdicts[0]?.reason).toContain('cannot be read');
    }
    expect(said).toHaveLength(1);
    expect(said[0]).toContain('broken');
    expect(store.notices).toEqual(said);
    expect(store.runs.list({ ...all, terms: terms('tag:t') }).map(({ id }) => id)).toContain('good');
    expect(() => store.runs.get('bad')).toThrow('cannot be read');
    expect(() => store.runs.update('bad', { notes: 'x' })).toThrow('cannot be read');
    store.runs.update('good', { status: 'finished' });
    expect(store.runs.get('good')?.status).toBe('finished');
  });

  test('a body: get says which part', () => {
    spoil(`UPDATE run_body SET phases = '[{}]' WHERE run_id = 'bad'`);
    expect(() => store.runs.get('bad')).toThrow(
      expect.objectContaining({ code: 'store-damaged', detail: expect.stringContaining('phases.0') }),
    );
    expect(store.runs.list(all)).toHaveLength(2);
  });

  test('a tick and an event: the others come, and the gap is an event of the run', () => {
    for (let seq = 0; seq < 4; seq += 1) store.runs.appendTick(makeTick({ runId: 'bad', seq }), []);
    store.runs.appendEvent(makeEvent({ runId: 'bad', text: 'fine' }));
    store.runs.appendEvent(makeEvent({ runId: 'bad', text: 'odd' }));
    spoil(`UPDATE tick SET tick = '{"seq":' WHERE seq = 2`);
    spoil(`UPDATE run_event SET kind = 'strange' WHERE text = 'odd'`);
    const { ticks, events } = store.runs.series('bad');
    expect(ticks.map(({ seq }) => seq)).toEqual([0, 1, 3]);
    expect(events.map(({ text }) => text)).toEqual([
      expect.stringMatching(/^1 of 4 snapshots .*not JSON/),
      expect.stringMatching(/^1 of 2 events .*kind/),
      'fine',
    ]);
    expect(said).toHaveLength(2);
  });
});

describe('the time axis', () => {
  test('ticks and events come back in order and unchanged, of that run alone', () => {
    store.runs.create(makeRun(), owner);
    store.runs.create(makeRun({ id: 'other' }), owner);
    const ticks = [0, 1, 2].map((seq) =>
      makeTick({ seq, operations: [makeOperation({ rows: seq }), makeOperation({ name: 'é"\n' })] }),
    );
    for (const tick of [ticks[2], ticks[0], ticks[1]]) if (tick) store.runs.appendTick(tick, []);
    store.runs.appendTick(makeTick({ runId: 'other' }), []);
    const late = makeEvent({ atMs: 10.5, kind: 'error', text: 'late' });
    const early = makeEvent({ atMs: 1, text: 'early' });
    store.runs.appendEvent(late);
    store.runs.appendEvent(early);
    expect(store.runs.series('run-1')).toEqual({
      ticks,
      events: [early, late],
      health: [],
      server: [],
      serverWatch: null,
    });
  });

  test("the server's samples come back in order and unchanged, of that run alone; damaged ones are said", () => {
    store.runs.create(makeRun(), owner);
    store.runs.create(makeRun({ id: 'other' }), owner);
    const samples = [
      makeServerSample(),
      makeServerSample({ atMs: 2000.5, wal: null, io: null }),
      makeServerSample(),
    ];
    for (const sample of samples) store.runs.appendServer('run-1', sample);
    store.runs.appendServer('other', makeServerSample());
    const watch = {
      limits: [{ what: 'autovacuum', role: 'pg_monitor' }],
      statements: [],
      noStatements: 'none',
    };
    store.runs.keepServerWatch('run-1', watch);
    expect(store.runs.series('run-1')).toMatchObject({ server: samples, serverWatch: watch });
    expect(store.runs.series('other').serverWatch).toBeNull();
    expect(() => store.runs.appendServer('none', makeServerSample())).toThrow();

    spoil(`UPDATE server_sample SET sample = '{}' WHERE position = 2`);
    spoil(`UPDATE run_body SET server_watch = '[' WHERE run_id = 'run-1'`);
    const { server, serverWatch, events } = store.runs.series('run-1');
    expect(server).toEqual([samples[0], samples[2]]);
    expect(serverWatch).toBeNull();
    expect(events.map(({ text }) => text)).toEqual([
      expect.stringMatching(/^1 of 3 samples of the server .*atMs/),
      expect.stringMatching(/telemetry .*not JSON/),
    ]);
  });

  test('health samples come back in order and unchanged, of that run alone; a damaged one is said', () => {
    store.runs.create(makeRun(), owner);
    store.runs.create(makeRun({ id: 'other' }), owner);
    const unknown = { disk: null, network: null, throttle: null, temperatureC: null, underVoltage: null };
    const samples = [makeHealth(), makeHealth({ atMs: 2000.5, ...unknown }), makeHealth({ atMs: 40_000 })];
    for (const sample of samples) store.runs.appendHealth('run-1', sample);
    store.runs.appendHealth('other', makeHealth());
    expect(store.runs.series('run-1').health).toEqual(samples);
    expect(() => store.runs.appendHealth('none', makeHealth())).toThrow();

    spoil(`UPDATE health SET sample = '{}' WHERE position = 2`);
    const { health, events } = store.runs.series('run-1');
    expect(health).toEqual([samples[0], samples[2]]);
    expect(events.map(({ text }) => text)).toEqual([expect.stringMatching(/^1 of 3 health samples .*atMs/)]);
  });

  test('a run beside one of another living process is refused; a dead one does not block', () => {
    const other = { pid: owner.pid + 1, startedAt: 5 };
    store.runs.create(makeRun({ id: 'theirs', name: 'Theirs', status: 'running', endedAt: null }), other);
    const mine = makeRun({ id: 'mine', status: 'preparing', endedAt: null });
    expect(() => store.runs.create(mine, owner, () => true)).toThrow(
      expect.objectContaining({
        code: 'run-active',
        message: `Theirs is running in another Benchberry process (${other.pid}): a second run would disturb its figures`,
      }),
    );
    expect(store.runs.get('mine')).toBeNull();
    store.runs.create(mine, owner, ({ pid }) => pid !== other.pid);
    // One's own runs are the runner's to keep apart.
    store.runs.create(
      makeRun({ id: 'beside', status: 'preparing', endedAt: null }),
      owner,
      ({ pid }) => pid === owner.pid,
    );
    store.runs.update('theirs', { status: 'finished' });
    store.runs.create(makeRun({ id: 'after' }), owner, () => true);
  });

  test('the inventories of the host are kept with the run', () => {
    store.runs.create(makeRun(), owner);
    expect(store.runs.get('run-1')?.host).toBeNull();
    const host = {
      name: 'rpi-4',
      before: makeInventory(),
      after: null,
      gate: null,
      quieted: null,
      place: null,
    };
    store.runs.update('run-1', { host });
    expect(store.runs.get('run-1')?.host).toEqual(host);
  });

  test('histograms come by phase, in the order of ticks', () => {
    store.runs.create(makeRun(), owner);
    store.runs.appendTick(makeTick({ seq: 0, phase: 0 }), [
      { operation: 'b', latency: 'HB0', service: 'SB0' },
      { operation: 'a', latency: 'HA0', service: null },
    ]);
    store.runs.appendTick(makeTick({ seq: 1, phase: 0 }), [{ operation: 'a', latency: null, service: null }]);
    store.runs.appendTick(makeTick({ seq: 2, phase: 1 }), [
      { operation: 'a', latency: 'HA2', service: null },
    ]);
    expect(store.runs.histograms('run-1', 0)).toEqual([
      { seq: 0, operation: 'a', latency: 'HA0', service: null },
      { seq: 0, operation: 'b', latency: 'HB0', service: 'SB0' },
      { seq: 1, operation: 'a', latency: null, service: null },
    ]);
    expect(store.runs.histograms('run-1', 1).map(({ latency }) => latency)).toEqual(['HA2']);
  });

  test('a tick of a run that is not there is refused, and neither half of a refused tick is kept', () => {
    expect(() => store.runs.appendTick(makeTick({ runId: 'none' }), [])).toThrow();
    store.runs.create(makeRun(), owner);
    const twice = { operation: 'a', latency: null, service: null };
    expect(() => store.runs.appendTick(makeTick(), [twice, twice])).toThrow();
    expect(store.runs.series('run-1').ticks).toEqual([]);
  });
});
