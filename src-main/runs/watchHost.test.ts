import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '../../src-shared/errors.ts';
import { headerLine, sampleLine } from '../hosts/health/testLines.ts';
import type { Remote } from '../hosts/remote.ts';
import type { RunHealth } from './runner.ts';
import { fakeTarget, loadPhase, request, testBench } from './testBench.ts';

let bench: ReturnType<typeof testBench>;
beforeEach(() => {
  bench = testBench();
});
afterEach(() => bench.close());

const gone = () => new AppError({ code: 'connection-timeout', message: 'The host does not answer' });

interface Host extends RunHealth {
  /** Connections that are open. */
  readonly connections: () => number;
}

/** A host that answers the survey with nothing and prints these lines once, then keeps still until its reader goes. */
function host(
  lines: readonly string[],
  after: 'stays' | 'is lost' = 'stays',
  /** Lines come only then. */
  ready: () => Promise<void> = async () => undefined,
): Host {
  let connections = 0;
  // A sampler that is opened again hears nothing more: how often that happens is up to the length of the run.
  const left = [...lines];
  const empty = async () => ({ code: 0, stdout: '', stderr: '' });
  const remote: Remote = {
    address: 'pi.example',
    user: 'pi',
    run: empty,
    script: empty,
    readFile: async () => null,
    writeFile: async () => undefined,
    reboot: async () => undefined,
    async stream(_command, onLine, { signal }) {
      await ready();
      for (const line of left.splice(0)) onLine(line);
      if (after === 'is lost')
        throw new AppError({ code: 'connection-lost', message: 'The connection was lost' });
      if (signal?.aborted === false)
        await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      throw new AppError({ code: 'cancelled', message: 'Cancelled' });
    },
    close: async () => {
      connections -= 1;
    },
  };
  return {
    hostName: 'rpi-4',
    connections: () => connections,
    async open() {
      connections += 1;
      return remote;
    },
  };
}

const seconds = (from: number, n: number) =>
  Array.from({ length: n }, (_, i) =>
    sampleLine({ uptime: `${from + i} 0`, throttled: 'throttled=0x50005' }),
  );

const nothingKnown = { before: null, after: null, gate: null, quieted: null, place: null };

async function run(health: RunHealth) {
  const { id } = bench.runner.start(request(fakeTarget(1000), [loadPhase(1000)], { health }));
  const head = await bench.runner.ended(id);
  return { head, stored: bench.store.runs.get(id), series: bench.store.runs.series(id) };
}

describe('a run with a host', () => {
  it('keeps its samples, publishes what it stores, and leaves no connection open', async () => {
    const pi = host(['Welcome', headerLine, ...seconds(10, 4)]);
    const { head, stored, series } = await run(pi);
    expect(head.status).toBe('finished');
    expect(series.health.map(({ intervalMs }) => intervalMs)).toEqual([1000, 1000, 1000]);
    expect(bench.all('run.health')).toEqual(series.health.map((sample) => ({ runId: head.id, sample })));
    expect(stored?.host).toEqual({ name: 'rpi-4', ...nothingKnown });
    expect(series.events.map(({ text }) => text)).toEqual(
      expect.arrayContaining([
        expect.stringMatching(
          /^rpi-4: it could not be read before the run\. The host did not answer as a Linux/,
        ),
      ]),
    );
    expect(pi.connections()).toBe(0);
  });

  it('hears its sampler out where it is through before a second has passed', async () => {
    const through = async () => {
      while (!bench.all('run.event').some(({ kind }) => kind === 'phase-end')) await bench.next('run.event');
    };
    const { series } = await run(host([headerLine, ...seconds(10, 2)], 'stays', through));
    expect(series.health).toHaveLength(1);
  });

  it('goes on when the sampler is lost, and says so once', async () => {
    const { head, stored, series } = await run(host([headerLine, ...seconds(10, 2)], 'is lost'));
    expect(head.status).toBe('finished');
    expect(series.health).toHaveLength(1);
    expect(series.events.map(({ text }) => text).filter((text) => text.startsWith('rpi-4: its'))).toEqual([
      'rpi-4: its health is not sampled until it answers again. The connection was lost',
    ]);
    expect(stored?.host?.after).toBeNull();
  });

  it('goes on without its host, with the reason among its events', async () => {
    const { head, stored, series } = await run({ hostName: 'rpi-4', open: () => Promise.reject(gone()) });
    expect(head.status).toBe('finished');
    expect(series.health).toEqual([]);
    expect(stored?.host).toEqual({ name: 'rpi-4', ...nothingKnown });
    expect(series.events.map(({ text }) => text)).toEqual(
      expect.arrayContaining([
        'rpi-4: it could not be read before the run. The host does not answer',
        'rpi-4: its health is not sampled until it answers again. The host does not answer',
      ]),
    );
  });

  it('stops at once while the host is being read', async () => {
    const silent: RunHealth = {
      hostName: 'rpi-4',
      open: (signal) =>
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(gone()), { once: true })),
    };
    const { id } = bench.runner.start(request(fakeTarget(1000), [loadPhase(1000)], { health: silent }));
    await bench.runner.stop(id);
    expect(bench.store.runs.get(id)).toMatchObject({ status: 'cancelled', phases: [] });
  });

  it('has no host where none is given', async () => {
    const { id } = bench.runner.start(request(fakeTarget(1000), [loadPhase(1000)]));
    await bench.runner.ended(id);
    expect(bench.store.runs.get(id)?.host).toBeNull();
    expect(bench.all('run.health')).toEqual([]);
  });
});

