import { appendFile, copyFile, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bootContainer, removeCpuGroup, sweep } from './container.ts';
import { configureDesktop } from './desktop.ts';
import { booted, type Faults, faultsOf, listening } from './faults.ts';
import { locked } from './lock.ts';
import { connectNetwork, networkOf, removeNetwork } from './network.ts';
import { overlay } from './rootFs.ts';
import { run, until } from './shell.ts';
import { type Board, installFirmware, installShims, pi4, setBoard } from './shims.ts';

/** A whole Debian host with systemd as its init, in a network namespace of its own. */
export interface VirtualPi extends Faults {
  /** Its address, reachable from this machine only. */
  readonly address: string;
  /** This machine's address as the Pi sees it. */
  readonly workbench: string;
  /** May become root with this password; its shell is bash. */
  readonly user: 'pi';
  readonly password: string;
  /** Of the variant `timescaledb` only: PostgreSQL as its superuser. */
  readonly postgresUrl: string;
  /** Runs a command inside, as root; returns what it printed. */
  exec(command: string, ...args: string[]): Promise<string>;
  /** Fingerprint of its ed25519 host key as OpenSSH prints it: `SHA256:…`. */
  hostKey(): Promise<string>;
  /** Lets an OpenSSH public key sign in as `pi`. */
  authorize(publicKey: string): Promise<void>;
  /** How user `pi` may become root; `password` after booting. */
  sudo(way: 'password' | 'none' | 'impossible'): Promise<void>;
  /** Changes what the board says of itself: throttling, temperature, clock, memory. */
  board(change: Partial<Board>): Promise<void>;
  /**
   * Its configuration, a line each: files under /etc, /boot, /home, /root and /usr/local with owner, mode and content's
   * hash, installed packages, units with their state. Two of them compared tell what was changed.
   */
  snapshot(): Promise<string[]>;
  /** How often it has booted: 1 before the first reboot. */
  boots(): number;
  /** Process id of its init, as this machine counts. */
  init(): Promise<number>;
  /** Calls itself so and announces its SSH on the network by mDNS; of the variant `desktop` only, which has avahi. */
  announce(name: string): Promise<void>;
  /** Gives sshd these lines in a file of its own (none: takes the file away) and restarts it; open sessions stay. */
  configureSshd(...lines: string[]): Promise<void>;
  /** Until it has started and takes sign-ins, e.g. after a reboot that another began. */
  sshUp(): Promise<void>;
  /** Shuts it down and removes everything that booting it made. */
  close(): Promise<void>;
}

export interface PiOptions {
  board?: Partial<Board>;
  /** A boot partition whose command line holds from the next start on. */
  firmware?: boolean;
  /** Small ext4 disks of their own, e.g. to be filled up: mount point and size. */
  disks?: readonly { path: string; megabytes: number }[];
}

const password = 'lab secret: "quoted" \' $(x)';

/**
 * Boots virtual Pi number `n` (1 to 200; one address range each) on a copy-on-write layer over `rootFs`, as soon as no
 * other lab has that number. It has started, takes sign-ins and reaches the Debian mirror; where the variant has
 * PostgreSQL, that listens on the network too.
 */
