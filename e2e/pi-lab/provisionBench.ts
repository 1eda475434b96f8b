import { expect } from 'vitest';
import { openTestApp, removeFolder, type TestApp } from '../../src-main/app/testApp.ts';
import type { Remote } from '../../src-main/hosts/remote.ts';
import { openRemote } from '../../src-main/hosts/ssh/index.ts';
import type { HostDraft } from '../../src-shared/model/host.ts';
import type { Provisioning } from '../../src-shared/model/provision.ts';
import { startBenchberry } from './command.ts';
import { until } from './shell.ts';
import type { VirtualPi } from './virtualPi.ts';

export type Recipes = readonly { id: string; parameters?: Record<string, string | number | boolean> }[];

/** A workbench with one virtual Pi as its host, key trusted and passwords given, and short ways to provision it. */
export interface Bench {
  readonly app: TestApp;
  readonly hostId: string;
  plan(recipes: Recipes, own?: { before?: string; after?: string }): Promise<Provisioning>;
  /** Plans until it is as wanted, e.g. after a restart of the host. */
  untilPlanned(recipes: Recipes, condition: (planned: Provisioning) => boolean): Promise<Provisioning>;
  /** Plans, applies, resolves when it has ended, whichever way. */
  apply(recipes: Recipes): Promise<Provisioning>;
  /** Applies what was planned, or goes on with it. */
  applyPlanned(id: string): Promise<Provisioning>;
  /** Takes it back, which must succeed. */
  undo(id: string): Promise<Provisioning>;
  /** `recipe.step state`, one for each step. */
  states(provisioning: Provisioning): string[];
  /** For the message of an assertion. */
  logOf(provisioning: Provisioning): string;
  /** Loads 43,200 rows into the target that came out of it, over the network, and expects each of them there. */
  loads(provisioning: Provisioning, dbName?: string): Promise<void>;
  /** Signed in, for what is not a provisioning. */
  remote(): Promise<Remote>;
  /** The command line on the data folder of this workbench. */
  command(args: readonly string[], env?: Record<string, string>): ReturnType<typeof startBenchberry>;
  /** Ends the app and opens it anew on its folder, as its next start does. */
  reopen(): Promise<void>;
  /** Configuration, packages and units, without what moves by itself. */
  snapshot(): Promise<string[]>;
  close(): Promise<void>;
}

/** What the virtual Pi is called in the workbench. */
export const hostName = 'Lab Pi';

/** Makes a virtual Pi a host of the app, signed in to with its password if not told otherwise: its key is looked at and trusted. */
export async function addHost({ api }: TestApp, pi: VirtualPi, as: Partial<HostDraft> = {}) {
  const host = await api.call('hosts.save', {
    id: null,
    name: hostName,
    address: pi.address,
    port: 22,
    user: pi.user,
    auth: { method: 'password' },
    group: null,
    secret: pi.password,
    ...as,
  });
  const { key } = await api.call('hosts.key', { id: host.id });
  expect(key.fingerprint).toBe(await pi.hostKey());
  await api.call('hosts.trust', { id: host.id, key });
  return { ...host, key };
}

