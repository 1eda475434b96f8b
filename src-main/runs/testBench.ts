import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EventData, EventName } from '../../src-shared/contract/commands.ts';
import { AppError } from '../../src-shared/errors.ts';
import type { Phase } from '../../src-shared/model/run.ts';
import type { ServerDescription } from '../../src-shared/model/server.ts';
import type { Driver, Endpoint, Session } from '../databases/driver.ts';
import { type FakeConnection, fakeEndpoint, fakeEntry, fakeRegistries } from '../load/testing/fakes.ts';
import { openStore } from '../store/openStore.ts';
import type { LoadPhase, PhaseSpec, QueriesPhase } from '../workloads/workload.ts';
import { clientMachine } from './client.ts';
import { createRunner, type RunnerOptions } from './createRunner.ts';
import { currentOwner } from './owner.ts';
import type { RunRequest } from './runner.ts';

/** For tests: a real store in a folder of its own, a runner, and everything it publishes. */
export function testBench(
  options: RunnerOptions = { findWorkload: fakeRegistries.findWorkload, entry: fakeEntry },
) {
  const folder = mkdtempSync(join(tmpdir(), 'benchberry-runs-'));
  const store = openStore(folder);
  const published: { name: EventName; data: unknown }[] = [];
  const listeners: ((name: EventName) => void)[] = [];
  const runner = createRunner(
    {
      runs: store.runs,
      publish: (name, data) => {
        published.push({ name, data });
        for (const listener of listeners) listener(name);
      },
      client: clientMachine('0.0.0'),
      owner: currentOwner(),
      dataFolder: folder,
    },
    options,
  );
  return {
    folder,
    store,
    runner,
    published,
    /** Everything of one kind, in order. */
    all: <N extends EventName>(name: N) =>
      published.flatMap((p) => (p.name === name ? [p.data as EventData<N>] : [])),
    /** Resolves when the next event of that name has been published. */
    next: (name: EventName) =>
      new Promise<void>((resolve) => listeners.push((published) => published === name && resolve())),
    async close() {
      await runner.close();
      store.close();
      rmSync(folder, { recursive: true });
    },
  };
}

const fakeServer: ServerDescription = {
  engine: 'fake',
  product: 'FakeSQL',
  version: '1.0',
  versionText: 'FakeSQL 1.0',
  edition: 'plain',
  dialect: 'fake',
  database: 'benchmark',
  sizeBytes: 0,
  tls: null,
  roundTripUs: 10,
  settings: [],
  notes: [],
};

/** A fake server with its control connection, which counts the rows that its workers acknowledged. */
export function fakeTarget(size: number, connection: FakeConnection = {}, session: Partial<Session> = {}) {
  const { endpoint, hits } = fakeEndpoint(size, connection);
  const calls: string[] = [];
  const control: Session = {
    async describe() {
      calls.push('describe');
      return fakeServer;
    },
    async prepare(_dataset, options) {
      calls.push('prepare');
      return { database: options.database, notes: ['a note of the fake'], driver: {} };
    },
    async writeDevices() {
      calls.push(`writeDevices after ${hits.reduce((a, b) => a + b)} rows`);
    },
    async count() {
      calls.push('count');
      return { cpu: hits.reduce((a, b) => a + b) };
    },
    drop: async () => undefined,
    async close() {
      calls.push('close');
    },
    ...session,
  };
  const driver: Driver = { ...fakeRegistries.findDriver('fake'), openSession: async () => control };
  return { endpoint, hits, calls, driver };
}

export function loadPhase(rows: number, options: Partial<LoadPhase> = {}): LoadPhase {
  return {
    kind: 'load',
    rows: { workload: 'fake', parameters: { rows } },
    doLoad: true,
    database: 'benchmark',
    doCreateDb: true,
    doAbortOnExist: false,
    engineOptions: {},
    workers: 2,
    batchSize: 100,
    hashWorkers: false,
    insertIntervals: [],
    reportingPeriodSeconds: 10,
    logBatches: false,
    seed: 123,
    ...options,
  };
}

export function queriesPhase(
  names: readonly string[],
  rows: number,
  options: Partial<QueriesPhase> = {},
): QueriesPhase {
  return {
    kind: 'queries',
    database: 'benchmark',
    workers: 2,
    jobs: names.map((name) => ({ name, queries: { workload: 'fake', parameters: { rows } } })),
    ratePerSecond: 0,
    burnIn: 0,
    prewarm: false,
    seed: 123,
    ...options,
  };
}

export function request(
  target: { driver: Driver; endpoint: Endpoint },
  phases: readonly PhaseSpec[],
  options: Partial<RunRequest> & { repeat?: number } = {},
): RunRequest {
  const { repeat = 1, ...rest } = options;
  const steps = phases.map(({ kind }) => ({ id: `fake.${kind}`, parameters: {} }));
  return {
    plan: {
      version: 1,
      name: 'A plan',
      target: 'fake',
      steps: steps.map(({ id }) => ({ [id]: {} })),
      repeat,
    },
    steps,
    phases,
    targetName: 'fake',
    driver: target.driver,
    resolve: async () => target.endpoint,
    group: null,
    ...rest,
  };
}

export function refused(): AppError {
  return new AppError({
    code: 'connection-refused',
    message: 'Nobody is at home',
    hint: 'Start the server.',
  });
}

/** A finished load without fault, for tests of what is made of it. */
export const goodLoad: Phase = {
  index: 0,
  name: 'tsbs.load',
  kind: 'load',
  workers: 2,
  startedMs: 100,
  rows: 1_000_000,
  metrics: 10_000_000,
  bytes: 1e8,
  seconds: 10,
  rowsPerSecond: 100_000,
  metricsPerSecond: 1_000_000,
  verifiedRows: 1_000_000,
  plannedRows: 1_000_000,
  operations: [
    {
      name: 'batch',
      count: 100,
      errors: 0,
      late: 0,
      dropped: 0,
      rows: 1_000_000,
      bytes: 1e8,
      seconds: 10,
      perSecond: 10,
      latencyUs: null,
      serviceUs: null,
    },
  ],
  notes: [],
};
