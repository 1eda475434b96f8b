import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { memoryStep } from '../../src-main/provision/recipes/docker/memoryStep.ts';
import type { Provisioning } from '../../src-shared/model/provision.ts';
import { type DockerRepository, serveDockerPackages } from './dockerRepository.ts';
import { serveImages, useImages } from './imageRegistry.ts';
import { type Bench, openBench } from './provisionBench.ts';
import { ensureRootFs } from './rootFs.ts';
import { until } from './shell.ts';
import { bootPi, type VirtualPi } from './virtualPi.ts';

const password = 'a "pass\'word" $(x) ü \\';
const say = (line: string) => process.stderr.write(`${line}\n`);

let images: VirtualPi;
let pi: VirtualPi;
let repository: DockerRepository;
let bench: Bench;
let pristine: string[];

beforeAll(async () => {
  images = await bootPi(122, await ensureRootFs(say));
  const registry = await serveImages(images);
  repository = await serveDockerPackages(images);
  pi = await bootPi(121, await ensureRootFs(say, 'bare'), {
    board: { memoryGb: 1 },
    disks: [{ path: '/mnt/ssd', megabytes: 1500 }],
  });
  await useImages(pi, registry);
  bench = await openBench(pi);
  pristine = await bench.snapshot();
  // Two systems, three images and a package repository are made first.
}, 600_000);
afterAll(async () => {
  await bench?.close();
  await pi?.close();
  await images?.close();
});

const engine = { id: 'docker', parameters: { group: true } };
const tuned = { id: 'tune', parameters: { server: 'timescaledb', profile: 'article-p1' } };
const recipes = [engine, { id: 'database-in-docker', parameters: { password } }, tuned];
const sql = async (container: string, text: string) =>
  (await pi.exec('docker', 'exec', container, 'psql', '-XqAt', '-U', 'postgres', '-c', text)).trim();