/** @param as how to sign in, and the password that sudo asks for; as `pi` with its password if not told otherwise */
export async function openBench(
  pi: VirtualPi,
  { sudo = pi.password, ...as }: Partial<HostDraft> & { sudo?: string } = {},
): Promise<Bench> {
  let app = await openTestApp();
  const host = await addHost(app, pi, as);
  const login = as.secret ?? pi.password;
  const hostId = host.id;
  await app.api.call('hosts.setSecret', { id: hostId, kind: 'sudo', secret: sudo });

  const plan: Bench['plan'] = (recipes, own = {}) =>
    app.api.call('provision.plan', {
      hostId,
      recipes: recipes.map(({ id, parameters = {} }) => ({ id, parameters })),
      ...own,
    });
  // sudo leaves a file in the home folder when it is used for the first time.
  await plan([{ id: 'headless' }]);
  return {
    get app() {
      return app;
    },
    hostId,
    plan,
    applyPlanned: (id) => finish(app, 'provision.apply', id),
    untilPlanned: (recipes, condition) =>
      until('the host to be as planned', async () => {
        const planned = await plan(recipes);
        return condition(planned) ? planned : null;
      }),
    apply: async (recipes) => finish(app, 'provision.apply', (await plan(recipes)).id),
    async undo(id) {
      const ended = await finish(app, 'provision.undo', id);
      expect(ended.status, logOf(ended)).toBe('undone');
      return ended;
    },
    states: ({ steps }) => steps.map(({ id, state }) => `${id} ${state}`),
    logOf,
    loads: (provisioning, dbName) => load(app, hostId, provisioning, dbName),
    remote: () =>
      openRemote(
        host,
        { secret: async (kind) => (kind === 'sudo' ? sudo : login), trusted: host.key },
        new AbortController().signal,
      ),
    command: (args, env = {}) =>
      startBenchberry(args, {
        BENCHBERRY_DATA: app.folder,
        BENCHBERRY_HOST_PASSWORD: login,
        BENCHBERRY_SUDO_PASSWORD: sudo,
        ...env,
      }),
    async reopen() {
      const { folder, secrets } = app;
      await app.close();
      app = await openTestApp(folder, secrets);
    },
    snapshot: () => snapshot(pi),
    async close() {
      await app.close();
      removeFolder(app.folder);
    },
  };
}

/** Begins, and waits for an end that comes after. */
async function finish(
  { api }: TestApp,
  command: 'provision.apply' | 'provision.undo',
  id: string,
): Promise<Provisioning> {
  const end = new Promise<Provisioning>((resolve) => {
    const off = api.on('provision.changed', (each) => {
      if (each.id !== id || each.status === 'applying' || each.status === 'undoing') return;
      off();
      resolve(each);
    });
  });
  await api.call(command, { id });
  return end;
}

function logOf({ steps, error }: Provisioning): string {
  return (
    JSON.stringify(error) + steps.map(({ id, log, evidence }) => `\n${id}: ${evidence}\n${log}`).join('')
  );
}

async function load(
  { api, until: heard }: TestApp,
  hostId: string,
  made: Provisioning,
  dbName = 'benchmark',
): Promise<void> {
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
    dbName,
  };
  const head = await api.call('runs.start', {
    targetId,
    plan: { version: 1, name: 'Lab', target: 'lab', steps: [{ 'tsbs.load': parameters }] },
    // A virtual Pi shows this machine's load, which need not come to rest while the labs run.
    overrideGate: 'The rows count here, not the figures',
  });
  const { head: last } = await heard('run.changed', (each) => each.head.id === head.id && each.final);
  const run = await api.call('runs.get', { id: head.id });
  expect(last.status, JSON.stringify(run)).toBe('finished');
  // Three hours, a row each ten seconds, forty hosts.
  expect(run.phases[0]).toMatchObject({ rows: 43_200, verifiedRows: 43_200 });
}

/**
 * What is no change of the host: tools of accounts keep a copy of the files they changed (`passwd-`), the mark of Debian's
 * sudo at its first use, sessions of signing in, services that systemd starts on demand, and columns lined up with them.
 */
const passing =
  /\/etc\/(passwd|shadow|group|gshadow)-|^systemd-(timedated|hostnamed|localed|logind)|user@\d|user-runtime|^session-|\.sudo_as_admin|\/home\/pi /;

export async function snapshot(pi: VirtualPi): Promise<string[]> {
  return (await pi.snapshot())
    .filter((line) => !passing.test(line))
    .map((line) => line.replaceAll(/ +/g, ' '));
}

/** Whether there is something at that path of the Pi. */
export async function exists(pi: VirtualPi, path: string): Promise<boolean> {
  return (await pi.exec('sh', '-c', 'test -e "$1" && echo yes || echo no', 'sh', path)) === 'yes\n';
}
export const appears = (pi: VirtualPi, path: string) =>
  until(path, async () => ((await exists(pi, path)) ? true : null));
