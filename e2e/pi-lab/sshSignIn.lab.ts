import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openRemote, readHostKey } from '../../src-main/hosts/ssh/index.ts';
import type { HostAuth, HostKey } from '../../src-shared/model/host.ts';
import { ensureRootFs } from './rootFs.ts';
import { run } from './shell.ts';
import { errorOf } from './signIn.ts';
import { type SshHome, sshHome } from './sshHome.ts';
import { bootPi, type VirtualPi } from './virtualPi.ts';

let pi: VirtualPi;
let home: SshHome;
let key: HostKey;
const signal = new AbortController().signal;

beforeAll(async () => {
  pi = await bootPi(11, await ensureRootFs((line) => process.stderr.write(`${line}\n`), 'bare'));
  home = await sshHome();
  key = { type: 'ssh-ed25519', fingerprint: await pi.hostKey() };
});
afterAll(async () => {
  await home?.close();
  await pi?.close();
});
beforeEach(() => home.clear());

const host = (auth: HostAuth, address = pi.address, port = 22) => ({
  name: 'Lab',
  address,
  port,
  user: pi.user,
  auth,
  hostKey: null,
});

/** Signs in, asks who it is, signs out. */
async function whoAmI(
  auth: HostAuth,
  secret: string | null,
  where: { address?: string; port?: number; trusted?: HostKey | null } = {},
): Promise<string> {
  const access = {
    secret: async () => secret,
    trusted: where.trusted === undefined ? key : where.trusted,
  };
  const remote = await openRemote(host(auth, where.address, where.port), access, signal);
  try {
    return (await remote.run(['id', '-un'])).stdout.trim();
  } finally {
    await remote.close();
  }
}

/** What sshd has noted since the test began, by a word of its own in the log. */
async function noting<T>(act: () => Promise<T>): Promise<{ result: T; log: string }> {
  const mark = `mark-${process.hrtime.bigint()}`;
  await pi.exec('logger', mark);
  const result = await act();
  await pi.exec('journalctl', '--sync');
  const log = await pi.exec('journalctl', '--no-pager', '-o', 'cat');
  return { result, log: log.slice(log.indexOf(mark)) };
}

const password: HostAuth = { method: 'password' };
const agent: HostAuth = { method: 'agent' };
const withKey = (keyFile: string): HostAuth => ({ method: 'key', keyFile });

describe('signing in with a password', () => {
  it('works', async () => {
    expect(await whoAmI(password, pi.password)).toBe('pi');
  });

  it('works where the server asks by keyboard-interactive only', async () => {
    await pi.configureSshd('PasswordAuthentication no', 'KbdInteractiveAuthentication yes');
    try {
      expect(await whoAmI(password, pi.password)).toBe('pi');
    } finally {
      await pi.configureSshd();
    }
  });

  it('tries a wrong one once', async () => {
    const wrong = 'wrong $(touch x) "é';
    const { result, log } = await noting(() => errorOf(whoAmI(password, wrong)));
    expect(result).toMatchObject({ code: 'wrong-password' });
    expect(JSON.stringify(result.toData())).not.toContain('touch x');
    expect(log.match(/Failed password for pi/g)).toHaveLength(1);
    expect(await whoAmI(password, pi.password)).toBe('pi');
  });

  it('says when one is needed, before it knocks', async () => {
    const { result, log } = await noting(() => errorOf(whoAmI(password, null)));
    expect(result.code).toBe('password-needed');
    expect(log).not.toContain('Connection');
  });
});

