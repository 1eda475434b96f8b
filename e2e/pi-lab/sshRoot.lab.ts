import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Remote } from '../../src-main/hosts/remote.ts';
import { argument } from './nasty.ts';
import { ensureRootFs } from './rootFs.ts';
import { until } from './shell.ts';
import { errorOf, processes, signIn } from './signIn.ts';
import { bootPi, type VirtualPi } from './virtualPi.ts';

let pi: VirtualPi;
let remote: Remote;
let sudoPassword: string | null;

beforeAll(async () => {
  pi = await bootPi(14, await ensureRootFs((line) => process.stderr.write(`${line}\n`), 'bare'), {
    disks: [{ path: '/srv/small', megabytes: 10 }],
  });
  sudoPassword = pi.password;
  remote = await signIn(pi, () => sudoPassword);
  await remote.run(['mkdir', '/home/pi/odd']);
});
afterAll(async () => {
  await remote?.close();
  await pi?.close();
});

describe('becoming root', () => {
  it('works with a password, without one, and not at all, each time in plain words', async () => {
    expect((await remote.run(['id', '-u'], { root: true })).stdout).toBe('0\n');
    await pi.sudo('none');
    sudoPassword = null;
    expect((await remote.run(['id', '-u'], { root: true })).stdout).toBe('0\n');
    expect((await remote.run(['cat'], { root: true, input: 'mine' })).stdout).toBe('mine');
    sudoPassword = pi.password;
    expect((await remote.run(['cat'], { root: true, input: 'mine' })).stdout).toBe('mine');
    await pi.sudo('impossible');
    const again = await signIn(pi, () => sudoPassword); // groups are those of the sign-in
    const error = await errorOf(again.run(['id', '-u'], { root: true }));
    await again.close();
    expect(error).toMatchObject({ code: 'no-permission', message: 'pi may not become root on this host' });
    await pi.sudo('password');
  });

  it('tries a wrong password once, and asks for one that is missing', async () => {
    const mark = `mark-${process.hrtime.bigint()}`;
    await pi.exec('logger', mark);
    sudoPassword = 'wrong "one"';
    const wrong = await errorOf(remote.run(['touch', '/tmp/as-root'], { root: true }));
    sudoPassword = null;
    const missing = await errorOf(remote.run(['touch', '/tmp/as-root'], { root: true }));
    sudoPassword = pi.password;
    expect(wrong.code).toBe('wrong-password');
    expect(missing.code).toBe('password-needed');
    expect(JSON.stringify(wrong.toData())).not.toContain('wrong \\"one');
    expect(await pi.exec('ls', '/tmp')).not.toContain('as-root');
    await pi.exec('journalctl', '--sync');
    const log = await pi.exec('journalctl', '--no-pager', '-o', 'cat');
    expect(log.slice(log.indexOf(mark)).match(/pam_unix\(sudo:auth\): authentication failure/g)).toHaveLength(
      1,
    );
  });

  it('tells the failure of a command from that of sudo', async () => {
    expect((await remote.run(['sh', '-c', 'echo "sudo: sorry" >&2; exit 1'], { root: true })).code).toBe(1);
  });

  it('needs no sudo as root', async () => {
    await pi.configureSshd('PermitRootLogin yes');
    await pi.exec('sh', '-c', 'echo "root:$1" | chpasswd', 'sh', pi.password);
    await pi.exec('mv', '/usr/bin/sudo', '/usr/bin/sudo.away');
    const root = await signIn(pi, () => null, 'root');
    try {
      expect((await root.run(['id', '-u'], { root: true })).stdout).toBe('0\n');
      expect((await errorOf(remote.run(['id'], { root: true }))).message).toBe(
        'There is no sudo on this host',
      );
    } finally {
      await root.close();
      await pi.exec('mv', '/usr/bin/sudo.away', '/usr/bin/sudo');
    }
  });
});

describe('secrets', () => {
  it('are in no command line, no environment and no log of the host', async () => {
    const secret = 'a database password';
    const running = remote.script('read -r p\nsleep 4713 & wait\n', { root: true, input: `${secret}\n` });
    await until('the script', async () => ((await processes(pi, '^sleep 4713$')) === 1 ? true : null));
    const look =
      'cat /proc/[0-9]*/cmdline /proc/[0-9]*/environ 2>/dev/null | tr "\\0" "\\n"; journalctl --no-pager -o cat';
    const seen = await pi.exec('sh', '-c', look);
    await pi.exec('pkill', '-f', '^sleep 4713$');
    await running;
    expect(seen).toContain('sleep\n4713');
    expect(seen).toContain('sudo\n-S\n-k\n-p');
    expect(seen).not.toContain(pi.password);
    expect(seen).not.toContain(secret);
    expect(seen).not.toContain('read -r p');
  });
});

describe('files', () => {
  it('keep their text, whatever they are called', async () => {
    const name = argument
      .map((n) => n.replaceAll('/', '_'))
      .filter((n) => n !== '' && n !== '.' && n !== '..' && Buffer.byteLength(n) < 200);
    await fc.assert(
      fc.asyncProperty(name, argument, async (file, content) => {
        const path = `/home/pi/odd/${file}`;
        await remote.writeFile(path, content);
        expect(await remote.readFile(path)).toBe(content);
        expect((await remote.run(['rm', '--', path])).code).toBe(0);
      }),
      { numRuns: 25 },
    );
    expect((await remote.run(['ls', '-A', '/home/pi/odd'])).stdout).toBe('');
  });

  it('have the mode that was asked for, else keep mode, owner and link', async () => {
    const stat = async (path: string) => (await pi.exec('stat', '-c', '%a %U %F', path)).trim();
    await remote.writeFile('/etc/lab.conf', 'a\n', { root: true });
    expect(await stat('/etc/lab.conf')).toBe('644 root regular file');
    await remote.writeFile('/etc/lab.conf', 'secret\n', { root: true, mode: 0o600 });
    await pi.exec('chown', 'daemon', '/etc/lab.conf');
    await pi.exec('ln', '-s', '/etc/lab.conf', '/etc/lab.link');
    await remote.writeFile('/etc/lab.link', 'new\n', { root: true });
    expect(await stat('/etc/lab.conf')).toBe('600 daemon regular file');
    expect(await stat('/etc/lab.link')).toBe('777 root symbolic link');
    expect(await remote.readFile('/etc/lab.link', { root: true })).toBe('new\n');
    expect((await errorOf(remote.readFile('/etc/lab.conf'))).code).toBe('no-permission');
    expect((await errorOf(remote.writeFile('/etc/lab.conf', 'x'))).code).toBe('no-permission');
    expect((await errorOf(remote.writeFile('/etc', 'x', { root: true }))).code).toBe('server-error');
    expect(await remote.readFile('/etc/none')).toBeNull();
    expect(await remote.readFile('/etc/passwd/none')).toBeNull();
  });

  it('are whole or as they were when the disk is full', async () => {
    const path = '/srv/small/settings';
    await remote.writeFile(path, 'before', { root: true });
    const empty = await pi.fillDisk('/srv/small');
    const error = await errorOf(remote.writeFile(path, 'after'.repeat(100_000), { root: true }));
    expect(error.code).toBe('disk-full');
    expect(await remote.readFile(path)).toBe('before');
    await empty();
    expect((await pi.exec('ls', '-A', '/srv/small')).split('\n').sort()).toEqual([
      '',
      'lost+found',
      'settings',
    ]);
  });
});
