import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Remote } from '../../src-main/hosts/remote.ts';
import { openRemote } from '../../src-main/hosts/ssh/index.ts';
import { groupStep } from '../../src-main/provision/recipes/docker/groupStep.ts';
import { type Provisioning, provisioningSchema } from '../../src-shared/model/provision.ts';
import { type Bench, exists, openBench, type Recipes } from './provisionBench.ts';
import { ensureRootFs } from './rootFs.ts';
import { type SshHome, sshHome } from './sshHome.ts';
import { bootPi, type VirtualPi } from './virtualPi.ts';

// Whatever a person may type, a program that reads it as more than text would leave a file named owned-….
const evil = (where: string) =>
  `it's $(touch /tmp/owned-${where}) \`touch /tmp/owned-${where}\` "é漢" ;touch /tmp/owned-${where}; \\ 'x`;

const host = 'it\'s $(touch /tmp/owned-host) `touch /tmp/owned-host` "é漢" ; \\';
/** A user name may hold everything but a colon, a slash and a line break. */
const user = `o'dd $(touch owned-user) \`touch owned-user\` "é" ;touch owned-user; \\`;
const home = '/home/-rf $(touch owned-home) \'"é';
const login = evil('login');
const phrase = evil('phrase');
const password = evil('password');
// Without the characters that tools of PostgreSQL and Debian hand to a shell: they are refused.
const folder = '/srv/-rf é漢 ;touch owned-folder; & | < > * ? # ~ ! (a) {b,c} [d] %s';
const prefix = evil('prefix');
const recipes: Recipes = [
  { id: 'headless', parameters: { stronger: true } },
  { id: 'quiet' },
  { id: 'database-from-packages', parameters: { password, dataFolder: folder } },
  {
    id: 'tune',
    parameters: {
      profile: 'custom',
      custom: `log_line_prefix = '${prefix.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`,
    },
  },
];

let pi: VirtualPi;
let ssh: SshHome;
let bench: Bench;
let pristine: string[];

beforeAll(async () => {
  // The packages are there: what they are called is nobody's choice.
  pi = await bootPi(133, await ensureRootFs((line) => process.stderr.write(`${line}\n`)));
  ssh = await sshHome();
  // Tools that make users refuse such names; a directory server or a hand may not.
  await pi.exec(...['sh', '-c', addUser, 'sh', user, home], `${user}:x:1001:1001::${home}:/bin/bash`);
  await pi.exec('sh', '-c', 'printf "%s:%s" "$1" "$2" | chpasswd', 'sh', user, login);
  const key = await ssh.key(`it's $(touch owned-key) "key" é`, '-t', 'ed25519', '-N', phrase);
  await pi.exec('sh', '-c', 'printf "%s" "$1" > "$2/.ssh/authorized_keys"', 'sh', key.publicKey, home);
  bench = await openBench(pi, {
    name: host,
    user,
    auth: { method: 'key', keyFile: key.file },
    secret: phrase,
    sudo: login,
  });
  pristine = await bench.snapshot();
});
afterAll(async () => {
  await bench?.close();
  await ssh?.close();
  await pi?.close();
});
afterEach(async () => {
  const owned = await pi.exec('find', '/', '-xdev', '-name', 'owned*', '-not', '-path', '/proc/*');
  expect(owned).toBe('');
});

const addUser = `set -e
printf '%s\\n' "$3" >> /etc/passwd
printf '%s\\n' "$1:x:1001:" >> /etc/group
printf '%s\\n' "$1:*:20000:0:99999:7:::" >> /etc/shadow
echo '#1001 ALL=(ALL) ALL' > /etc/sudoers.d/lab
chmod 440 /etc/sudoers.d/lab
mkdir -p -- "$2/.ssh"
chown -R 1001:1001 -- "$2"
chmod 700 -- "$2" "$2/.ssh"`;

const sql = (text: string) =>
  pi.exec('sh', '-c', 'cd / && runuser -u postgres -- psql -XqAt --cluster 17/bench -c "$1"', 'sh', text);

describe('a user, a host, a key and passwords with everything in their names that a shell could take for its own', () => {
  it('sign in with the password too, and become root', async () => {
    const signal = new AbortController().signal;
    const access = {
      secret: async () => login,
      trusted: { type: 'ssh-ed25519', fingerprint: await pi.hostKey() },
    };
    const where = { name: host, address: pi.address, port: 22, user, auth: { method: 'password' as const } };
    const remote: Remote = await openRemote(where, access, signal);
    try {
      expect((await remote.run(['id', '-un'])).stdout).toBe(`${user}\n`);
      expect((await remote.run(['id', '-u'], { root: true })).stdout).toBe('0\n');
      expect((await remote.script('printf %s "$HOME"')).stdout).toBe(home);
      await remote.writeFile(`${home}/-n $(touch owned) \n`, 'text');
      expect(await remote.readFile(`${home}/-n $(touch owned) \n`)).toBe('text');
      expect((await remote.run(['rm', '--', `${home}/-n $(touch owned) \n`])).code).toBe(0);
      // The one step that has to do with the user's name; gpasswd itself refuses such a one.
      expect(await groupStep.check(remote, signal)).toMatchObject({
        done: false,
        evidence: `${user} is not in the group docker.`,
      });
      await pi.exec('sh', '-c', 'echo "docker:x:2001:$1" >> /etc/group', 'sh', user);
      expect(await groupStep.check(remote, signal)).toMatchObject({ done: true });
      await pi.exec('sed', '-i', '/^docker:/d', '/etc/group');
    } finally {
      await remote.close();
    }
    expect(await bench.snapshot()).toEqual(pristine);
  });
});