const autoConf = '/var/lib/docker/volumes/benchberry-timescaledb-17/_data/postgresql.auto.conf';

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
      'tune.settings done',
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

  it('has its server tuned after its first start, and takes another profile back to the byte', async () => {
    const container = 'benchberry-timescaledb';
    expect(await sql(container, 'show shared_buffers')).toBe('223096kB');
    expect(await sql(container, 'show max_connections')).toBe('20');
    const before = await pi.exec('cat', autoConf);
    const owner = await pi.exec('stat', '-c', '%u %g %a', autoConf);
    const other = await bench.apply([
      { id: 'tune', parameters: { server: 'timescaledb', profile: 'article-p2' } },
    ]);
    expect(other.status, bench.logOf(other)).toBe('done');
    expect(await sql(container, 'show wal_level')).toBe('minimal');
    await bench.undo(other.id);
    expect(await sql(container, 'show wal_level')).toBe('replica');
    expect(await pi.exec('cat', autoConf)).toBe(before);
    expect(await pi.exec('stat', '-c', '%u %g %a', autoConf)).toBe(owner);
  });

  it('gets the settings back that it starts with, when it does not start with others', async () => {
    const bad = { server: 'timescaledb', profile: 'custom', custom: 'huge_pages = on; work_mem = 5MB' };
    const failed = await bench.apply([{ id: 'tune', parameters: bad }]);
    expect(failed.status).toBe('failed');
    expect(failed.steps[0]?.log).toMatch(/The settings before are back, the server runs with them/);
    expect(await sql('benchberry-timescaledb', 'show work_mem')).toBe('2788kB');
    const wrong = bench.plan([{ id: 'tune', parameters: { server: 'timescaledb', version: '16' } }]);
    await expect(wrong).rejects.toMatchObject({
      message: expect.stringContaining('is PostgreSQL 17, not 16'),
    });
  });

  it('applied again changes nothing', async () => {
    const again = await bench.apply([engine, { id: 'database-in-docker', parameters: {} }, tuned]);
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

/** The files of a real board's firmware: the virtual Pi's kernel is started with that line, as it were. */
const firmware = `mkdir -p /boot/firmware
: > /boot/firmware/config.txt
printf 'console=tty1 root=PARTUUID=1 rootwait quiet\\n' > /boot/firmware/cmdline.txt`;

describe('Docker from its own repository, its data on another disk, PostgreSQL and QuestDB in it', () => {
  const questdb = { product: 'questdb', dataFolder: '/mnt/ssd/quest db', password, openFiles: 16_384 };
  const plan = () => [
    {
      id: 'docker',
      parameters: {
        source: 'docker',
        repository: repository.address,
        fingerprint: repository.fingerprint,
        dataRoot: '/mnt/ssd/docker',
      },
    },
    { id: 'database-in-docker', parameters: { product: 'postgresql', address: pi.address } },
    { id: 'database-in-docker', parameters: questdb },
  ];
  let made: Provisioning;
  let settled: string[];
  /** The target that was made for a database of that engine. */
  async function targetOf(engine: string): Promise<string> {
    const targets = await bench.app.api.call('targets.list', null);
    const own = targets.filter((target) => !target.builtIn && target.engine === engine);
    expect(own.map(({ connection }) => connection.host)).toContain(pi.address);
    return own.at(-1)?.id ?? '';
  }

  beforeAll(async () => {
    await pi.exec('sh', '-c', firmware);
    pristine = await bench.snapshot();
  });

  it('takes no key but the one with the fingerprint, and leaves nothing behind', async () => {
    const fingerprint = 'F'.repeat(40);
    const refused = await bench.apply([
      { id: 'docker', parameters: { source: 'docker', repository: repository.address, fingerprint } },
    ]);
    expect(refused.status).toBe('failed');
    expect(refused.steps[0]?.log).toContain(`Expected ${fingerprint}, found:\n${repository.fingerprint}`);
    await bench.undo(refused.id);
    expect(await bench.snapshot()).toEqual(pristine);
  });

  it('takes no repository that another key has signed', async () => {
    const release = '/srv/linux/debian/dists/trixie/InRelease';
    await images.exec('cp', release, '/root/InRelease');
    await images.exec('sed', '-i', 's/^Origin: Lab/Origin: Foe/', release);
    const refused = await bench.apply(plan().slice(0, 1));
    await images.exec('cp', '/root/InRelease', release);
    expect(refused.status).toBe('failed');
    expect(refused.steps[0]?.log).toContain('cannot be used: nothing was added');
    await bench.undo(refused.id);
    expect(await bench.snapshot()).toEqual(pristine);
  });

  it('is made; the host restarts for memory limits, and what its kernel makes of it is told', async () => {
    const boots = pi.boots();
    made = await bench.apply(plan());
    expect(made.status, bench.logOf(made)).toBe('done');
    expect(bench.states(made)).toEqual([
      'docker.repository done',
      'docker.packages done',
      'docker.configuration done',
      'docker.memory done',
      'database-in-docker-2.image done',
      'database-in-docker-2.container done',
      'database-in-docker-3.map-count done',
      'database-in-docker-3.image done',
      'database-in-docker-3.container done',
    ]);
    expect(await pi.exec('dpkg', '-l', 'docker-ce')).toMatch(/^ii {2}docker-ce /m);
    expect(pi.boots()).toBe(boots + 1);
    expect(await pi.exec('cat', '/boot/firmware/cmdline.txt')).toBe(
      'console=tty1 root=PARTUUID=1 rootwait quiet cgroup_enable=memory\n',
    );
    const account = (await pi.exec('cat', '/sys/fs/cgroup/cgroup.controllers')).split(/\s+/);
    expect(made.steps.find(({ id }) => id === 'docker.memory')?.evidence).toMatch(
      account.includes('memory')
        ? /^The kernel keeps account of memory/
        : /^Memory limits are unavailable: the kernel was started with cgroup_enable=memory/,
    );
  });

  it('has images and volumes on the disk', async () => {
    expect((await pi.exec('docker', 'info', '--format', '{{.DockerRootDir}}')).trim()).toBe(
      '/mnt/ssd/docker',
    );
    expect(await pi.exec('ls', '/mnt/ssd/docker/volumes')).toContain('benchberry-postgresql-17');
    expect(await pi.exec('cat', '/mnt/ssd/quest db/conf/server.conf')).toMatch(/^http\.user=admin$/m);
    expect((await pi.exec('cat', '/proc/sys/vm/max_map_count')).trim()).toBe('1048576');
  });

  it('PostgreSQL has a password that was made for it, and is a target with it', async () => {
    const { api } = bench.app;
    const [given, ...others] = await api.call('provision.generated', { id: made.id });
    expect(others).toEqual([]);
    expect(given?.field).toBe('recipes[1].password');
    expect(JSON.stringify(made)).not.toContain(given?.secret);
    const id = await targetOf('postgresql');
    await until('PostgreSQL after the restart', async () =>
      (await api.call('targets.test', { id, secret: null })) ? true : null,
    );
    const wrong = api.call('targets.test', { id, secret: `${given?.secret}x` });
    await expect(wrong).rejects.toMatchObject({ code: 'wrong-password' });
    const ports = await pi.exec('docker', 'port', 'benchberry-postgresql');
    expect(ports.trim()).toBe(`5432/tcp -> ${pi.address}:5432`);
  });

  it('QuestDB answers over the network whom the password is known to, and is a target', async () => {
    const query = `http://${pi.address}:9000/exec?query=select%201`;
    const basic = `Basic ${Buffer.from(`admin:${password}`).toString('base64')}`;
    await until('QuestDB after the restart', () => fetch(query).then(({ status }) => status));
    expect((await fetch(query)).status).toBe(401);
    expect(await (await fetch(query, { headers: { authorization: basic } })).json()).toMatchObject({
      count: 1,
    });
    expect(made.targetId).toBe(await targetOf('questdb'));
    const step = made.steps.find(({ id }) => id === 'database-in-docker-3.container');
    expect(step?.evidence).toContain('QuestDB answers');
    expect(JSON.stringify(await pi.exec('docker', 'inspect', 'benchberry-questdb'))).not.toContain('pass');
    expect((await pi.exec('docker', 'exec', 'benchberry-questdb', 'sh', '-c', 'ulimit -n')).trim()).toBe(
      '16384',
    );
    settled = await bench.snapshot();
  });

  it('applied again changes nothing, nor does the exported script', async () => {
    const open = plan().map(({ id, parameters }) => ({ id, parameters: { ...parameters, password: '' } }));
    const again = await bench.apply([plan()[0] ?? engine, ...open.slice(1)]);
    expect(again.status, bench.logOf(again)).toBe('done');
    expect(new Set(again.steps.map(({ state }) => state))).toEqual(new Set(['already-so']));
    expect(again.generated).toEqual([]);
    const script = await bench.app.api.call('provision.script', { id: made.id });
    const told = await pi.exec('sh', '-c', script);
    expect(told.match(/^Already so\.$/gm)).toHaveLength(made.steps.length);
    expect(await bench.snapshot()).toEqual(settled);
  });

  it('undone leaves the host and the disk as they were', async () => {
    const undone = await bench.undo(made.id);
    expect(new Set(undone.steps.map(({ state }) => state))).toEqual(new Set(['undone']));
    expect(await bench.snapshot()).toEqual(pristine);
    expect(await pi.exec('ls', '/mnt/ssd')).toBe('lost+found\n');
    expect((await pi.exec('cat', '/proc/sys/vm/max_map_count')).trim()).toBe('65530');
  });

  it('memory limits are not asked for where the file is not a kernel’s command line', async () => {
    await pi.exec('sh', '-c', 'echo something > /boot/firmware/cmdline.txt');
    const remote = await bench.remote();
    const refused = await remote.script(`set -eu\n${memoryStep.apply()}`, { root: true });
    await remote.close();
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(/no root=/);
    expect(await pi.exec('cat', '/boot/firmware/cmdline.txt')).toBe('something\n');
  });
});
