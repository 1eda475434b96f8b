import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Remote } from '../../src-main/hosts/remote.ts';
import { openRemote } from '../../src-main/hosts/ssh/index.ts';
import { AppError } from '../../src-shared/errors.ts';
import { ensureRootFs } from './rootFs.ts';
import { until } from './shell.ts';
import { bootPi, type VirtualPi } from './virtualPi.ts';

let pi: VirtualPi;
let remote: Remote;
let sudoPassword: string | null;
const never = new AbortController().signal;

beforeAll(async () => {
  pi = await bootPi(12, await ensureRootFs((line) => process.stderr.write(`${line}\n`), 'bare'), {
    disks: [{ path: '/srv/small', megabytes: 10 }],
  });
  sudoPassword = pi.password;
  remote = await signIn('pi', pi.password);
});
afterAll(async () => {
  await remote?.close();
  await pi?.close();
});

async function signIn(user: string, login: string): Promise<Remote> {
  const host = { name: 'Lab', address: pi.address, port: 22, user, auth: { method: 'password' as const } };
  const access = {
    secret: async (kind: 'login' | 'sudo') => (kind === 'login' ? login : sudoPassword),
    trusted: { type: 'ssh-ed25519', fingerprint: await pi.hostKey() },
  };
  return openRemote(host, access, never);
}

async function errorOf(promise: Promise<unknown>): Promise<AppError> {
  const outcome = await promise.catch((error: unknown) => error);
  if (outcome instanceof AppError) return outcome;
  throw new Error('it was expected to fail', { cause: outcome });
}

/** Processes on the Pi whose command line matches; pgrep never finds itself. */
const processes = async (pattern: string) =>
  (await pi.exec('sh', '-c', 'pgrep -f -- "$1" | grep -vx $$ || true', 'sh', pattern))
    .split('\n')
    .filter((line) => line !== '').length;

const nasty = fc.constantFrom(
  ...[
    "'",
    '"',
    '`',
    '$(touch /tmp/owned)',
    '$HOME',
    '\\',
    '\\047',
    '\n',
    '\r',
    '!',
    '!!',
    '*',
    '~',
    '#',
    ';',
  ],
  ...['&&', ' ', '\t', '-rf', '--', '%s', '{a,b}', '=ls', 'é', 'ā', '漢', '😀', '\u0081', '../'],
);
const text = fc.array(fc.oneof({ weight: 3, arbitrary: nasty }, fc.string({ unit: 'binary' })), {
  maxLength: 8,
});
const argument = text.map((parts) => parts.join('').replaceAll('\0', ''));

describe('arguments', () => {
  beforeAll(async () => {
    await pi.exec('apt-get', '-qq', 'update');
    await pi.exec(
      'sh',
      '-c',
      'DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends tcsh fish',
    );
  });

  it.each(['/bin/bash', '/bin/dash', '/usr/bin/fish', '/bin/tcsh'])(
    'arrive as given, whatever is in them, where the login shell is %s',
    async (shell) => {
      await pi.exec('usermod', '-s', shell, 'pi');
      const again = await signIn('pi', pi.password);
      try {
        await fc.assert(
          fc.asyncProperty(fc.array(argument, { maxLength: 4 }), fc.boolean(), async (list, root) => {
            const options = root ? { root, input: argumentInput } : { input: argumentInput };
            const result = await again.run(
              ['sh', '-c', 'for a; do printf "%s\\0" "$a"; done; cat', 'sh', ...list],
              options,
            );
            expect(result.stdout).toBe([...list, argumentInput].join('\0'));
          }),
          { numRuns: 25 },
        );
      } finally {
        await again.close();
        await pi.exec('usermod', '-s', '/bin/bash', 'pi');
      }
      expect(await pi.exec('ls', '/tmp')).not.toContain('owned');
    },
  );
});
const argumentInput = '\'input"\n$(x)';

