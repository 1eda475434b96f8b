import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recipes } from '../../src-main/provision/registry.ts';
import { type Provisioning, provisioningSchema } from '../../src-shared/model/provision.ts';
import { type Bench, hostName, openBench, type Recipes } from './provisionBench.ts';
import { ensureRootFs } from './rootFs.ts';
import { until } from './shell.ts';
import { bootPi, type VirtualPi } from './virtualPi.ts';

const password = 'a password for the lab';

let pi: VirtualPi;
let bench: Bench;
let pristine: string[];
let files: string[];

beforeAll(async () => {
  pi = await bootPi(132, await ensureRootFs((line) => process.stderr.write(`${line}\n`)));
  bench = await openBench(pi);
  pristine = await bench.snapshot();
  files = await everyFile();
});
afterAll(async () => {
  await bench?.close();
  await pi?.close();
});

/** Every file of the host with its size and time, but for what it writes by itself: logs, timers, its running database. */
async function everyFile(): Promise<string[]> {
  const own = [
    '/var/log',
    '/var/lib/systemd',
    '/var/lib/postgresql',
    '/tmp',
    '/var/tmp',
    '/run',
    '/proc',
    '/sys',
  ];
  const skipped = own.map((path) => `-path ${path} -prune`).join(' -o ');
  const found = await pi.exec(
    'sh',
    '-c',
    `find / -xdev \\( ${skipped} \\) -o -printf '%y %m %u %s %T@ %p\\n'`,
  );
  return found.split('\n').sort();
}

describe('--dry-run', () => {
  it.each(recipes.map(({ id }) => id))('%s: prints the plan and changes no file of the host', async (id) => {
    const port = id === 'port-in-the-way' ? ['--set', 'port=5432'] : [];
    const cluster = id === 'tune' ? ['--set', 'cluster=main'] : [];
    const dry = await bench.command(
      ['host', 'provision', hostName, '--recipe', id, ...port, ...cluster, '--dry-run'],
      { BENCHBERRY_PASSWORD: password },
    ).ended;
    const { steps } = await lastPlan();
    // A database in Docker is refused next to the one on its port, and the plan says so.
    const refused = id === 'database-in-docker';
    expect(dry.code, dry.errors + dry.output).toBe(refused ? 1 : 0);
    if (refused) expect(dry.output).toContain('is on port 5432: stop it first');
    else {
      expect(steps.length).toBeGreaterThan(0);
      for (const { title, changes, state } of steps) {
        expect(dry.output).toContain(title);
        expect(['to-do', 'already-so']).toContain(state);
        if (state === 'to-do') for (const change of changes) expect(dry.output).toContain(change);
      }
    }
    expect(dry.output + dry.errors).not.toContain(password);
    expect(await everyFile()).toEqual(files);
  });

  it('all of them in one plan, as JSON', async () => {
    const all = recipes.flatMap(({ id }) => ['--recipe', id]);
    const dry = await bench.command(
      ['host', 'provision', hostName, ...all, '--set', 'port-in-the-way.port=5432', '--dry-run', '--json'],
      { BENCHBERRY_PASSWORD: password },
    ).ended;
    expect(dry.code, dry.errors + dry.output).toBe(0);
    const planned = provisioningSchema.parse(JSON.parse(dry.output));
    expect(new Set(planned.steps.map(({ recipe }) => recipe))).toEqual(
      // Freed by the recipe before them, the port is there for both databases.
      new Set(recipes.map(({ id }) => id)),
    );
    expect(dry.output + dry.errors).not.toContain(password);
    expect(await everyFile()).toEqual(files);
    expect(await bench.snapshot()).toEqual(pristine);
  });

  async function lastPlan(): Promise<Provisioning> {
    const [last] = await bench.app.api.call('provision.list', { hostId: bench.hostId });
    if (last === undefined) throw new Error('nothing was planned');
    return last;
  }
});

describe('a PostgreSQL of the host on the port', () => {
  const wanted: Recipes = [
    { id: 'port-in-the-way', parameters: { port: 5432 } },
    { id: 'database-from-packages', parameters: { port: 5432, password } },
    { id: 'tune', parameters: { profile: 'durable' } },
  ];
  let made: Provisioning;
  let settled: string[];

  it('is named, and nothing is changed beside it', async () => {
    const alone = await bench.plan(wanted.slice(1, 2));
    const line = alone.preflight.find(({ result }) => result === 'fail');
    const words = 'PostgreSQL 17 main of the host is on port 5432: stop it first, or choose another port.';
    expect(line?.detail).toBe(words);
    const refused = await bench.applyPlanned(alone.id);
    expect(refused).toMatchObject({
      status: 'failed',
      error: { code: 'unsupported', place: { host: pi.address } },
    });
    expect(refused.error?.message).toContain(words);
    expect(await bench.snapshot()).toEqual(pristine);
  });

  it('is stopped with consent: its data stays, the new one takes a load on the port', async () => {
    made = await bench.apply(wanted);
    expect(made.status, bench.logOf(made)).toBe('done');
    expect(await pi.exec('pg_lsclusters', '-h')).toMatch(/17 +bench +5432 online .*17 +main +5432 down/s);
    settled = await bench.snapshot();
    await bench.loads(made);
  });

  it('applied again changes nothing', async () => {
    const again = await bench.apply(wanted);
    expect(again.status, bench.logOf(again)).toBe('done');
    expect(new Set(again.steps.map(({ state }) => state))).toEqual(new Set(['already-so']));
    expect(await bench.snapshot()).toEqual(settled);
  });

  it('stays stopped over a restart', async () => {
    await pi.reboot();
    await bench.untilPlanned(wanted, ({ steps }) => steps.every(({ state }) => state === 'already-so'));
    expect(await pi.exec('pg_lsclusters', '-h')).toMatch(/17 +main +5432 down/);
  });

  it('runs again when all is undone, and the host is as it was', async () => {
    await bench.undo(made.id);
    await until('PostgreSQL', () => pi.exec('pg_isready', '-q', '-p', '5432'));
    expect(await pi.exec('pg_lsclusters', '-h')).toMatch(/^17 +main +5432 online /);
    expect(await bench.snapshot()).toEqual(pristine);
  });
});
