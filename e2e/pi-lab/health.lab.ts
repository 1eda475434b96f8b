import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestApp, removeFolder, type TestApp } from '../../src-main/app/testApp.ts';
import { watchHealth } from '../../src-main/hosts/health/index.ts';
import type { HealthSample } from '../../src-shared/model/host.ts';
import { addHost } from './provisionBench.ts';
import { ensureRootFs } from './rootFs.ts';
import { until } from './shell.ts';
import { processes, signIn } from './signIn.ts';
import { bootPi, type VirtualPi } from './virtualPi.ts';

let pi: VirtualPi;
let app: TestApp;
let hostId: string;

beforeAll(async () => {
  pi = await bootPi(41, await ensureRootFs((line) => process.stderr.write(`${line}\n`)));
  app = await openTestApp();
  hostId = (await addHost(app, pi, { name: 'rpi-lab' })).id;
});
afterAll(async () => {
  await app?.close();
  if (app) removeFolder(app.folder);
  await pi?.close();
});

describe('the sampler on a virtual Pi', () => {
  it('tells what the board says, costs next to nothing, and leaves nothing running', async () => {
    const stop = new AbortController();
    const samples: HealthSample[] = [];
    let reached: (() => void) | null = null;
    const watching = watchHealth(
      {
        open: () => signIn(pi),
        onSample(sample) {
          samples.push(sample);
          reached?.();
        },
      },
      stop.signal,
    );
    const count = (n: number) =>
      new Promise<void>((resolve) => {
        reached = () => samples.length >= n && resolve();
        reached();
      });
    await count(3);
    const before = await cost();
    const from = samples.length;
    await pi.board({ temperatureC: 71.2, clockMhz: 1200 });
    await count(from + 62);
    const after = await cost();
    const lines = samples.length - from;
    stop.abort();
    await watching;

    // Ticks of 10 ms: the shell with all it started, and its sshd. A Raspberry Pi 3 takes about five times as long as such
    // a machine: 2 % of one of its cores are 20 ms a second, that is 4 ms here.
    const perLine = ((after - before) * 10) / lines;
    process.stderr.write(
      `The sampler: ${perLine.toFixed(2)} ms of processor time a line over ${lines} lines\n`,
    );
    expect(perLine).toBeLessThan(4);
    await until('the end of the sampler', async () =>
      (await processes(pi, '^sh -s -- /')) === 0 ? true : null,
    );

    const [first] = samples;
    const last = samples.at(-1);
    expect(first).toMatchObject({
      temperatureC: 44.3,
      clockMhz: 1500,
      underVoltage: false,
      throttle: { throttled: false },
      bootId: (await pi.exec('cat', '/proc/sys/kernel/random/boot_id')).trim(),
    });
    expect(last).toMatchObject({ temperatureC: 71.2, clockMhz: 1200 });
    const memory = await pi.exec('sh', '-c', 'read -r _ kb _ < /proc/meminfo; echo $kb');
    expect(last?.memory.totalBytes).toBe(Number(memory) * 1024);
    const free = Number((await pi.exec('df', '-Pk', '/')).split('\n')[1]?.split(/\s+/)[3]) * 1024;
    expect(Math.abs((last?.freeBytes ?? 0) - free)).toBeLessThan(free * 0.1);
    // What this very connection carries: some hundred bytes a second from the host.
    expect(last?.network?.sentBytesPerSecond).toBeGreaterThan(100);
    for (const { cpu } of samples)
      expect(Object.values(cpu).reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 6);
    await pi.board({ temperatureC: 44.3, clockMhz: 1500 });
  });

  it('comes through the app as events until the call is cancelled', async () => {
    const stop = new AbortController();
    const watching = app.api.call('hosts.watch', { id: hostId }, stop.signal);
    const { sample } = await app.until('host.health', (event) => event.hostId === hostId);
    expect(sample.temperatureC).toBe(44.3);
    stop.abort();
    await watching.catch((error: unknown) => expect(error).toMatchObject({ code: 'cancelled' }));
    await until('the end of the sampler', async () =>
      (await processes(pi, '^sh -s -- /')) === 0 ? true : null,
    );
  });
});

/** Clock ticks that the sampler's shell, what it started, and the sshd of its session have taken. */
async function cost(): Promise<number> {
  const ask = `for p in $(pgrep -f '^sh -s -- /') $(pgrep sshd-session); do cut -d')' -f2 "/proc/$p/stat"; done`;
  const lines = (await pi.exec('sh', '-c', ask)).trim().split('\n');
  // utime, stime, cutime, cstime: fields 14 to 17, of which two stand before the bracket.
  return lines.reduce((sum, line) => {
    const fields = line.trim().split(' ').slice(11, 15).map(Number);
    return sum + fields.reduce((a, b) => a + b, 0);
  }, 0);
}
