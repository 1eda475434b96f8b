import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { z } from 'zod';
import { openTestApp, type TestApp } from '../../src-main/app/testApp.ts';
import type { Plan } from '../../src-shared/model/plan.ts';
import { provisioningSchema } from '../../src-shared/model/provision.ts';
import { type RackResult, rackResultSchema } from '../../src-shared/model/rack.ts';
import { type Ended, startBenchberry } from './command.ts';
import { ensureRootFs } from './rootFs.ts';
import { openWorkbench } from './storyBook.ts';
import { bootPi, type VirtualPi } from './virtualPi.ts';

/** The third one is slow: little of a core is left to it, and its board says why. */
const numbers = [101, 102, 103] as const;
const slow = 'rpi-103';

const pis: VirtualPi[] = [];
let folder: string;
let data: string;

beforeAll(async () => {
  const rootFs = await ensureRootFs((line) => process.stderr.write(`${line}\n`));
  folder = await mkdtemp(join(tmpdir(), 'benchberry-rack-'));
  data = join(folder, 'data');
  // One by one: what booted is closed at the end, whatever becomes of the next.
  for (const n of numbers) pis.push(await bootPi(n, rootFs));
  await withApp(async (app) => {
    for (const [i, pi] of pis.entries()) await addHost(app, `rpi-${numbers[i]}`, pi);
  });
});
afterAll(async () => {
  await Promise.all(pis.map((pi) => pi.close()));
  if (folder) await rm(folder, { recursive: true, force: true });
});

/** The workbench's core on the data that the command line works on too. */
async function withApp<T>(work: (app: TestApp) => Promise<T>): Promise<T> {
  const app = await openTestApp(data);
  try {
    return await work(app);
  } finally {
    await app.close();
  }
}

async function addHost({ api }: TestApp, name: string, pi: VirtualPi): Promise<void> {
  const host = await api.call('hosts.save', {
    id: null,
    name,
    address: pi.address,
    port: 22,
    user: pi.user,
    auth: { method: 'password' },
    group: 'shelf',
    secret: null,
  });
  const { key } = await api.call('hosts.key', { id: host.id });
  await api.call('hosts.trust', { id: host.id, key });
  const url = new URL(pi.postgresUrl);
  await api.call('targets.save', {
    id: null,
    name: `TimescaleDB on ${name}`,
    engine: 'postgresql',
    connection: { host: url.hostname, port: Number(url.port), database: 'postgres', user: url.username },
    secret: null,
    hostId: host.id,
  });
}

function benchberry(...args: string[]): Promise<Ended> {
  const secret = pis[0]?.password ?? '';
  return startBenchberry(args, {
    BENCHBERRY_DATA: data,
    BENCHBERRY_PASSWORD: secret,
    BENCHBERRY_HOST_PASSWORD: secret,
    BENCHBERRY_SUDO_PASSWORD: secret,
  }).ended;
}

const hours = 1;
const scale = 20;
/** Epochs of ten seconds × hosts: TSBS's own formula. */
const rows = ((hours * 3600) / 10) * scale;
const plan: Plan = {
  version: 1,
  name: 'TSBS on a rack',
  target: 'sandbox',
  steps: [
    {
      'tsbs.load': {
        useCase: 'cpu-only',
        scale,
        seed: 135,
        timestampStart: '2021-01-01T10:00:00Z',
        timestampEnd: '2021-01-01T11:00:00Z',
        batchSize: 200,
        workers: 2,
      },
    },
    { 'tsbs.queries': { types: ['single-groupby-1-1-1'], queries: 50 } },
  ],
  repeat: 1,
};

const resultSchema = rackResultSchema.extend({
  runs: z.array(
    z.object({
      status: z.string(),
      phases: z.array(z.object({ name: z.string(), rows: z.number(), verifiedRows: z.number().nullable() })),
    }),
  ),
});