export async function bootPi(n: number, rootFs: string, options: PiOptions = {}): Promise<VirtualPi> {
  const net = networkOf(n);
  const release = await locked(join(tmpdir(), `${net.name}.lock`));
  await sweep(net);
  const folder = await mkdtemp(join(tmpdir(), `${net.name}-`));
  const root = join(folder, 'root');
  const undo: (() => Promise<unknown>)[] = [release, () => rm(folder, { recursive: true, force: true })];
  const close = async () => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    for (const part of ['upper', 'work', 'root']) await mkdir(join(folder, part));
    const layers = overlay(rootFs, join(folder, 'upper'), join(folder, 'work'));
    await run('mount', ['-t', 'overlay', 'overlay', '-o', layers, root]);
    undo.push(() => run('umount', [root]));
    for (const [i, disk] of (options.disks ?? []).entries()) {
      await addDisk(join(folder, `disk${i}`), join(root, disk.path), disk.megabytes);
      undo.push(() => run('umount', [join(root, disk.path)]));
    }
    const board = { ...pi4, ...options.board };
    await installShims(root, board);
    if (options.firmware) await installFirmware(root);
    await run('chroot', [root, 'ssh-keygen', '-q', '-A']);
    await copyFile('/etc/resolv.conf', join(root, 'etc/resolv.conf'));
    await run('sh', ['-c', 'printf "%s" "$2" | chroot "$1" chpasswd', 'sh', root, `pi:${password}`]);
    if (await exists(join(root, 'usr/sbin/lightdm'))) await configureDesktop(root);
    const postgres = await exists(join(root, 'etc/postgresql/17/main'));
    if (postgres) await configurePostgres(root, net.workbench);

    undo.push(() => removeNetwork(net));
    await connectNetwork(net);
    undo.push(() => removeCpuGroup(net));
    const container = bootContainer(root, net);
    undo.push(() => container.shutDown());
    const exec = async (command: string, ...args: string[]) =>
      run('nsenter', ['-t', String(await container.init()), '-a', '--', command, ...args]);
    await booted(net, exec);
    if (postgres) {
      await listening(net, 5432);
      await setPostgresPassword(exec);
    }
    return {
      address: net.address,
      workbench: net.workbench,
      user: 'pi',
      password,
      postgresUrl: `postgresql://postgres:${encodeURIComponent(password)}@${net.address}:5432/postgres?sslmode=prefer`,
      exec,
      hostKey: async () =>
        (await exec('ssh-keygen', '-lf', '/etc/ssh/ssh_host_ed25519_key.pub')).split(' ')[1] ?? '',
      authorize: async (publicKey) => {
        const home = join(root, 'home/pi/.ssh');
        await mkdir(home, { recursive: true, mode: 0o700 });
        await appendFile(join(home, 'authorized_keys'), `${publicKey.trim()}\n`, { mode: 0o600 });
        await exec('chown', '-R', 'pi:', '/home/pi/.ssh');
      },
      sudo: async (way) => {
        const rule = join(root, 'etc/sudoers.d/010_pi-nopasswd');
        await rm(rule, { force: true });
        if (way === 'none') await writeFile(rule, 'pi ALL=(ALL) NOPASSWD: ALL\n', { mode: 0o440 });
        await exec('gpasswd', way === 'impossible' ? '-d' : '-a', 'pi', 'sudo');
      },
      board: async (change) => {
        Object.assign(board, change);
        await setBoard(root, board);
      },
      snapshot: async () =>
        (await exec('sh', '-c', snapshotScript)).split('\n').filter((line) => line !== ''),
      boots: () => container.boots,
      init: () => container.init(),
      announce: async (name) => {
        await exec('sh', '-c', 'echo "$1" > /etc/hostname; hostname "$1"', 'sh', name);
        await writeFile(join(root, 'etc/hosts'), `127.0.0.1\tlocalhost\n127.0.1.1\t${name}\n`);
        await writeFile(join(root, 'etc/avahi/services/ssh.service'), sshService);
        await exec('systemctl', 'restart', 'avahi-daemon');
      },
      configureSshd: async (...lines) => {
        const file = join(root, 'etc/ssh/sshd_config.d/lab.conf');
        if (lines.length > 0) await writeFile(file, `${lines.join('\n')}\n`);
        else await rm(file, { force: true });
        // Restart, not reload: it returns when sshd listens again, a reload while its port is closed for a moment.
        await exec('systemctl', 'restart', 'ssh');
        await listening(net, 22);
      },
      sshUp: () => booted(net, exec),
      ...faultsOf(net, root, container, exec),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

const sshService = `<?xml version="1.0" standalone="no"?>
<!DOCTYPE service-group SYSTEM "avahi-service.dtd">
<service-group>
  <name replace-wildcards="yes">%h</name>
  <service><type>_ssh._tcp</type><port>22</port></service>
</service-group>
`;

const snapshotScript = `export LC_ALL=C
find /etc /boot /home /root /usr/local -printf '%y %u:%g %m %p -> %l\\n' | sort
find /etc /boot /home /root /usr/local -type f -print0 | sort -z | xargs -0r sha256sum
dpkg-query -W -f '\${Package} \${Version} \${Status}\\n'
systemctl list-unit-files --no-legend --no-pager | sort
systemctl get-default
systemctl list-units --no-legend --no-pager --plain --type=service --state=running | sort`;

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  );

async function addDisk(file: string, mountPoint: string, megabytes: number): Promise<void> {
  await run('truncate', ['-s', `${megabytes}M`, file]);
  await run('mkfs.ext4', ['-q', '-m', '0', file]);
  await mkdir(mountPoint, { recursive: true });
  await run('mount', ['-o', 'loop', file, mountPoint]);
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

async function setPostgresPassword(exec: VirtualPi['exec']): Promise<void> {
  const statement = `alter role postgres password '${password.replaceAll("'", "''")}'`;
  const asPostgres = ['-u', 'postgres', '--', 'psql', '-v', 'ON_ERROR_STOP=1', '-c', statement];
  // It listens before it takes statements.
  await until('PostgreSQL on the virtual Pi', () => exec('runuser', ...asPostgres));
}
