import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Bench, exists, openBench } from './provisionBench.ts';
import { ensureRootFs } from './rootFs.ts';
import { until } from './shell.ts';
import { bootPi, type VirtualPi } from './virtualPi.ts';

let pi: VirtualPi;
let bench: Bench;

beforeAll(async () => {
  pi = await bootPi(136, await ensureRootFs((line) => process.stderr.write(`${line}\n`), 'bare'));
  bench = await openBench(pi);
});
afterAll(async () => {
  await bench?.close();
  await pi?.close();
});

describe('quiet for the run', () => {
  const timers = async () =>
    (await pi.exec('sh', '-c', "systemctl list-units --plain --no-legend --type=timer | awk '{ print $1 }'"))
      .split('\n')
      .filter((line) => line !== '');

  it('is restored when the app dies', async () => {
    const before = await timers();
    expect(before).toContain('apt-daily.timer');
    const { key } = await bench.app.api.call('hosts.key', { id: bench.hostId });
    const args = [pi.address, key.type, key.fingerprint, '6'];
    const child = spawn(process.execPath, [join(import.meta.dirname, 'quietChild.ts'), ...args], {
      env: { ...process.env, LAB_PASSWORD: pi.password },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [told] = await once(child.stdout.setEncoding('utf8'), 'data');
    expect(String(told).trim().split(' ')).toContain('apt-daily.timer');
    expect(await timers()).not.toContain('apt-daily.timer');
    child.kill('SIGKILL');
    await once(child, 'exit');
    await until('the timers', async () => ((await timers()).join() === before.join() ? true : null));
    // Its last act, a moment after it has started them.
    await until('the end of the folder', async () =>
      (await exists(pi, '/run/benchberry-quiet-run')) ? null : true,
    );
  });

  it('as a recipe is made, not made twice, and undone', async () => {
    const before = await timers();
    const pristine = await bench.snapshot();
    const made = await bench.apply([{ id: 'quiet' }]);
    expect(made.status, bench.logOf(made)).toBe('done');
    expect(await timers()).not.toContain('apt-daily.timer');
    const settled = await bench.snapshot();
    expect(bench.states(await bench.apply([{ id: 'quiet' }]))).toEqual(['quiet.stop-disturbers already-so']);
    expect(await bench.snapshot()).toEqual(settled);
    await bench.undo(made.id);
    await until('the timers', async () => ((await timers()).join() === before.join() ? true : null));
    await until('the host as it was', async () =>
      (await bench.snapshot()).join('\n') === pristine.join('\n') ? true : null,
    );
  });
});