describe('the gate and the quiet of a run', () => {
  const gate = { at: '2026-11-30T12:00:00.000Z', checks: [], waitedMs: 4_000, override: null };

  it('are kept with the run, in their order: nothing is stopped before the gate has passed', async () => {
    const order: string[] = [];
    const health: RunHealth = {
      ...host([], 'is lost'),
      async gate(_signal, doing) {
        order.push('gate');
        doing('Waiting until rpi-4 is ready: Load');
        return { ...gate, override: 'its fan is broken' };
      },
      place: async () => ({ folder: '/mnt/ssd/pg', how: 'chosen' }),
      async quiet() {
        order.push('quiet');
        return { stopped: ['fstrim.timer'], restore: async () => void order.push('restored') };
      },
    };
    const { head, stored, series } = await run(health);
    expect(head.status).toBe('finished');
    expect(order).toEqual(['gate', 'quiet', 'restored']);
    expect(stored?.host).toMatchObject({
      gate: { waitedMs: 4_000, override: 'its fan is broken' },
      quieted: ['fstrim.timer'],
      place: { folder: '/mnt/ssd/pg' },
    });
    expect(series.events.map(({ text }) => text)).toEqual(
      expect.arrayContaining([
        'rpi-4: not everything of the gate had passed. Begun all the same: its fan is broken',
        'rpi-4: stopped for the length of the run: fstrim.timer',
      ]),
    );
  });

  it('a gate that does not pass ends the run before anything is stopped or measured', async () => {
    let stopped = false;
    const { head, stored } = await run({
      ...host([], 'is lost'),
      gate: () =>
        Promise.reject(new AppError({ code: 'host-not-ready', message: 'rpi-4 is not ready for a run' })),
      async quiet() {
        stopped = true;
        return { stopped: [], restore: async () => undefined };
      },
    });
    expect(head.status).toBe('failed');
    expect(stored).toMatchObject({ error: { code: 'host-not-ready' }, phases: [] });
    expect(stopped).toBe(false);
  });

  it('what was stopped is started again when the run is stopped or fails, and a failure of that is told', async () => {
    let restored = 0;
    const health: RunHealth = {
      ...host([], 'is lost'),
      quiet: async () => ({
        stopped: ['fstrim.timer'],
        async restore() {
          restored += 1;
          if (restored === 2) throw gone();
        },
      }),
    };
    const failing = fakeTarget(1000, {}, { prepare: () => Promise.reject(gone()) });
    const { id } = bench.runner.start(request(failing, [loadPhase(1000)], { health }));
    expect((await bench.runner.ended(id)).status).toBe('failed');
    expect(restored).toBe(1);
    const second = await run(health);
    expect(second.head.status).toBe('finished');
    expect(second.series.events.filter(({ kind }) => kind === 'error').map(({ text }) => text)).toEqual([
      'rpi-4: what was stopped could not be started again; it comes back by itself within two minutes. The host does not answer',
    ]);
  });

  it('asks the gate before each run of a repeat', async () => {
    let asked = 0;
    const health: RunHealth = {
      ...host([], 'is lost'),
      async gate() {
        asked += 1;
        return { ...gate, waitedMs: asked };
      },
    };
    bench.runner.start(request(fakeTarget(1000), [loadPhase(1000)], { health, repeat: 2 }));
    while (bench.all('run.changed').filter(({ final }) => final).length < 2) await bench.next('run.changed');
    const runs = bench.store.runs.list({ terms: [], limit: 10 });
    const waited = runs.map(({ id }) => bench.store.runs.get(id)?.host?.gate?.waitedMs);
    expect(waited.toSorted()).toEqual([1, 2]);
  });
});
