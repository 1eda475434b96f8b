import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { openTestApp, removeFolder, type TestApp } from '../../src-main/app/testApp.ts';
import { createHealthline } from '../../src-renderer/state/healthline.ts';
import type { HealthSample } from '../../src-shared/model/host.ts';
import type { Plan } from '../../src-shared/model/plan.ts';
import { askPostgres } from './askPostgres.ts';
import { addHost } from './provisionBench.ts';
import { ensureRootFs } from './rootFs.ts';
import { until } from './shell.ts';
import { bootPi, type VirtualPi } from './virtualPi.ts';

let pi: VirtualPi;
let app: TestApp;
let targetId: string;

beforeAll(async () => {
  pi = await bootPi(42, await ensureRootFs((line) => process.stderr.write(`${line}\n`)));
  app = await openTestApp();
  const call = app.api.call;
  const hostId = (await addHost(app, pi, { name: 'rpi-lab' })).id;
  const url = new URL(pi.postgresUrl);
  const target = await call('targets.save', {
    id: null,
    name: 'PostgreSQL on rpi-lab',
    engine: 'postgresql',
    connection: { host: url.hostname, port: Number(url.port), database: 'postgres', user: url.username },
    secret: decodeURIComponent(url.password),
    hostId,
  });
  targetId = target.id;
});
afterAll(async () => {
  await app?.close();
  if (app) removeFolder(app.folder);
  await pi?.close();
});

const batchSize = 100;
/** A load at a fixed pace of ten batches a second on one connection, so that it lasts as long on any machine. */
function paced(seconds: number, dbName: string): Plan {
  const load = {
    useCase: 'cpu-only',
    scale: 100,
    timestampStart: '2021-01-01T00:00:00Z',
    timestampEnd: '2021-01-03T00:00:00Z',
    limit: seconds * 10 * batchSize,
    batchSize,
    workers: 1,
    insertIntervals: '0.1',
    dbName,
  };
  return {
    version: 1,
    name: `Paced ${dbName}`,
    target: 'PostgreSQL on rpi-lab',
    steps: [{ 'tsbs.load': load }],
    repeat: 1,
  };
}

async function start(seconds: number, dbName: string): Promise<string> {
  const { id } = await app.api.call('runs.start', { plan: paced(seconds, dbName), targetId });
  await app.until('run.health', ({ runId }) => runId === id);
  // Its first rows are acknowledged.
  await app.until(
    'run.tick',
    ({ runId, operations }) => runId === id && operations.some(({ rows }) => rows > 0),
  );
  return id;
}
/** Resolves when the run has ended. */
async function ended(id: string) {
  await app.until('run.changed', ({ head, final }) => head.id === id && final);
  const run = await app.api.call('runs.get', { id });
  const { health, events } = await app.api.call('runs.series', { id });
  return { run, health, texts: events.map(({ text }) => text), codes: run.verdicts.map(({ code }) => code) };
}
/** Rows that are in a database of the Pi, once it takes connections. */
async function rowsIn(database: string): Promise<number> {
  return until('the rows that were stored', async () => {
    const rows = await askPostgres(pi.postgresUrl, database, 'select count(*)::int as n from cpu');
    return z.array(z.object({ n: z.number() })).parse(rows)[0]?.n ?? null;
  });
}

/**
 * A run that lost its server keeps every row that was acknowledged: one connection may have had one batch stored whose
 * acknowledgement never arrived. It says where, what, and what to do next.
 */
async function expectKept({ run }: Awaited<ReturnType<typeof ended>>, database: string): Promise<void> {
  const acknowledged = run.phases[0]?.rows ?? 0;
  expect(acknowledged).toBeGreaterThan(0);
  const stored = await rowsIn(database);
  if (run.status === 'finished') {
    expect(run.phases[0]?.verifiedRows).toBe(acknowledged);
    expect(stored).toBe(acknowledged);
    return;
  }
  expect(stored).toBeGreaterThanOrEqual(acknowledged);
  expect(stored).toBeLessThanOrEqual(acknowledged + batchSize);
  expect(run.error).toMatchObject({ place: { host: pi.address }, hint: expect.stringMatching(/.+/) });
  expect(run.error?.code).toMatch(/^connection-|^server-error/);
}

/** What the chart draws: no line through a time in which nothing was sampled. */
function drawnGaps(health: readonly HealthSample[]): number {
  const line = createHealthline();
  for (const sample of health) line.append(sample);
  return Array.from(line.series('user').y).filter(Number.isNaN).length;
}

