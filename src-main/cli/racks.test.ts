import { describe, expect, test } from 'vitest';
import { AppError } from '../../src-shared/errors.ts';
import type { Host } from '../../src-shared/model/host.ts';
import type { Provisioning } from '../../src-shared/model/provision.ts';
import type { RackResult, RackRun } from '../../src-shared/model/rack.ts';
import type { Target } from '../../src-shared/model/target.ts';
import { rackFindings } from '../../src-shared/stats/rack.ts';
import { makeHost, makeProvisioning } from '../store/testHost.ts';
import { makeRun, makeTarget } from '../store/testRun.ts';
import { provisionRack } from './provisionRack.ts';
import { hostsOfRack, leaveOut, rackTargets, showRack } from './racks.ts';
import { fakeApp, fakeCli } from './testCli.ts';

const host = (name: string, group: string | null = 'shelf'): Host => ({
  ...makeHost({ id: name, name, group }),
  hasSecret: false,
});
const hosts = [host('a'), host('b'), host('c'), host('desk', null)];
const recipes = [{ id: 'quiet', label: 'Quiet', description: '', fields: [] }];
const options = { recipe: ['quiet'], set: [], yes: true };

/** A core on which host `b` cannot be set up. */
function core() {
  const applied: string[] = [];
  const secrets: string[] = [];
  const kept = new Map<string, Provisioning>();
  const fake = fakeApp({
    'hosts.list': async () => hosts,
    'hosts.setSecret': async ({ id, kind, secret }) => {
      secrets.push(`${id} ${kind} ${secret}`);
      return null;
    },
    'provision.plan': async (plan) => {
      if (plan.hostId === 'c') throw new AppError({ code: 'connection-refused', message: 'Nobody answers' });
      const planned = makeProvisioning({ id: `p-${plan.hostId}`, hostId: plan.hostId });
      kept.set(planned.id, planned);
      return planned;
    },
    'provision.get': async ({ id }) => kept.get(id) ?? makeProvisioning({ id }),
    'provision.apply': async ({ id }) => {
      applied.push(id);
      const before = kept.get(id) ?? makeProvisioning({ id });
      const failed = id === 'p-b';
      const error = { code: 'disk-full' as const, message: 'No room' };
      // b fails before a is done.
      setTimeout(
        () =>
          fake.emit('provision.changed', {
            ...before,
            status: failed ? 'failed' : 'done',
            error: failed ? error : null,
          }),
        failed ? 1 : 20,
      );
      return { ...before, status: 'applying' };
    },
  });
  return { fake, applied, secrets };
}

describe('host provision --group', () => {
  test('sets up each host for itself: one that fails does not keep the others', async () => {
    const { fake, applied, secrets } = core();
    const { cli, stdout } = fakeCli(fake.app, { BENCHBERRY_SUDO_PASSWORD: 'same' });
    expect(await provisionRack(cli, recipes, 'shelf', options)).toBe(1);
    expect(applied).toEqual(['p-a', 'p-b']);
    expect(secrets).toEqual(['a sudo same', 'b sudo same', 'c sudo same']);
    expect(stdout().trim().split('\n').slice(-3)).toEqual(['a: done', 'b: No room', 'c: Nobody answers']);
  });

  test('--dry-run plans on all and applies nothing; --json has each host with its own outcome', async () => {
    const { fake, applied } = core();
    const { cli, stdout } = fakeCli(fake.app);
    expect(await provisionRack(cli, recipes, 'shelf', { ...options, dryRun: true, json: true })).toBe(1);
    expect(applied).toEqual([]);
    expect(JSON.parse(stdout())).toMatchObject([
      { host: 'a', provisioning: { status: 'planned' }, error: null },
      { host: 'b', provisioning: { status: 'planned' }, error: null },
      { host: 'c', provisioning: null, error: { code: 'connection-refused' } },
    ]);
  });

  test('asks for each password, or once for all as is answered', async () => {
    for (const [answer, given] of [
      ['n', ['a login 1', 'b login 2', 'c login 3']],
      ['y', ['a login 1', 'b login 1', 'c login 1']],
    ] as const) {
      const { fake, secrets } = core();
      const lacking = new AppError({ code: 'password-needed', message: 'no password', secret: 'login' });
      let asked = 0;
      const { app } = fakeApp({
        'hosts.list': async () => hosts,
        'hosts.setSecret': fake.app.handlers['hosts.setSecret'],
        'provision.plan': async ({ hostId }) => {
          if (!secrets.some((each) => each.startsWith(hostId))) throw lacking;
          return makeProvisioning({ hostId });
        },
      });
      const { cli } = fakeCli(app);
      const terminal = {
        ...cli.terminal,
        secret: async () => {
          asked += 1;
          return String(asked);
        },
        ask: async () => answer,
      };
      const code = await provisionRack({ ...cli, terminal }, recipes, 'shelf', { ...options, dryRun: true });
      expect([code, secrets]).toEqual([0, given]);
    }
  });

  test('a rack that nobody is in is not found, with the nearest name', async () => {
    const { fake } = core();
    await expect(hostsOfRack(fake.app.api, 'shelv')).rejects.toMatchObject({
      code: 'not-found',
      hint: 'Did you mean shelf?',
    });
  });
});

