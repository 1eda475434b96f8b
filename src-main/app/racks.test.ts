import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Host } from '../../src-shared/model/host.ts';
import type { Phase, Run } from '../../src-shared/model/run.ts';
import { goodLoad } from '../runs/testBench.ts';
import { openStore } from '../store/openStore.ts';
import { makeHealth } from '../store/testHealth.ts';
import { makeRun } from '../store/testRun.ts';
import { loadPlan, openTestApp, removeFolder, type TestApp } from './testApp.ts';

let app: TestApp;
beforeEach(async () => {
  app = await openTestApp();
});
afterEach(async () => {
  await app.close();
  removeFolder(app.folder);
});

/** Nobody listens there: its runs fail at once. */
const nowhere = { host: '127.0.0.1', port: 1 };
const override = { overrideGate: 'there is no host behind it' };

async function addHost(name: string, group: string | null = 'shelf') {
  const host = await app.api.call('hosts.save', {
    id: null,
    name,
    address: nowhere.host,
    port: nowhere.port,
    user: 'pi',
    auth: { method: 'password' },
    group,
    secret: 'x',
  });
  const target = await app.api.call('targets.save', {
    id: null,
    name: `${name}-pg`,
    engine: 'postgresql',
    connection: nowhere,
    secret: 'x',
    hostId: host.id,
  });
  return { host, target, member: { hostId: host.id, targetId: target.id } };
}

for (const atOnce of [false, true]) {
  it(`runs on every host ${atOnce ? 'at once' : 'in turn'}, whatever becomes of each, in one group`, async () => {
    const members = [await addHost('a'), await addHost('b'), await addHost('c')].map(({ member }) => member);
    const started = await app.api.call('racks.start', {
      rack: 'shelf',
      plan: loadPlan(1, 1),
      atOnce,
      members,
      ...override,
    });
    expect(started).toMatchObject({ rack: 'shelf', atOnce, endedAt: null });
    expect(started.members.map(({ runIds }) => runIds.length)).toEqual(atOnce ? [1, 1, 1] : [1, 0, 0]);
    await expect(
      app.api.call('runs.start', { plan: loadPlan(1, 1), targetId: 'null' }),
    ).rejects.toMatchObject({ code: 'run-active' });
    const ended = await app.until('rack.changed', ({ endedAt }) => endedAt !== null);
    expect(ended.members.map(({ hostName, targetName }) => [hostName, targetName])).toEqual([
      ['a', 'a-pg'],
      ['b', 'b-pg'],
      ['c', 'c-pg'],
    ]);
    const runs = await Promise.all(
      ended.members.flatMap(({ runIds }) => runIds).map((id) => app.api.call('runs.get', { id })),
    );
    expect(runs.map(({ status, group, targetName }) => [status, group, targetName])).toEqual(
      ['a-pg', 'b-pg', 'c-pg'].map((name) => ['failed', started.id, name]),
    );
    expect(await app.api.call('racks.list', { rack: 'shelf' })).toEqual([ended]);
    expect(await app.api.call('racks.result', { id: started.id })).toMatchObject({
      hosts: [{ figures: null }, { figures: null }, { figures: null }],
      outliers: [],
      aggregates: [],
    });
    expect(await app.api.call('racks.stop', { id: started.id })).toEqual(ended);
  }, 60_000);
}

it('refuses hosts of another rack, targets elsewhere, the same host twice and a plan with problems', async () => {
  const [a, b] = [await addHost('a'), await addHost('b', 'desk')];
  const start = (members: { hostId: string; targetId: string }[], scale = 1) =>
    app.api.call('racks.start', { rack: 'shelf', plan: loadPlan(scale, 1), atOnce: false, members });
  const bad = { code: 'bad-input' };
  await expect(start([a.member, b.member])).rejects.toMatchObject({
    ...bad,
    message: 'b is no host of the rack shelf',
  });
  await expect(start([{ ...a.member, targetId: b.target.id }])).rejects.toMatchObject({
    ...bad,
    message: 'The target b-pg is not on a',
  });
  await expect(start([a.member, a.member])).rejects.toMatchObject({ ...bad, message: 'a is chosen twice' });
  await expect(start([a.member], -1)).rejects.toMatchObject(bad);
  await expect(start([{ ...a.member, hostId: 'gone' }])).rejects.toMatchObject({ code: 'not-found' });
  await expect(app.api.call('racks.get', { id: 'gone' })).rejects.toMatchObject({ code: 'not-found' });
  expect(await app.api.call('racks.list', {})).toEqual([]);
});