describe('signing in with a key file', () => {
  it.each([
    ['ed25519', ['-t', 'ed25519']],
    ['ecdsa', ['-t', 'ecdsa']],
    ['rsa', ['-t', 'rsa', '-b', '2048']],
    ['rsa in PEM', ['-t', 'rsa', '-b', '2048', '-m', 'PEM']],
    ['rsa in PKCS#8', ['-t', 'rsa', '-b', '2048', '-m', 'PKCS8']],
    ['ecdsa in PKCS#8', ['-t', 'ecdsa', '-m', 'PKCS8']],
  ])('%s, with and without a passphrase', async (_, options) => {
    const open = await home.key('open', ...options);
    const phrase = 'it\'s a "phrase" é';
    const locked = await home.key('locked', ...options, '-N', phrase);
    for (const pair of [open, locked]) await pi.authorize(pair.publicKey);
    expect(await whoAmI(withKey(open.file), null)).toBe('pi');
    expect(await whoAmI(withKey('~/.ssh/locked'), phrase)).toBe('pi');
    expect(await errorOf(whoAmI(withKey(locked.file), null))).toMatchObject({
      code: 'password-needed',
      message: 'The passphrase of the private key is needed',
      place: { file: locked.file },
    });
    const wrong = await errorOf(whoAmI(withKey(locked.file), 'not it'));
    expect(wrong).toMatchObject({ code: 'wrong-password', place: { file: locked.file } });
  });

  it('says what is wrong with a file or a key', async () => {
    const stranger = await home.key('stranger', '-t', 'ed25519');
    expect((await errorOf(whoAmI(withKey(stranger.file), null))).code).toBe('sign-in-refused');
    expect((await errorOf(whoAmI(withKey(`${stranger.file}.pub`), null))).code).toBe('bad-input');
    expect((await errorOf(whoAmI(withKey('~/.ssh/none'), null))).code).toBe('not-found');
    await home.write('text', 'no key at all');
    expect((await errorOf(whoAmI(withKey('~/.ssh/text'), null))).code).toBe('bad-input');
  });
});

describe('signing in with the agent and the usual files', () => {
  it('uses a key that only the agent can open', async () => {
    const pair = await home.key('one', '-t', 'ed25519');
    await pi.authorize(pair.publicKey);
    await home.agent(pair.file);
    await writeFile(pair.file, '');
    expect(await whoAmI(agent, null)).toBe('pi');
  });

  it('uses ~/.ssh/id_ed25519 where no agent runs, and says so when there is nothing', async () => {
    expect((await errorOf(whoAmI(agent, null))).message).toBe('There is no key to sign in with');
    await pi.authorize((await home.key('id_ed25519', '-t', 'ed25519')).publicKey);
    expect(await whoAmI(agent, null)).toBe('pi');
  });

  it('is not turned away for the many keys of an agent when the configuration names the right one', async () => {
    const right = await home.key('right', '-t', 'ed25519');
    await pi.authorize(right.publicKey);
    const files: string[] = [];
    for (let i = 0; i < 8; i++) files.push((await home.key(`other${i}`, '-t', 'ed25519')).file);
    await home.agent(...files, right.file);
    expect((await errorOf(whoAmI(agent, null))).code).toBe('sign-in-refused');
    await home.write('config', `Host ${pi.address}\n  IdentityFile ~/.ssh/right\n  IdentitiesOnly yes\n`);
    expect(await whoAmI(agent, null)).toBe('pi');
  });

  it('says when the agent that is named does not answer', async () => {
    process.env.SSH_AUTH_SOCK = join(home.folder, 'nobody');
    expect((await errorOf(whoAmI(agent, null))).message).toBe('The SSH agent does not answer');
  });
});

describe('~/.ssh/config', () => {
  it('finds an alias through an included file, with its port', async () => {
    await pi.configureSshd('Port 22', 'Port 2222');
    await home.write('config', 'Include rack.conf\n');
    await home.write('rack.conf', `Host shelf-*\n  HostName ${pi.address}\n  Port 2222\n`);
    expect(await whoAmI(password, pi.password, { address: 'shelf-1' })).toBe('pi');
    const line = (await pi.exec('cat', '/etc/ssh/ssh_host_ed25519_key.pub')).trim();
    await home.write('known_hosts', `[${pi.address}]:2222 ${line}\n`);
    expect(await whoAmI(password, pi.password, { address: 'shelf-1', trusted: null })).toBe('pi');
    expect((await errorOf(whoAmI(password, pi.password, { trusted: null }))).code).toBe('host-key-unknown');
  });

  it('refuses a detour and says why', async () => {
    await home.write('config', `Host far\n  HostName ${pi.address}\n  ProxyJump gate\n`);
    const error = await errorOf(whoAmI(password, pi.password, { address: 'far' }));
    expect(error).toMatchObject({ code: 'unsupported' });
    expect(error.detail).toContain('gate');
  });
});

