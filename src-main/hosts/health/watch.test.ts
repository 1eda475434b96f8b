import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src-shared/errors.ts';
import type { HealthSample } from '../../../src-shared/model/host.ts';
import type { Remote } from '../remote.ts';
import { createAxis } from './axis.ts';
import { samplerScript } from './script.ts';
import { headerLine, sampleLine } from './testLines.ts';
import { watchHealth } from './watch.ts';

const lost = () => new AppError({ code: 'connection-lost', message: 'The SSH connection was lost' });
const unused = () => Promise.reject(new Error('the sampler needs one channel only'));

interface Sent {
  command: readonly string[];
  input: string | undefined;
}

/** A host that prints these lines and then ends as told; `wait` keeps the channel open until the signal. */
function hostThat(lines: readonly string[], end: AppError | number | 'wait', sent: Sent[] = []) {
  let closed = 0;
  const remote: Remote = {
    address: 'pi.example',
    user: 'pi',
    run: unused,
    script: unused,
    readFile: unused,
    writeFile: unused,
    reboot: unused,
    async stream(command, onLine, { input, signal }) {
      sent.push({ command, input });
      for (const line of lines) onLine(line);
      if (end instanceof AppError) throw end;
      if (end === 'wait') {
        if (signal?.aborted === false)
          await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
        throw new AppError({ code: 'cancelled', message: 'Cancelled' });
      }
      return { code: end, stdout: '', stderr: '' };
    },
    close: async () => {
      closed += 1;
    },
  };
  return { remote, closed: () => closed };
}

const lines = (boot: string, uptimes: readonly number[]) => [
  headerLine.replace('7a0a3c2e', boot),
  ...uptimes.map((uptime) => sampleLine({ uptime: `${uptime} 0` })),
];

describe('watching', () => {
  it('sends one script through one channel, tells each sample, and ends with the signal', async () => {
    const stop = new AbortController();
    const sent: Sent[] = [];
    const host = hostThat(['Welcome to Raspberry Pi OS', ...lines('aaaa', [10, 11, 12.5])], 'wait', sent);
    const samples: HealthSample[] = [];
    await watchHealth(
      {
        open: async () => host.remote,
        now: () => 5000,
        path: '/srv/my data',
        onSample(sample) {
          samples.push(sample);
          if (samples.length === 2) queueMicrotask(() => stop.abort());
        },
      },
      stop.signal,
    );
    expect(sent).toEqual([{ command: ['sh', '-s', '--', '/srv/my data', '1'], input: samplerScript }]);
    expect(samples.map(({ intervalMs }) => intervalMs)).toEqual([1000, 1500]);
    expect(host.closed()).toBe(1);
  });

  it('opens a lost connection again, says so once, and makes nothing up in between', async () => {
    const stop = new AbortController();
    const hosts = [
      hostThat(lines('aaaa', [10, 11]), lost()),
      hostThat([], lost()),
      hostThat(lines('bbbb', [3, 4]), 'wait'),
    ];
    const told: string[] = [];
    const boots: string[] = [];
    let opened = 0;
    await watchHealth(
      {
        open: async () => {
          const host = hosts[opened++];
          if (host === undefined) throw new Error('opened too often');
          return host.remote;
        },
        pause: async () => undefined,
        onLost: (error) => told.push(error.code),
        onSample({ bootId }) {
          boots.push(bootId.slice(0, 4));
          if (boots.length === 2) stop.abort();
        },
      },
      stop.signal,
    );
    expect(boots).toEqual(['aaaa', 'bbbb']);
    expect(told).toEqual(['connection-lost']);
    expect(hosts.map((host) => host.closed())).toEqual([1, 1, 1]);
  });

  it('waits longer after each try in vain, and as at first once samples have come', async () => {
    const stop = new AbortController();
    const waits: number[] = [];
    let opened = 0;
    await watchHealth(
      {
        open: async () => {
          opened += 1;
          if (opened !== 6) throw lost();
          return hostThat(lines('aaaa', [1, 2]), 2).remote;
        },
        pause: async (ms) => {
          waits.push(ms);
          if (waits.length === 6) stop.abort();
        },
        onSample: () => undefined,
      },
      stop.signal,
    );
    expect(waits).toEqual([3000, 5000, 10_000, 15_000, 15_000, 3000]);
  });

  it.each(['host-key-changed', 'wrong-password', 'password-needed'] as const)(
    'does not try again what only the user can mend: %s',
    async (code) => {
      const told: string[] = [];
      const watching = watchHealth(
        {
          open: () => Promise.reject(new AppError({ code, message: 'no' })),
          onSample: () => undefined,
          onLost: (error) => told.push(error.code),
        },
        new AbortController().signal,
      );
      await expect(watching).rejects.toMatchObject({ code });
      expect(told).toEqual([code]);
    },
  );

  it('ends with what its listener throws, and closes the connection', async () => {
    const host = hostThat(lines('aaaa', [1, 2, 3]), 'wait');
    const watching = watchHealth(
      {
        open: async () => host.remote,
        onSample: () => {
          throw new Error('the disk of the workbench is full');
        },
      },
      new AbortController().signal,
    );
    await expect(watching).rejects.toThrow('the disk of the workbench is full');
    expect(host.closed()).toBe(1);
  });
});

describe('the time axis', () => {
  it('puts lines that come in a bunch where they were read', () => {
    const arrivals = [100, 4000, 4001, 4002];
    const axis = createAxis(() => arrivals.shift() ?? Number.NaN);
    expect([50, 51, 52, 53].map((uptime) => axis.place(uptime))).toEqual([100, 1100, 2100, 3100]);
  });

  it('never goes back, also after the host was started anew', () => {
    const arrivals = [3000, 3001, 9000];
    const axis = createAxis(() => arrivals.shift() ?? Number.NaN);
    expect([axis.place(50), axis.place(51)]).toEqual([3000, 3001]);
    axis.restart();
    expect(axis.place(4)).toBe(9000);
  });
});