/** Its runs ended, every row of each was counted, and the slow one was named with what its board says. */
function expectOutlier(result: RackResult): void {
  expect(result.hosts.map(({ hostName, figures }) => [hostName, figures !== null])).toEqual(
    numbers.map((n) => [`rpi-${n}`, true]),
  );
  expect(result.outliers.map(({ hostId }) => nameOf(result, hostId))).toContain(slow);
  const found = result.outliers.find(({ hostId }) => nameOf(result, hostId) === slow);
  expect(found?.delta).toBeLessThanOrEqual(-0.2);
  expect(found?.sentence).toMatch(/^rpi-103 (wrote|answered) .* below the median of the others/);
  expect(found?.sentence).toMatch(/it was throttled for [1-9]\d* s \(the others 0 s\)/);
  expect(found?.sentence).toContain('it reached 84.2 °C (the others 44.3 °C)');
  expect(found?.sentence).toContain('its clock went down to 600 MHz (the others 1500 MHz)');
  for (const { hosts, without } of result.aggregates) expect([hosts, without]).toEqual([3, '']);
}

const nameOf = ({ hosts }: RackResult, id: string) => hosts.find(({ hostId }) => hostId === id)?.hostName;

describe('a rack of three virtual Pis, one of them slow', () => {
  beforeAll(async () => {
    const pi = pis[2];
    await pi?.slowDown(10);
    await pi?.board({ throttled: '0x40004', temperatureC: 84.2, clockMhz: 600 });
  });
  afterAll(async () => {
    await pis[2]?.slowDown(null);
    await pis[2]?.board({ throttled: '0x0', temperatureC: 44.3, clockMhz: 1500 });
  });

  let id = '';

  it('runs the plan on one after the other from the command line, counts every row, and names the slow one', async () => {
    const file = join(folder, 'plan.yaml');
    await writeFile(file, stringify(plan));
    const why = ['--override-gate', 'the lab: this machine is never idle'];
    const { output, errors } = await benchberry('run', file, '--rack', 'shelf', ...why, '--json', '--quiet');
    expect(output, errors).not.toBe('');
    const result = resultSchema.parse(JSON.parse(output));
    id = result.run.id;
    expect(result.run).toMatchObject({ rack: 'shelf', atOnce: false });
    for (const run of result.runs) {
      expect(run.status, errors).toBe('finished');
      expect(run.phases[0]).toMatchObject({ name: 'tsbs.load', rows, verifiedRows: rows });
    }
    expectOutlier(result);
    // One after the other: none begins before the one before it has ended.
    await withApp(async ({ api }) => {
      const runs = await Promise.all(
        result.run.members.flatMap(({ runIds }) => runIds).map((run) => api.call('runs.get', { id: run })),
      );
      for (const [i, run] of runs.slice(1).entries())
        expect(Date.parse(run.startedAt)).toBeGreaterThanOrEqual(Date.parse(runs[i]?.endedAt ?? ''));
    });
  });

  it('leaves it out only on request, with the reason wherever the figures are', async () => {
    const left = await benchberry('rack', 'leave-out', id, slow, '--reason', 'a hot board');
    expect(left.output, left.errors).toMatch(/of 2 hosts, without rpi-103 \(left out: a hot board\)/);
    const again = await benchberry('rack', 'take-in', id, slow);
    expect(again.output, again.errors).toMatch(/of 3 hosts$/m);
  });

  it('runs it on all at once, in one group, and says in each run what they share', async () => {
    await withApp(async (app) => {
      const { api } = app;
      const hosts = await api.call('hosts.list', null);
      const targets = await api.call('targets.list', null);
      const members = hosts.map((host) => {
        const target = targets.find(({ hostId }) => hostId === host.id);
        if (target === undefined) throw new Error(`no target on ${host.name}`);
        return { hostId: host.id, targetId: target.id };
      });
      const secret = pis[0]?.password ?? '';
      for (const { hostId, targetId } of members) {
        await api.call('hosts.setSecret', { id: hostId, kind: 'login', secret });
        await api.call('targets.setSecret', { id: targetId, secret });
      }
      // All share this machine's cores, and other work on it takes its part: only with next to nothing left is it the
      // slowest for certain; from the load's first moment on, so that signing in is not as slow.
      const slowHost = hosts.find(({ name }) => name === slow)?.id;
      await pis[2]?.slowDown(null);
      let slowing: Promise<void> | undefined;
      const off = app.events.on('run.event', ({ runId, kind }) => {
        if (kind !== 'phase-start' || slowing !== undefined) return;
        const own = app
          .heardOf('rack.changed')
          .at(-1)
          ?.members.find(({ hostId }) => hostId === slowHost);
        if (own?.runIds.includes(runId)) slowing = pis[2]?.slowDown(4);
      });
      const started = await api.call('racks.start', {
        rack: 'shelf',
        plan,
        atOnce: true,
        members,
        overrideGate: 'the lab: this machine is never idle',
      });
      expect(await api.call('runs.progress', null)).toHaveLength(3);
      await app.until('rack.changed', (run) => run.id === started.id && run.endedAt !== null);
      off();
      await slowing;
      const result = await api.call('racks.result', { id: started.id });
      expectOutlier(result);
      for (const runId of result.run.members.flatMap(({ runIds }) => runIds)) {
        const run = await api.call('runs.get', { id: runId });
        expect(run).toMatchObject({ status: 'finished', group: started.id });
        expect(run.phases[0]).toMatchObject({ rows, verifiedRows: rows });
        const { events } = await api.call('runs.series', { id: runId });
        expect(events.map(({ text }) => text).join('\n')).toContain(
          'they share the processor and the network of this machine',
        );
      }
    });
  });
});

