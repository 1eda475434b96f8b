import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { expandPath, resolveEndpoint } from './endpoint.ts';

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'benchberry-endpoint-'));
  await mkdir(join(home, '.ssh', 'config.d'), { recursive: true });
  for (const variable of ['HOME', 'USERPROFILE']) vi.stubEnv(variable, home);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(home, { recursive: true });
});
const write = (name: string, text: string) => writeFile(join(home, '.ssh', name), text);
const host = (address: string, port = 22) => ({ address, port, user: 'pi' });

describe('where a host is', () => {
  it('is what was typed where there is no ~/.ssh', async () => {
    await rm(join(home, '.ssh'), { recursive: true });
    expect(await resolveEndpoint(host('raspberrypi.local', 2222))).toMatchObject({
      host: 'raspberrypi.local',
      port: 2222,
      user: 'pi',
      identityFiles: [],
      identitiesOnly: false,
    });
  });

  it('is what the alias says, through every file that an Include names', async () => {
    await write('config', 'Include config.d/*.conf\nHost *\n  Port 2022\n');
    await write('config.d/b.conf', 'Host shelf\n  HostName 10.0.0.2\n  IdentityFile ~/keys/%r@%h\n');
    await write('config.d/a.conf', 'Host shelf\n  HostName 10.0.0.1\n');
    await write('config.d/a.conf.old', 'Host shelf\n  Port 1\n');
    expect(await resolveEndpoint(host('shelf'))).toMatchObject({
      host: '10.0.0.1',
      port: 2022,
      identityFiles: [join(home, 'keys', 'pi@10.0.0.1')],
    });
    expect((await resolveEndpoint(host('shelf', 2222))).port).toBe(2222);
  });

  it('has the keys that known_hosts has under its real name, or under the alias given for that', async () => {
    const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIMP8Yhd8urcl83qUqx0i3l2HE/81H7FZIqO94gMlJgM+';
    await write('known_hosts', `10.0.0.1 ${key}\n`);
    await write('known_hosts2', `stable-name ${key}\n`);
    await write('config', 'Host a b\n HostName 10.0.0.1\nHost b c\n HostKeyAlias stable-name\nHost b\n');
    for (const [name, count] of [
      ['a', 1],
      ['b', 1],
      ['c', 1],
      ['d', 0],
    ] as const)
      expect((await resolveEndpoint(host(name))).known).toHaveLength(count);
  });

  it('is refused behind another host', async () => {
    await write('config', 'Host far\n  ProxyCommand nc gate 22\n');
    await expect(resolveEndpoint(host('far'))).rejects.toMatchObject({
      code: 'unsupported',
      detail: expect.stringContaining('nc gate 22'),
    });
  });
});

it('expands ~ and the tokens of ssh_config in paths', () => {
  expect(expandPath('~/.ssh/id')).toBe(join(homedir(), '.ssh', 'id'));
  expect(expandPath('~')).toBe(join(homedir(), ''));
  expect(expandPath('~other/id')).toBe('~other/id');
  expect(expandPath('/keys/%h-%%-%x', { h: 'pi' })).toBe('/keys/pi-%-%x');
});