describe('commands', () => {
  it('answer with their exit code, a signal as a shell counts it', async () => {
    expect(await remote.run(['sh', '-c', 'echo out; echo err >&2; exit 3'])).toEqual({
      code: 3,
      stdout: 'out\n',
      stderr: 'err\n',
    });
    expect((await remote.run(['sh', '-c', 'kill -9 $$'])).code).toBe(137);
    expect((await remote.run(['sh', '-c', 'kill -TERM $$'])).code).toBe(143);
    expect((await remote.run(['no-such-program'])).code).toBe(127);
  });

  it('keep characters whole that arrive in two pieces', async () => {
    const pieces: string[] = [];
    const command = "printf '\\303'; sleep 0.2; printf '\\251\\360\\237'; sleep 0.2; printf '\\230\\200'";
    const result = await remote.run(['sh', '-c', command], { onOutput: (piece) => pieces.push(piece) });
    expect(result.stdout).toBe('é😀');
    expect(pieces).toEqual(['é', '😀']);
  });

  it('stream any amount without keeping it', async () => {
    let count = 0;
    let sum = 0;
    const before = process.memoryUsage().rss;
    const lines = 5_000_000;
    const result = await remote.stream(
      ['seq', String(lines)],
      (line) => {
        count += 1;
        sum += Number(line);
      },
      {},
    );
    expect(result).toEqual({ code: 0, stdout: '', stderr: '' });
    expect([count, sum]).toEqual([lines, (lines * (lines + 1)) / 2]);
    expect(process.memoryUsage().rss - before).toBeLessThan(200e6);
  });

  it('end when they print more than anybody asked for', async () => {
    const error = await errorOf(remote.run(['sh', '-c', 'exec yes too-much-output']));
    expect(error.code).toBe('unsupported');
    expect(await processes('yes too-much-output')).toBe(0);
  });

  it('take a large input, as root too', async () => {
    const input = 'zeile é\n'.repeat(300_000);
    const hash = createHash('sha256').update(input).digest('hex');
    for (const root of [false, true])
      expect((await remote.run(['sha256sum'], { input, root })).stdout).toBe(`${hash}  -\n`);
  });

  it('wait for each other when there are more than sshd allows', async () => {
    const all = await Promise.all(Array.from({ length: 40 }, (_, i) => remote.run(['echo', String(i)])));
    expect(all.map((r) => r.stdout)).toEqual(Array.from({ length: 40 }, (_, i) => `${i}\n`));
  });

  it.each([
    ['a program', false],
    ['a program of root', true],
  ])('are ended on the host when cancelled: %s', async (_, root) => {
    const abort = new AbortController();
    const script = 'trap : USR1\nsleep 4711\nsleep 4711';
    const both = [
      remote.run(['sleep', '4711'], { root, signal: abort.signal }),
      remote.script(script, { root, signal: abort.signal }),
    ];
    await until('both', async () => ((await processes('^sleep 4711$')) === 2 ? true : null));
    abort.abort();
    for (const one of both) expect((await errorOf(one)).code).toBe('cancelled');
    await until('the end of both', async () => ((await processes('sleep 4711')) === 0 ? true : null));
    expect((await remote.run(['true'])).code).toBe(0);
  });

  it('are ended when their time is over', async () => {
    const error = await errorOf(remote.run(['sleep', '4712'], { timeoutMs: 300 }));
    expect(error.code).toBe('connection-timeout');
    await until('its end', async () => ((await processes('sleep 4712')) === 0 ? true : null));
  });

  it('find the programs of root, and speak English', async () => {
    expect((await remote.run(['sh', '-c', 'command -v useradd'])).stdout).toBe('/usr/sbin/useradd\n');
    expect((await remote.run(['ls', '/none'])).stderr).toContain('No such file or directory');
  });
});

describe('scripts', () => {
  it('read their input, and nothing in them swallows a part of them', async () => {
    const script = 'read -r secret\nprintf "%s|" "$secret"\ncat\necho end\ncat <<"X"\n$HOME\nX\n';
    const result = await remote.script(script, { input: 'one $(x)\ntwo\n' });
    expect(result).toEqual({ code: 0, stdout: 'one $(x)|two\nend\n$HOME\n', stderr: '' });
  });

  it('stop at the first error when they say so', async () => {
    const result = await remote.script('set -e\necho 1\nfalse\necho 2', { root: true });
    expect(result).toEqual({ code: 1, stdout: '1\n', stderr: '' });
  });
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
    const again = await signIn('pi', pi.password); // groups are those of the sign-in
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
    await pi.exec(
      'sh',
      '-c',
      'printf "PermitRootLogin yes\\n" > /etc/ssh/sshd_config.d/root.conf; systemctl reload ssh; echo "root:$1" | chpasswd',
      'sh',
      pi.password,
    );
    await pi.exec('mv', '/usr/bin/sudo', '/usr/bin/sudo.away');
    const root = await signIn('root', pi.password);
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
    await until('the script', async () => ((await processes('^sleep 4713$')) === 1 ? true : null));
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
  beforeAll(() => remote.run(['mkdir', '/home/pi/odd']));

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