describe('recipes with such values', () => {
  let made: Provisioning;
  let settled: string[];

  it('are refused where a tool of the host is known not to be safe with them', async () => {
    const dataFolder = `/srv/${evil('refused').replaceAll('/tmp/', '')}`;
    const { preflight, steps } = await bench.plan([
      { id: 'database-from-packages', parameters: { password, dataFolder } },
    ]);
    expect(preflight.at(-1)).toMatchObject({ result: 'fail', detail: expect.stringContaining(dataFolder) });
    expect(steps).toEqual([]);
    expect(await bench.snapshot()).toEqual(pristine);
  });

  it('are planned by the command line without a change', async () => {
    const [, , database, tune] = recipes;
    const args = ['host', 'provision', host, '--dry-run', '--json'];
    const dry = await bench.command(
      [
        ...args,
        ...recipes.flatMap(({ id }) => ['--recipe', id]),
        ...['--set', `dataFolder=${database?.parameters?.dataFolder}`],
        ...['--set', 'profile=custom', '--set', `custom=${tune?.parameters?.custom}`],
        ...['--before', `echo ${'$(touch /tmp/owned-never-run)'}`],
      ],
      { BENCHBERRY_PASSWORD: password },
    ).ended;
    expect(dry.code, dry.errors + dry.output).toBe(0);
    const planned = provisioningSchema.parse(JSON.parse(dry.output));
    expect(planned.steps.map(({ state }) => state)).not.toContain('waiting');
    expect(JSON.stringify(planned)).not.toContain('owned-password');
    expect(await bench.snapshot()).toEqual(pristine);
  });

  it('are made as they were typed, and take a load into a database of such a name', async () => {
    const planned = await bench.plan(recipes, {
      before: 'printf "%s" "it\'s mine" > "$HOME/own é"',
      after: "cat <<'end'\n$(touch owned-here)\nend",
    });
    made = await bench.applyPlanned(planned.id);
    expect(made.status, bench.logOf(made)).toBe('done');
    expect(await pi.exec('cat', `${home}/own é`)).toBe("it's mine");
    await pi.exec('rm', `${home}/own é`);
    expect(made.steps.at(-1)?.log).toContain('$(touch owned-here)');
    expect(await sql('show data_directory')).toBe(`${folder}\n`);
    expect(await sql('show log_line_prefix')).toBe(`${prefix}\n`);
    expect(JSON.stringify(bench.app.heard)).not.toContain('owned-password');
    settled = await bench.snapshot();
    await bench.loads(made, 'it\'s "$(touch /tmp/owned-database)" `x` é; -rf');
  });

  it('are not made twice', async () => {
    const again = await bench.apply(recipes);
    expect(again.status, bench.logOf(again)).toBe('done');
    expect(new Set(again.steps.map(({ state }) => state))).toEqual(new Set(['already-so']));
    expect(await bench.snapshot()).toEqual(settled);
  });

  it('are undone', async () => {
    await bench.undo(made.id);
    expect(await exists(pi, folder)).toBe(false);
    expect(await exists(pi, '/var/lib/benchberry')).toBe(false);
    expect(await bench.snapshot()).toEqual(pristine);
  });

  it('make the same of the host as one exported script, whose second run changes nothing', async () => {
    const planned = await bench.plan(recipes);
    const script = await bench.app.api.call('provision.script', { id: planned.id });
    expect(script).not.toContain('owned-password');
    const remote = await bench.remote();
    try {
      await remote.writeFile('/root/set up $(touch owned-script).sh', script, { root: true });
      // It asks at a terminal, which script(1) gives it; nothing is echoed that is there before it is asked for.
      const run = () =>
        remote.run(
          ['script', '--echo', 'never', '-qec', 'sh "/root/set up \\$(touch owned-script).sh"', '/dev/null'],
          {
            root: true,
            input: `${password}\n`,
          },
        );
      const first = await run();
      expect(first.code, first.stdout).toBe(0);
      expect(first.stdout).toContain('All done.');
      expect(first.stdout).not.toContain('owned-password');
      expect(await sql('show log_line_prefix')).toBe(`${prefix}\n`);
      const byScript = await bench.snapshot();
      const second = await run();
      expect(second.code, second.stdout).toBe(0);
      expect(await bench.snapshot()).toEqual(byScript);
      await pi.exec('rm', '/root/set up $(touch owned-script).sh');
      expect(await bench.snapshot()).toEqual(settled);
    } finally {
      await remote.close();
    }
  });
});