describe('run --rack', () => {
  const target = (name: string, hostId: string): Target => ({
    ...makeTarget({ id: name, name, hostId }),
    builtIn: false,
    hasSecret: true,
  });
  const choose = (targets: readonly Target[], rest: { member?: string[]; without?: string[] } = {}) => {
    const { app } = fakeApp({ 'hosts.list': async () => hosts, 'targets.list': async () => [...targets] });
    return rackTargets(app.api, { rack: 'shelf', member: [], without: [], ...rest }).then((chosen) =>
      chosen.map((each) => `${each.host.name}=${each.target.name}`),
    );
  };
  const three = [target('pg-a', 'a'), target('pg-b', 'b'), target('pg-c', 'c')];

  test('takes the target of each host, and none by itself where there are several', async () => {
    expect(await choose([...three, target('elsewhere', 'desk')])).toEqual(['a=pg-a', 'b=pg-b', 'c=pg-c']);
    const more = [...three, target('docker-b', 'b')];
    await expect(choose(more)).rejects.toMatchObject({
      message: 'b has several targets',
      detail: 'pg-b, docker-b',
    });
    expect(await choose(more, { member: ['b=docker-b'] })).toEqual(['a=pg-a', 'b=docker-b', 'c=pg-c']);
    await expect(choose(more, { member: ['b=pg-a'] })).rejects.toMatchObject({ code: 'bad-input' });
  });

  test('needs one on each host that takes part', async () => {
    await expect(choose(three.slice(1))).rejects.toMatchObject({ message: 'a has no target' });
    expect(await choose(three.slice(1), { without: ['a'] })).toEqual(['b=pg-b', 'c=pg-c']);
  });
});

describe('rack show and leave-out', () => {
  const run: RackRun = {
    id: '0123abcd-rack',
    rack: 'shelf',
    plan: makeRun().plan,
    atOnce: true,
    startedAt: '2026-01-31T12:00:00.000Z',
    endedAt: '2026-01-31T13:00:00.000Z',
    members: ['a', 'b', 'c'].map((name) => ({
      hostId: name,
      hostName: name,
      targetName: name,
      runIds: [],
      error: null,
      leftOut: null,
    })),
  };
  const figures = (rowsPerSecond: number, fsyncMs: number) => ({
    rowsPerSecond,
    queriesPerSecond: null,
    transactionsPerSecond: null,
    p99Us: 18_400,
    temperatureC: 61,
    throttledSeconds: 0,
    underVoltageSeconds: null,
    clockMhz: null,
    fsyncMs,
    measuredAt: '2026-01-31T12:00:00.000Z',
    roundTripUs: null,
    linkMbit: null,
    wifi: null,
  });
  const result = (leftOut: string | null): RackResult => {
    const findings = rackFindings(
      [figures(10_000, 2), figures(10_200, 2), figures(5_000, 12)].map((each, i) => ({
        hostId: 'abc'.charAt(i),
        hostName: 'abc'.charAt(i),
        figures: each,
        leftOut: i === 2 ? leftOut : null,
        missing: '',
      })),
    );
    const members = run.members.map((member) => ({
      ...member,
      leftOut: member.hostId === 'c' && leftOut !== null ? { reason: leftOut, at: run.startedAt } : null,
    }));
    return { run: { ...run, members }, ...findings };
  };

  test('print hosts, the outlier with its reason, and who is not in mean and median', async () => {
    let leftReason: string | null = null;
    const { app } = fakeApp({
      'racks.list': async () => [run],
      'racks.result': async () => result(leftReason),
      'racks.leaveOut': async ({ reason }) => {
        leftReason = reason;
        return run;
      },
    });
    const { cli, stdout } = fakeCli(app);
    expect(await showRack(cli, '0123', {})).toBe(0);
    expect(stdout()).toBe(`TSBS cpu-only on rack shelf, all at once (0123abcd-rack)

Host  rows/s        Δ      p99    °C  throttled    fsync
a     10,000  +31.6 %  18.4 ms  61.0        0 s  2.00 ms
b     10,200  +36.0 %  18.4 ms  61.0        0 s  2.00 ms
c      5,000  −50.5 %  18.4 ms  61.0        0 s  12.0 ms  outlier

c wrote 5,000 rows/s, 50.5 % below the median of the others (10,100): an fsync takes 12.0 ms (on the others 2.00 ms) (not known: under-voltage, clock, round trip, network, link speed).

Mean 8,400, median 10,000 rows/s of 3 hosts
`);
    expect(await leaveOut(cli, '0123', 'c', 'a worn card')).toBe(0);
    const text = stdout();
    expect(text).toContain('left out: a worn card');
    expect(text).toContain('Mean 10,100, median 10,100 rows/s of 2 hosts, without c (left out: a worn card)');
    await expect(leaveOut(cli, '0123', 'x', 'why')).rejects.toMatchObject({ code: 'not-found' });
    await expect(showRack(cli, '99', {})).rejects.toMatchObject({ code: 'not-found' });
  });
});
