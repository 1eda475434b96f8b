import { createHash } from 'node:crypto';
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

beforeAll(async () => {
  pi = await bootPi(12, await ensureRootFs((line) => process.stderr.write(`${line}\n`), 'bare'));
  remote = await signIn(pi);
});
afterAll(async () => {
  await remote?.close();
  await pi?.close();
});

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
      const again = await signIn(pi);
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
    expect(await processes(pi, 'yes too-much-output')).toBe(0);
  });

  it('take a large input, as root too', async () => {
    const input = 'zeile é\n'.repeat(300_000);
    const hash = createHash('sha256').update(input).digest('hex');
    for (const root of [false, true])
      expect((await remote.run(['sha256sum'], { input, root })).stdout).toBe(`${hash}  -\n`);
  });

  it('may end without reading their input', async () => {
    const input = 'x'.repeat(20_000_000);
    for (const root of [false, true]) {
      expect((await remote.run(['true'], { input, root })).code).toBe(0);
      expect((await remote.run(['head', '-c', '3'], { input, root })).stdout).toBe('xxx');
    }
    expect((await remote.script('exit 4\n', { input })).code).toBe(4);
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
      errorOf(remote.run(['sleep', '4711'], { root, signal: abort.signal })),
      errorOf(remote.script(script, { root, signal: abort.signal })),
    ];
    await until('both', async () => ((await processes(pi, '^sleep 4711$')) === 2 ? true : null));
    abort.abort();
    for (const one of both) expect((await one).code).toBe('cancelled');
    await until('the end of both', async () => ((await processes(pi, 'sleep 4711')) === 0 ? true : null));
    expect((await remote.run(['true'])).code).toBe(0);
  });

  it('do not begin when cancelled before, and end when cancelled at once', async () => {
    expect((await errorOf(remote.run(['sleep', '4714'], { signal: AbortSignal.abort() }))).code).toBe(
      'cancelled',
    );
    const abort = new AbortController();
    const running = errorOf(remote.run(['sleep', '4714'], { signal: abort.signal }));
    setImmediate(() => abort.abort());
    expect((await running).code).toBe('cancelled');
    await until('its end', async () => ((await processes(pi, 'sleep 4714')) === 0 ? true : null));
  });

  it('are ended when their time is over', async () => {
    const error = await errorOf(remote.run(['sleep', '4712'], { timeoutMs: 300 }));
    expect(error.code).toBe('connection-timeout');
    await until('its end', async () => ((await processes(pi, 'sleep 4712')) === 0 ? true : null));
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