/** Unsampled times between samples, ms. */
function gaps(health: readonly HealthSample[]): number[] {
  return health.slice(1).map(({ atMs, intervalMs }, i) => atMs - intervalMs - (health[i]?.atMs ?? 0));
}
const sampled = (id: string, condition: (sample: HealthSample) => boolean) =>
  app.until('run.health', ({ runId, sample }) => runId === id && condition(sample));

describe('a run on a virtual Pi', () => {
  it('shows under-voltage that begins and ends within it as a band and a verdict', async () => {
    const id = await start(20, 'undervoltage');
    await pi.board({ throttled: '0x50005', clockMhz: 600, temperatureC: 52 });
    await sampled(id, ({ throttle, clockMhz }) => throttle?.throttled === true && clockMhz === 600);
    await pi.board({ throttled: '0x50000', clockMhz: 1500 });
    const over = await sampled(
      id,
      ({ throttle }) => throttle?.throttledOccurred === true && !throttle.throttled,
    );
    const { run, health, codes } = await ended(id);
    expect(run.status).toBe('finished');
    expect(codes).toEqual(expect.arrayContaining(['under-voltage', 'throttled']));
    expect(codes).not.toContain('host-rebooted');
    expect(run.verdicts.find(({ code }) => code === 'throttled')?.reason).toContain('clock down to 600 MHz');

    expect(health.at(0)?.throttle).toMatchObject({ underVoltage: false, throttled: false });
    const line = createHealthline();
    for (const sample of health) line.append(sample);
    for (const kind of ['under-voltage', 'throttled'] as const) {
      const [band, ...more] = line.bands.filter((each) => each.kind === kind);
      expect(more).toEqual([]);
      expect(band?.toMs).toBeLessThan(over.sample.atMs);
      // A band begins with the second that its first sample covers.
      // The kernel's own alarm is read each second, the firmware less often.
      const first = health.find(({ throttle, underVoltage }) =>
        kind === 'throttled' ? throttle?.throttled : underVoltage,
      );
      expect(band?.fromMs).toBeCloseTo((first?.atMs ?? 0) - (first?.intervalMs ?? 0), 6);
    }
    expect(run.host).toMatchObject({
      name: 'rpi-lab',
      before: { throttle: { value: { underVoltageOccurred: false } } },
      after: { throttle: { value: { underVoltageOccurred: true, underVoltage: false } } },
    });
  });

  it('goes on without its sampler, and has a gap where it was away', async () => {
    const id = await start(25, 'nosampler');
    await pi.sshd(false);
    await app.until('run.event', ({ runId, text }) => runId === id && /is not sampled/.test(text));
    await pi.sshd(true);
    await app.until('run.event', ({ runId, text }) => runId === id && /sampled again/.test(text));
    const { run, health, codes } = await ended(id);
    expect(run.status).toBe('finished');
    expect(gaps(health).filter((ms) => ms > 2000)).toHaveLength(1);
    expect(drawnGaps(health)).toBe(1);
    expect(codes).not.toContain('host-rebooted');
  });

  it('lives through a cable that is out for 30 s, or ends by its own rules, and makes nothing up', async () => {
    const id = await start(50, 'cable');
    await pi.cable(false);
    const out = performance.now();
    await until('30 s without a cable', async () => (performance.now() - out > 30_000 ? true : null));
    await pi.cable(true);
    const end = await ended(id);
    const { run, health, texts, codes } = end;
    expect(['finished', 'failed']).toContain(run.status);
    expect(codes).not.toContain('host-rebooted');
    await expectKept(end, 'cable');
    const long = gaps(health).filter((ms) => ms > 2000);
    // The host goes on sampling into a connection that may live again in time: then each second was only told late, and
    // stands where it was read. Otherwise the connection was given up, and there is a gap.
    const givenUp = texts.some((text) => text.includes('not sampled'));
    expect(long.length).toBe(givenUp ? 1 : 0);
    expect(drawnGaps(health)).toBe(long.length);
    const sampledMs = health.reduce((sum, { intervalMs }) => sum + intervalMs, 0);
    const spanMs = (health.at(-1)?.atMs ?? 0) - (health[0]?.atMs ?? 0) + (health[0]?.intervalMs ?? 0);
    expect(sampledMs + (long[0] ?? 0)).toBeGreaterThan(spanMs * 0.97);
    expect(sampledMs + (long[0] ?? 0)).toBeLessThan(spanMs * 1.03);
  });

  it('says that its host was started anew', async () => {
    const id = await start(60, 'reboot');
    await pi.reboot();
    const end = await ended(id);
    const { run, health, codes } = end;
    expect(run.status).toBe('failed');
    await expectKept(end, 'reboot');
    expect(codes).toEqual(expect.arrayContaining(['failed', 'host-rebooted']));
    expect(new Set(health.map(({ bootId }) => bootId)).size).toBe(2);
  });
});