const outcomesSchema = z.array(
  z.object({
    host: z.string(),
    provisioning: provisioningSchema.nullable(),
    error: z.object({ code: z.string() }).nullable(),
  }),
);

describe('provisioning a rack', () => {
  const provision = async (...more: string[]) => {
    const { code, output, errors } = await benchberry(
      ...['host', 'provision', '--group', 'shelf', '--json', ...more],
    );
    expect(output, errors).not.toBe('');
    const outcomes = outcomesSchema.parse(JSON.parse(output));
    const states = outcomes.map(({ host, provisioning }) => `${host} ${provisioning?.status ?? 'none'}`);
    return { code, states, outcomes };
  };
  const bootTargets = () =>
    Promise.all(pis.map(async (pi) => (await pi.exec('systemctl', 'get-default')).trim()));

  it('changes nothing with --dry-run, and plans for each host by itself', async () => {
    const before = await bootTargets();
    const { code, states } = await provision('--recipe', 'headless', '--dry-run');
    expect([code, states]).toEqual([0, numbers.map((n) => `rpi-${n} planned`)]);
    expect(await bootTargets()).toEqual(before);
  });

  it('ends well on the others where one fails, and the failed one is resumed alone', async () => {
    expect(await bootTargets()).toEqual(numbers.map(() => 'graphical.target'));
    await pis[1]?.sudo('impossible');
    const first = await provision('--recipe', 'headless', '--yes');
    expect([first.code, first.states]).toEqual([1, ['rpi-101 done', 'rpi-102 failed', 'rpi-103 done']]);
    expect(first.outcomes[1]?.error).not.toBeNull();
    expect(await bootTargets()).toEqual(['multi-user.target', 'graphical.target', 'multi-user.target']);

    await pis[1]?.sudo('password');
    const second = await provision('--resume', '--yes');
    expect([second.code, second.states]).toEqual([0, ['rpi-102 done']]);
    expect(await bootTargets()).toEqual(numbers.map(() => 'multi-user.target'));
  });
});

describe('the screens of a rack', () => {
  it('show the benchmark with its outlier, and hosts that are set up side by side', async () => {
    const bench = await openWorkbench(data);
    const { page, button, heading, shoot } = bench;
    try {
      await bench.goTo('Hosts');
      await page.getByRole('link', { name: 'shelf', exact: true }).click();
      await heading('Benchmarks of this rack').waitFor();
      await shoot('rack-1');
      await button('Run a plan on all').click();
      await page.getByRole('button', { name: 'Run on 3 hosts' }).waitFor();
      await shoot('rack-2-run');
      await page.keyboard.press('Escape');
      await page.getByRole('table', { name: 'Benchmarks of this rack' }).getByRole('link').last().click();
      await page.getByRole('region', { name: `Outlier: ${slow}` }).waitFor();
      await shoot('rack-3-result');
      await page.getByRole('link', { name: 'shelf' }).click();
      await page.getByRole('link', { name: 'Provision all' }).click();
      await page.getByRole('checkbox', { name: 'Headless' }).check();
      await button('Show every change').click();
      // The passwords of before were the terminal's: asked for once, for all.
      await page.getByRole('checkbox', { name: 'The same for all 3' }).waitFor();
      await page.getByLabel('Password for all').fill(pis[0]?.password ?? '');
      await shoot('rack-4-passwords');
      await button('Go on').click();
      for (const n of numbers)
        await page
          .getByRole('region', { name: `rpi-${n}` })
          .getByText('Nothing to change')
          .waitFor();
      await shoot('rack-5-provision');
    } finally {
      await bench.close();
    }
  });
});
