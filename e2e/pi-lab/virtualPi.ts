import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { run, until } from './shell.ts';

/** A whole Debian host with systemd as its init, in a network namespace of its own. */
export interface VirtualPi {
  /** Its address, reachable from this machine only. */
  readonly address: string;
  readonly postgresUrl: string;
  /** Runs a command inside, as root; returns what it printed. */
  exec(command: string, ...args: string[]): Promise<string>;
  /** Pulls the network cable, or puts it back. */
  cable(plugged: boolean): Promise<void>;
  /** Shuts it down and removes everything that booting it made. */
  close(): Promise<void>;
}

const password = 'lab secret: "quoted" \' $(x)';

/**
 * Boots virtual Pi number `n` (1 to 200; one address range each) on a copy-on-write layer over `rootFs`, with PostgreSQL 17
 * and TimescaleDB listening on its network.
 */
export async function bootPi(n: number, rootFs: string): Promise<VirtualPi> {
  const name = `benchberry-pi${n}`;
  const outside = `bbpi${n}`;
  const host = `10.77.${n}.1`;
  const address = `10.77.${n}.2`;
  await sweep(name);
  const folder = await mkdtemp(join(tmpdir(), `${name}-`));
  const merged = join(folder, 'root');
  const undo: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
  const close = async () => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    for (const part of ['upper', 'work', 'root']) await mkdir(join(folder, part));
    const layers = `lowerdir=${rootFs},upperdir=${join(folder, 'upper')},workdir=${join(folder, 'work')}`;
    await run('mount', ['-t', 'overlay', 'overlay', '-o', layers, merged]);
    undo.push(() => run('umount', [merged]));
    await configurePostgres(merged, host);

    // Made outside the container's mount namespace, or it would vanish with it.
    await run('ip', ['netns', 'add', name]);
    undo.push(() => run('ip', ['netns', 'del', name]));
    await run('ip', ['link', 'add', outside, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name]);
    await run('ip', ['addr', 'add', `${host}/24`, 'dev', outside]);
    await run('ip', ['link', 'set', outside, 'up']);
    await run('ip', ['-n', name, 'addr', 'add', `${address}/24`, 'dev', 'eth0']);
    await run('ip', ['-n', name, 'link', 'set', 'eth0', 'up']);
    await run('ip', ['-n', name, 'link', 'set', 'lo', 'up']);
    await run('ip', ['-n', name, 'route', 'add', 'default', 'via', host]);

    const container = boot(merged, name);
    undo.push(() => shutDown(container));
    const init = await until('the init process of the virtual Pi', () => childOf(container));
    const exec = (command: string, ...args: string[]) =>
      run('nsenter', ['-t', String(init), '-a', '--', command, ...args]);
    await until('PostgreSQL on the virtual Pi', () => canConnect(address, 5432));
    const literal = `'${password.replaceAll("'", "''")}'`;
    await exec(
      'runuser',
      '-u',
      'postgres',
      '--',
      'psql',
      '-v',
      'ON_ERROR_STOP=1',
      '-c',
      `alter role postgres password ${literal}`,
    );
    return {
      address,
      postgresUrl: `postgresql://postgres:${encodeURIComponent(password)}@${address}:5432/postgres?sslmode=prefer`,
      exec,
      cable: async (plugged) => {
        await run('ip', ['link', 'set', outside, plugged ? 'up' : 'down']);
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Removes what a lab that was killed has left behind under this name. */
async function sweep(name: string): Promise<void> {
  for (const entry of await readdir('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    const command = await readFile(`/proc/${entry}/cmdline`, 'utf8').catch(() => ''); // it may have just ended
    if (!command.includes(`--network-namespace-path=/run/netns/${name}\0`)) continue;
    process.kill(Number(entry), 'SIGTERM');
    await until(`the end of an old ${name}`, async () => (existsSync(`/proc/${entry}`) ? null : true));
  }
  for (const line of (await readFile('/proc/mounts', 'utf8')).split('\n')) {
    const mount = line.split(' ')[1] ?? '';
    if (!mount.startsWith(join(tmpdir(), `${name}-`))) continue;
    await run('umount', [mount]);
    await rm(dirname(mount), { recursive: true, force: true });
  }
  if (existsSync(`/run/netns/${name}`)) await run('ip', ['netns', 'del', name]);
}

async function configurePostgres(root: string, workbench: string): Promise<void> {
  const folder = join(root, 'etc/postgresql/17/main');
  const settings = [
    "shared_preload_libraries = 'timescaledb'",
    "listen_addresses = '*'",
    'timescaledb.telemetry_level = off',
  ];
  await writeFile(join(folder, 'conf.d/lab.conf'), `${settings.join('\n')}\n`);
  await appendFile(join(folder, 'pg_hba.conf'), `host all all ${workbench}/32 scram-sha-256\n`);
}

function boot(root: string, namespace: string): ChildProcess {
  const nspawn = [
    'systemd-nspawn',
    ...['-D', '"$1"', '--boot', '--register=no', '--keep-unit', '--console=pipe'],
    ...['"--network-namespace-path=/run/netns/$2"', '--capability=all', '--system-call-filter=@known'],
  ].join(' ');
  // A cgroup2 tree of its own, as systemd inside needs it.
  const script = `umount -R /sys/fs/cgroup; mount -t cgroup2 cgroup2 /sys/fs/cgroup; exec ${nspawn}`;
  return spawn('unshare', ['-m', 'sh', '-c', script, 'boot', root, namespace], {
    stdio: 'ignore',
    detached: true,
  });
}

async function childOf(parent: ChildProcess): Promise<number | null> {
  const pid = parent.pid;
  if (pid === undefined || parent.exitCode !== null) throw new Error('systemd-nspawn did not start');
  const children = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8'))
    .trim()
    .split(' ')
    .filter(Boolean);
  for (const child of children.map(Number)) {
    if ((await readFile(`/proc/${child}/comm`, 'utf8')).trim() === 'systemd') return child;
  }
  return null;
}

function shutDown(container: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (container.exitCode !== null || container.signalCode !== null) return resolve();
    container.once('exit', () => resolve());
    container.kill('SIGTERM'); // systemd-nspawn turns it into an orderly power-off
  });
}

function canConnect(host: string, port: number): Promise<true | null> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: 1000 });
    const end = (value: true | null) => {
      socket.destroy();
      resolve(value);
    };
    socket.once('connect', () => end(true));
    socket.once('timeout', () => end(null));
    socket.once('error', () => end(null));
  });
}