describe('the host key', () => {
  it('is shown as OpenSSH prints it, without a sign-in, and must be trusted first', async () => {
    const { result, log } = await noting(() => readHostKey(host(password), signal));
    expect(result).toEqual({ key, standing: 'new', expected: null });
    expect(log).not.toContain('password');
    const error = await errorOf(whoAmI(password, pi.password, { trusted: null }));
    expect(error.code).toBe('host-key-unknown');
    expect(error.detail).toContain(key.fingerprint);
    expect(await readHostKey({ ...host(password), hostKey: key }, signal)).toMatchObject({
      standing: 'pinned',
    });
  });

  it.each(['ed25519', 'ecdsa', 'rsa'])('is known from known_hosts, plain and hashed: %s', async (type) => {
    const line = (await pi.exec('cat', `/etc/ssh/ssh_host_${type}_key.pub`)).trim();
    const text = `other.example ${line}\n${pi.address} ${line}\n`;
    await home.write('known_hosts', text);
    expect(await whoAmI(password, pi.password, { trusted: null })).toBe('pi');
    await run('ssh-keygen', ['-q', '-H', '-f', join(home.folder, '.ssh/known_hosts')]);
    const hashed = await readFile(join(home.folder, '.ssh/known_hosts'), 'utf8');
    expect(hashed).not.toContain(pi.address);
    expect(await whoAmI(password, pi.password, { trusted: null })).toBe('pi');
    expect(await readHostKey(host(password), signal)).toMatchObject({ standing: 'known-hosts' });
    expect(await readFile(join(home.folder, '.ssh/known_hosts'), 'utf8')).toBe(hashed);
  });

  it('is a hard stop when revoked', async () => {
    const line = (await pi.exec('cat', '/etc/ssh/ssh_host_ed25519_key.pub')).trim();
    await home.write('known_hosts', `@revoked ${pi.address} ${line}\n`);
    expect((await errorOf(whoAmI(password, pi.password))).code).toBe('host-key-changed');
  });

  it('is a hard stop when changed: both fingerprints, and no password leaves', async () => {
    const old = (await pi.exec('cat', '/etc/ssh/ssh_host_ed25519_key.pub')).trim();
    await pi.newHostKey();
    const now = await pi.hostKey();
    expect(now).not.toBe(key.fingerprint);
    await home.write('known_hosts', `${pi.address} ${old}\n`);
    for (const trusted of [key, null]) {
      const { result, log } = await noting(() => errorOf(whoAmI(password, pi.password, { trusted })));
      expect(result.code).toBe('host-key-changed');
      expect(result.detail).toContain(key.fingerprint);
      expect(result.detail).toContain(now);
      expect(log).not.toMatch(/password|Accepted/);
    }
    const shown = await readHostKey({ ...host(password), hostKey: key }, signal);
    expect(shown).toMatchObject({ standing: 'changed', expected: key, key: { fingerprint: now } });
    key = { type: 'ssh-ed25519', fingerprint: now };
    expect(await whoAmI(password, pi.password)).toBe('pi');
  });
});

describe('a host that is not there', () => {
  it('is told apart from one that refuses and one without a name', async () => {
    const closed = await errorOf(whoAmI(password, pi.password, { port: 23 }));
    expect(closed.code).toBe('connection-refused');
    const nameless = await errorOf(whoAmI(password, pi.password, { address: 'no-such-pi.invalid' }));
    expect(nameless.code).toBe('host-not-found');
    await pi.cable(false);
    const silent = await errorOf(whoAmI(password, pi.password));
    await pi.cable(true);
    expect(silent.code).toBe('connection-timeout');
  });

  it('stops at once when told to', async () => {
    const abort = new AbortController();
    await pi.cable(false);
    const opening = openRemote(
      host(password),
      { secret: async () => pi.password, trusted: key },
      abort.signal,
    );
    abort.abort();
    expect((await errorOf(opening)).code).toBe('cancelled');
    await pi.cable(true);
  });
});