/** A benchmark of a rack that ended, as another process left it in the store. */
function recorded(hosts: readonly Host[], rows: readonly number[]): void {
  const store = openStore(app.folder);
  const owner = { pid: 1, startedAt: 1 };
  hosts.forEach((host, i) => {
    const phase: Phase = { ...goodLoad, rowsPerSecond: rows[i] ?? 0, startedMs: 500 };
    const run: Run = makeRun({ id: `run-${i}`, status: 'finished', group: 'rack-run', phases: [phase] });
    store.runs.create(run, owner);
    const slow = i === rows.length - 1;
    const sample = makeHealth({ temperatureC: slow ? 84.2 : 61, clockMhz: slow ? 600 : 1500 });
    const throttle = sample.throttle && { ...sample.throttle, throttled: slow };
    // The first one is from before the load.
    store.runs.appendHealth(run.id, { ...sample, atMs: 400, temperatureC: 99 });
    for (const atMs of [1400, 2400]) store.runs.appendHealth(run.id, { ...sample, throttle, atMs });
    const check = { id: 'fsync', title: 'fsync', result: 'pass' as const, detail: '', advice: '', raw: '' };
    const checks = [{ ...check, value: slow ? 12 : 2, unit: 'ms' }];
    store.hosts.checked(host.id, 'measured', { at: '2026-01-31T12:00:00.000Z', checks });
  });
  store.racks.save({
    id: 'rack-run',
    rack: 'shelf',
    plan: makeRun().plan,
    atOnce: false,
    startedAt: '2026-01-31T12:00:00.000Z',
    endedAt: '2026-01-31T13:00:00.000Z',
    members: hosts.map(({ id, name }, i) => ({
      hostId: id,
      hostName: name,
      targetName: name,
      runIds: [`run-${i}`],
      error: null,
      leftOut: null,
    })),
  });
  store.close();
}

it('names the slow board with what explains it, and leaves it out on request only, with the reason beside the figures', async () => {
  const hosts = [await addHost('a'), await addHost('b'), await addHost('c'), await addHost('d')].map(
    ({ host }) => host,
  );
  recorded(hosts, [214, 215, 216, 170]);
  const id = 'rack-run';
  const slow = hosts[3]?.id ?? '';
  const result = await app.api.call('racks.result', { id });
  expect(result.outliers).toEqual([
    {
      hostId: slow,
      rate: 'rowsPerSecond',
      delta: 170 / 215 - 1,
      sentence:
        'd wrote 170 rows/s, 20.9 % below the median of the others (215): it was throttled for 2 s (the others 0 s), ' +
        'it reached 84.2 °C (the others 61.0 °C), its clock went down to 600 MHz (the others 1500 MHz) and ' +
        'an fsync takes 12.0 ms (on the others 2.00 ms) (not known: round trip, network, link speed).',
    },
  ]);
  expect(result.aggregates).toEqual([
    { rate: 'rowsPerSecond', mean: 203.75, median: 214.5, hosts: 4, without: '' },
  ]);

  await expect(app.api.call('racks.leaveOut', { id, hostId: slow, reason: '  ' })).rejects.toMatchObject({
    code: 'bad-input',
  });
  const left = await app.api.call('racks.leaveOut', { id, hostId: slow, reason: 'a worn card' });
  expect(left.members[3]?.leftOut?.reason).toBe('a worn card');
  expect(app.heardOf('rack.changed')).toEqual([left]);
  const without = await app.api.call('racks.result', { id });
  expect(without.aggregates).toEqual([
    { rate: 'rowsPerSecond', mean: 215, median: 215, hosts: 3, without: 'd (left out: a worn card)' },
  ]);
  expect(without.outliers).toHaveLength(1);
  await app.api.call('racks.leaveOut', { id, hostId: slow, reason: null });
  expect((await app.api.call('racks.result', { id })).aggregates).toEqual(result.aggregates);
});
