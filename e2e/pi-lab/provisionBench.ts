import { expect } from 'vitest';
import { openTestApp, removeFolder, type TestApp } from '../../src-main/app/testApp.ts';
import type { Remote } from '../../src-main/hosts/remote.ts';
import { openRemote } from '../../src-main/hosts/ssh/index.ts';
import type { Provisioning } from '../../src-shared/model/provision.ts';
import { until } from './shell.ts';
import type { VirtualPi } from './virtualPi.ts';

type Recipes = readonly { id: string; parameters: Record<string, string | number | boolean> }[];

/** A workbench with one virtual Pi as its host, key trusted and passwords given, and short ways to provision it. */
export interface Bench {
  readonly app: TestApp;
  plan(recipes: Recipes): Promise<Provisioning>;
  /** Plans until it is as wanted, e.g. after a restart of the host. */
  untilPlanned(recipes: Recipes, condition: (planned: Provisioning) => boolean): Promise<Provisioning>;
  /** Plans, applies, resolves when it has ended, whichever way. */
  apply(recipes: Recipes): Promise<Provisioning>;
  /** Applies what was planned. */
  applyPlanned(id: string): Promise<Provisioning>;
  undo(id: string): Promise<Provisioning>;
  states(provisioning: Provisioning): string[];
  /** For the message of an assertion. */
  logOf(provisioning: Provisioning): string;
  /** Loads 43,200 rows into the target that came out of it, over the network, and expects each of them there. */
  loads(provisioning: Provisioning): Promise<void>;
  /** Signed in, for what is not a provisioning. */
  remote(): Promise<Remote>;
  /** Configuration, packages and units, without what moves by itself. */
  snapshot(): Promise<string[]>;
  close(): Promise<void>;
}

export async function openBench(pi: VirtualPi): Promise<Bench> {
  const app = await openTestApp();
  const { api } = app;
  const host = await api.call('hosts.save', {
    id: null,
    name: 'Lab Pi',
    address: pi.address,
    port: 22,
    user: pi.user,
    auth: { method: 'password' },
    group: null,
    secret: pi.password,
  });
  const hostId = host.id;
  const { key } = await api.call('hosts.key', { id: hostId });
  expect(key.fingerprint).toBe(await pi.hostKey());
  await api.call('hosts.trust', { id: hostId, key });
  await api.call('hosts.setSecret', { id: hostId, kind: 'sudo', secret: pi.password });

  const plan: Bench['plan'] = (recipes) => api.call('provision.plan', { hostId, recipes: [...recipes] });
  const applyPlanned: Bench['applyPlanned'] = async (id) => {
    await api.call('provision.apply', { id });
    return app.until(
      'provision.changed',
      (each) => each.id === id && ['done', 'failed', 'cancelled'].includes(each.status),
    );
  };
  // sudo leaves a file in the home folder when it is used for the first time.
  await plan([{ id: 'headless', parameters: {} }]);
  return {
    app,
    plan,
    applyPlanned,
    untilPlanned: (recipes, condition) =>
      until('the host to be as planned', async () => {
        const planned = await plan(recipes);
        return condition(planned) ? planned : null;
      }),
    apply: async (recipes) => applyPlanned((await plan(recipes)).id),
    async undo(id) {
      await api.call('provision.undo', { id });
      const ended = await app.until(
        'provision.changed',
        (each) => each.id === id && (each.status === 'undone' || undoFailed(each)),
      );
      expect(ended.status, logOf(ended)).toBe('undone');
      return ended;
    },
    states: ({ steps }) => steps.map(({ id, state }) => `${id} ${state}`),
    logOf,
    loads: (provisioning) => load(app, hostId, provisioning),
    remote: () =>
      openRemote(host, { secret: async () => pi.password, trusted: key }, new AbortController().signal),
    snapshot: () => snapshot(pi),
    async close() {
      await app.close();
      removeFolder(app.folder);
    },
  };
}

const undoFailed = ({ status, steps }: Provisioning) =>
  status === 'failed' && steps.some(({ state }) => state === 'undone');

function logOf({ steps, error }: Provisioning): string {
  return (
    JSON.stringify(error) + steps.map(({ id, log, evidence }) => `\n${id}: ${evidence}\n${log}`).join('')
  );
}

async function load({ api, until: heard }: TestApp, hostId: string, made: Provisioning): Promise<void> {
  const target = (await api.call('targets.list', null)).find(({ id }) => id === made.targetId);
  expect(target).toMatchObject({ engine: 'postgresql', hostId });
  const targetId = target?.id ?? '';
  const server = await api.call('targets.test', { id: targetId, secret: null });
  expect(JSON.stringify(server)).toMatch(/timescaledb/i);
  const parameters = {
    scale: 40,
    timestampStart: '2021-01-01T10:00:00Z',
    timestampEnd: '2021-01-01T13:00:00Z',
    batchSize: 1000,
    workers: 2,
    chunkTime: '1h',
  };
  const head = await api.call('runs.start', {
    targetId,
    plan: { version: 1, name: 'Lab', target: 'lab', steps: [{ 'tsbs.load': parameters }] },
  });
  const { head: last } = await heard('run.changed', (each) => each.head.id === head.id && each.final);
  const run = await api.call('runs.get', { id: head.id });
  expect(last.status, JSON.stringify(run)).toBe('finished');
  // Three hours, a row each ten seconds, forty hosts.
  expect(run.phases[0]).toMatchObject({ rows: 43_200, verifiedRows: 43_200 });
}

/**
 * Tools of accounts keep a copy of the files they changed (`passwd-`); systemd starts services on demand and lines its
 * columns up with them.
 */
async function snapshot(pi: VirtualPi): Promise<string[]> {
  return (await pi.snapshot())
    .filter((line) => !/\/etc\/(passwd|shadow|group|gshadow)-/.test(line))
    .filter((line) => !/^systemd-(timedated|hostnamed|localed)/.test(line))
    .map((line) => line.replaceAll(/ +/g, ' '));
}
