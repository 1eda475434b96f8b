import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { memoryStep } from '../../src-main/provision/recipes/docker/memoryStep.ts';
import { serveImages, useImages } from './imageRegistry.ts';
import { type Bench, openBench } from './provisionBench.ts';
import { ensureRootFs } from './rootFs.ts';
import { bootPi, type VirtualPi } from './virtualPi.ts';

const password = 'a "pass\'word" $(x) ü \\';
const say = (line: string) => process.stderr.write(`${line}\n`);

let images: VirtualPi;
let pi: VirtualPi;
let bench: Bench;
let pristine: string[];

beforeAll(async () => {
  images = await bootPi(54, await ensureRootFs(say));
  const registry = await serveImages(images);
  pi = await bootPi(53, await ensureRootFs(say, 'bare'), { board: { memoryGb: 1 } });
  await useImages(pi, registry);
  bench = await openBench(pi);
  pristine = await bench.snapshot();
});
afterAll(async () => {
  await bench?.close();
  await pi?.close();
  await images?.close();
});

const engine = { id: 'docker', parameters: { group: true } };
const recipes = [engine, { id: 'database-in-docker', parameters: { password } }];

describe('TimescaleDB in Docker on a bare virtual Pi', () => {
  let id: string;
  let settled: string[];

  it('is made, and is a target that a load over the network is measured on', async () => {
    const made = await bench.apply(recipes);
    id = made.id;
    expect(made.status, bench.logOf(made)).toBe('done');
    expect(JSON.stringify(made)).not.toContain('$(x) ü');
    expect(bench.states(made)).toEqual([
      'docker.packages done',
      'docker.configuration done',
      'docker.group done',
      'docker.memory already-so', // no firmware here that could be told
      'database-in-docker.image done',
      'database-in-docker.container done',
    ]);
    settled = await bench.snapshot();
    await bench.loads(made);
  });

  it('is configured as it was told', async () => {
    const daemon: unknown = JSON.parse(await pi.exec('cat', '/etc/docker/daemon.json'));
    expect(daemon).toMatchObject({ 'registry-mirrors': [expect.any(String)], 'log-driver': 'local' });
    expect(await pi.exec('id', '-nG', 'pi')).toContain('docker');
    const [container] = JSON.parse(await pi.exec('docker', 'inspect', 'benchberry-timescaledb'));
    expect(container.HostConfig).toMatchObject({
      RestartPolicy: { Name: 'unless-stopped' },
      ShmSize: 128 * 1024 ** 2,
    });
    expect(container.Config.StopTimeout).toBe(120);
    // (892,376 kB − 200 MB) in MB
    expect(container.Config.Env).toContain('TS_TUNE_MEMORY=671MB');
    expect(JSON.stringify(container)).not.toContain('pass\\\\');
    expect(await pi.exec('cat', '/var/lib/benchberry/benchberry-timescaledb.password')).toBe('');
  });

  it('applied again changes nothing', async () => {
    const again = await bench.apply([engine, { id: 'database-in-docker', parameters: {} }]);
    expect(again.status, bench.logOf(again)).toBe('done');
    expect(new Set(again.steps.map(({ state }) => state))).toEqual(new Set(['already-so']));
    expect(await bench.snapshot()).toEqual(settled);
  });

  it('comes back after a restart of the host', async () => {
    await pi.reboot();
    const planned = await bench.untilPlanned(recipes, ({ steps }) =>
      steps.every(({ state }) => state === 'already-so'),
    );
    expect(bench.states(planned)).toContain('database-in-docker.container already-so');
  });

  it('undone leaves the host as it was', async () => {
    const undone = await bench.undo(id);
    expect(bench.states(undone).filter((line) => !line.endsWith(' undone'))).toEqual([
      'docker.memory already-so',
    ]);
    expect(await bench.snapshot()).toEqual(pristine);
  });
});

/** The files of a real board's firmware. The kernel here does not read them. */
const firmware = `mkdir -p /boot/firmware
: > /boot/firmware/config.txt
printf 'console=tty1 root=PARTUUID=1 rootwait quiet\\n' > /boot/firmware/cmdline.txt`;

describe('memory limits', () => {
  it('are asked for in the kernel’s command line; a kernel that ignores it is told; undone to the byte', async () => {
    await pi.exec('sh', '-c', firmware);
    const before = await bench.snapshot();
    const signal = new AbortController().signal;
    const remote = await bench.remote();
    try {
      const first = await memoryStep.check(remote, signal);
      expect(first).toMatchObject({ done: false, saved: { hadToken: false } });
      const made = await remote.script(`set -eu\n${memoryStep.apply()}`, { root: true });
      expect(made.code, made.stderr).toBe(0);
      expect(await pi.exec('cat', '/boot/firmware/cmdline.txt')).toBe(
        'console=tty1 root=PARTUUID=1 rootwait quiet cgroup_enable=memory\n',
      );
      expect((await memoryStep.check(remote, signal)).done).toBe(false);
      await remote.reboot(signal);
      const after = await memoryStep.check(remote, signal);
      expect(after).toMatchObject({ done: false, saved: { hadToken: true } });
      expect(after.evidence).toMatch(/the kernel does not keep account of memory/);
      // Twice is once.
      expect((await remote.script(`set -eu\n${memoryStep.apply()}`, { root: true })).code).toBe(0);
      const back = await remote.script(`set -eu\n${memoryStep.undo(first.saved)}`, { root: true });
      expect(back.code, back.stderr).toBe(0);
      expect(await bench.snapshot()).toEqual(before);
    } finally {
      await remote.close();
    }
  });

  it('are not asked for where the file is not a kernel’s command line', async () => {
    await pi.exec('sh', '-c', 'echo something > /boot/firmware/cmdline.txt');
    const remote = await bench.remote();
    const refused = await remote.script(`set -eu\n${memoryStep.apply()}`, { root: true });
    await remote.close();
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(/no root=/);
    expect(await pi.exec('cat', '/boot/firmware/cmdline.txt')).toBe('something\n');
  });
});
