import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTestApp, removeFolder, type TestApp } from '../../src-main/app/testApp.ts';
import type { MachineCheck } from '../../src-shared/model/host.ts';
import type { Plan } from '../../src-shared/model/plan.ts';
import { startBenchberry } from './command.ts';
import { addHost, hostName } from './provisionBench.ts';
import { ensureRootFs } from './rootFs.ts';
import { until } from './shell.ts';
import { pi4 } from './shims.ts';
import { bootPi, type VirtualPi } from './virtualPi.ts';

let pi: VirtualPi;
let app: TestApp;
let hostId: string;
let targetId: string;

beforeAll(async () => {
  pi = await bootPi(111, await ensureRootFs((line) => process.stderr.write(`${line}\n`)));
  app = await openTestApp();
  hostId = (await addHost(app, pi)).id;
  const url = new URL(pi.postgresUrl);
  const target = await app.api.call('targets.save', {
    id: null,
    name: 'lab',
    engine: 'postgresql',
    connection: { host: url.hostname, port: Number(url.port), database: 'postgres', user: url.username },
    secret: decodeURIComponent(url.password),
    hostId,
  });
  targetId = target.id;
});
beforeEach(() => pi.board(pi4));
afterAll(async () => {
  await app?.close();
  if (app) removeFolder(app.folder);
  await pi?.close();
});

/** Ten batches a second on one connection, so that it lasts as long on any machine. */
function paced(seconds: number, part: Partial<Plan> = {}): Plan {
  const load = {
    scale: 100,
    timestampStart: '2021-01-01T00:00:00Z',
    timestampEnd: '2021-01-03T00:00:00Z',
    limit: seconds * 10 * 100,
    batchSize: 100,
    workers: 1,
    insertIntervals: '0.1',
    dbName: 'benchmark_gate',
  };
  return { version: 1, name: 'Paced', target: 'lab', steps: [{ 'tsbs.load': load }], repeat: 1, ...part };
}

const start = (plan: Plan, overrideGate: string | null = null, signal?: AbortSignal) =>
  app.api.call('runs.start', { plan, targetId, overrideGate }, signal);
async function ended(id: string) {
  await app.until('run.changed', ({ head, final }) => head.id === id && final);
  const run = await app.api.call('runs.get', { id });
  const { health, events } = await app.api.call('runs.series', { id });
  return { run, health, texts: events.map(({ text }) => text) };
}
const runs = async () => (await app.api.call('runs.list', {})).length;
const results = (checks: readonly MachineCheck[] = []) =>
  Object.fromEntries(checks.map(({ id, result }) => [id, result]));
const timers = async () =>
  (await pi.exec('sh', '-c', "systemctl list-units --plain --no-legend --type=timer | awk '{ print $1 }'"))
    .split('\n')
    .filter((line) => line !== '');

describe('the gate before a run', () => {
  it('is asked by itself; what it said is kept with the run and with the host, with the disk of the data', async () => {
    const { id } = await start(paced(5));
    const { run, health } = await ended(id);
    expect(run.status, JSON.stringify(run.error)).toBe('finished');
    const gate = run.host?.gate;
    expect(gate?.override).toBeNull();
    expect(results(gate?.checks)).toMatchObject({
      temperature: 'pass',
      throttle: 'pass',
      load: 'pass',
      space: 'pass',
      // As initdb made it; nothing to clean up yet.
      settings: 'warn',
      autovacuum: 'pass',
    });
    const folder = (
      await pi.exec('runuser', '-u', 'postgres', '--', 'psql', '-XAtc', 'show data_directory')
    ).trim();
    expect(run.host?.place?.folder).toBe(folder);
    // 5,000 rows and max_wal_size, which is 1 GB: what it says is needed is more than nothing.
    expect(gate?.checks.find(({ id: line }) => line === 'space')?.detail).toMatch(/are needed$/);
    expect(health.length).toBeGreaterThan(2);
    const host = (await app.api.call('hosts.list', null)).find((each) => each.id === hostId);
    expect(host?.gate?.checks).toEqual(gate?.checks);
  });

  it('waits for what passes by itself', async () => {
    await pi.board({ temperatureC: 71.2 });
    const before = await runs();
    const asked = app.heardOf('run.gate').length;
    const starting = start(paced(2));
    await until('the gate to say that it is too warm', async () =>
      app
        .heardOf('run.gate')
        .slice(asked)
        .some(({ checks }) => results(checks).temperature === 'wait')
        ? true
        : null,
    );
    expect(await runs()).toBe(before);
    await pi.board({ temperatureC: 50 });
    const { run } = await ended((await starting).id);
    expect(run.status).toBe('finished');
    expect(run.host?.gate?.waitedMs).toBeGreaterThan(0);
    expect(results(run.host?.gate?.checks).temperature).toBe('pass');
  });

  it('is cancelled while it waits, and leaves no run', async () => {
    await pi.board({ load1: 2.4 });
    const before = await runs();
    const asked = app.heardOf('run.gate').length;
    const controller = new AbortController();
    const starting = start(paced(2), null, controller.signal).catch((error: unknown) => error);
    await until('the gate to wait for the load', async () =>
      app
        .heardOf('run.gate')
        .slice(asked)
        .some(({ checks }) => results(checks).load === 'wait')
        ? true
        : null,
    );
    controller.abort();
    expect(await starting).toMatchObject({ code: 'cancelled' });
    expect(await runs()).toBe(before);
  });

  it('refuses a run where a line fails, and lets it begin with a note that is kept', async () => {
    await pi.board({ throttled: '0x50005' });
    const before = await runs();
    await expect(start(paced(2))).rejects.toMatchObject({
      code: 'host-not-ready',
      message: `${hostName} is not ready for a run`,
      detail: expect.stringMatching(/^Throttling: Right now: under-voltage/),
    });
    expect(await runs()).toBe(before);
    const { run, texts } = await ended((await start(paced(2), 'its supply comes tomorrow')).id);
    expect(run.host?.gate?.override).toBe('its supply comes tomorrow');
    expect(results(run.host?.gate?.checks).throttle).toBe('fail');
    expect(texts).toContain(
      `${hostName}: not everything of the gate had passed. Begun all the same: its supply comes tomorrow`,
    );
  });

  it('knows how much room the plan needs', async () => {
    const load = {
      scale: 4000,
      timestampStart: '2021-01-01T00:00:00Z',
      timestampEnd: '2031-01-01T00:00:00Z',
      dbName: 'benchmark_gate',
    };
    await expect(start(paced(1, { steps: [{ 'tsbs.load': load }] }))).rejects.toMatchObject({
      code: 'host-not-ready',
      detail: expect.stringMatching(/Free space: .* free on .*; [\d.]+ TiB are needed/),
    });
  });

  it('on the command line: 2 and the lines that failed; with a note it runs', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'benchberry-gate-'));
    const file = join(folder, 'plan.yaml');
    await writeFile(file, await app.api.call('plans.toYaml', { plan: paced(3) }));
    const url = new URL(pi.postgresUrl);
    const env = {
      BENCHBERRY_DATA: app.folder,
      BENCHBERRY_HOST_PASSWORD: pi.password,
      BENCHBERRY_PASSWORD: decodeURIComponent(url.password),
    };
    await pi.board({ throttled: '0x50005' });
    const refused = await startBenchberry(['run', file], env).ended;
    expect(refused.code, refused.errors).toBe(2);
    expect(refused.errors).toContain('Throttling: Right now: under-voltage');
    expect(refused.errors).toContain('--override-gate "why"');
    const note = 'only a try';
    const ran = await startBenchberry(['run', file, '--override-gate', note, '--json'], env).ended;
    // Under-voltage is a verdict of the run too.
    expect(ran.code, ran.errors).toBe(1);
    expect(ran.errors).toContain(`Begun all the same: ${note}`);
    await rm(folder, { recursive: true });
  });
});

describe('the quiet of a run', () => {
  it('is told before, holds for the length of the run, is kept with it, and ends with it', async () => {
    const before = await timers();
    expect(before).toContain('apt-daily.timer');
    const told = await app.api.call('hosts.disturbers', { id: hostId });
    expect(told).toContain('apt-daily.timer');
    const { id } = await start(paced(5, { quietHost: true }));
    await app.until('run.event', ({ runId, kind }) => runId === id && kind === 'phase-start');
    expect(await timers()).not.toContain('apt-daily.timer');
    const { run } = await ended(id);
    expect(run.status, JSON.stringify(run.error)).toBe('finished');
    expect(run.host?.quieted?.toSorted()).toEqual(told.toSorted());
    await until('the timers', async () => ((await timers()).join() === before.join() ? true : null));
  });

  it('ends with a run that is stopped', async () => {
    const before = await timers();
    const { id } = await start(paced(600, { quietHost: true }));
    await app.until('run.event', ({ runId, kind }) => runId === id && kind === 'phase-start');
    expect(await timers()).not.toContain('apt-daily.timer');
    await app.api.call('runs.stop', { id });
    await until('the timers', async () => ((await timers()).join() === before.join() ? true : null));
  });

  it('ends by itself where the workbench is killed in mid-run, and its dead owner does not block the next run', async () => {
    const before = await timers();
    const folder = await mkdtemp(join(tmpdir(), 'benchberry-gate-'));
    const file = join(folder, 'plan.yaml');
    await writeFile(file, await app.api.call('plans.toYaml', { plan: paced(600) }));
    const { child, ended: over } = startBenchberry(['run', file, '--quiet-host'], {
      BENCHBERRY_DATA: app.folder,
      BENCHBERRY_HOST_PASSWORD: pi.password,
      BENCHBERRY_PASSWORD: decodeURIComponent(new URL(pi.postgresUrl).password),
    });
    await until('the quiet', async () => ((await timers()).includes('apt-daily.timer') ? null : true));
    // Beside it no other process may measure; this one has not been told to stop.
    await expect(start(paced(1))).rejects.toMatchObject({
      code: 'run-active',
      message: expect.stringContaining('is running in another Benchberry process'),
    });
    child.kill('SIGKILL');
    const { errors } = await over;
    expect(errors).toContain('is kept quiet for the length of the run: stopped and started again: ');
    await until('the timers', async () => ((await timers()).join() === before.join() ? true : null), 240);
    await rm(folder, { recursive: true });
    // A dead owner does not block.
    const { run } = await ended((await start(paced(1))).id);
    expect(run.status).toBe('finished');
  });
});
