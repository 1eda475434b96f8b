import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, open, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import type { Dataset, Driver, Endpoint, Prepared, Session } from '../../src-main/databases/driver.ts';
import { nullDriver } from '../../src-main/databases/null/index.ts';
import { BinaryRows } from '../../src-main/databases/postgresql/binaryRows.ts';
import { fileHeader, fileTrailer } from '../../src-main/databases/postgresql/copyWriter.ts';
import { layoutFrom } from '../../src-main/databases/postgresql/layout.ts';
import { quoteName } from '../../src-main/databases/postgresql/statements.ts';
import { resetSandbox, sandboxDriver } from '../../src-main/databases/sandbox/index.ts';
import { runJob } from '../../src-main/load/runJob.ts';
import { openTsbsRows } from '../../src-main/workloads/tsbs/openRows.ts';
import { type BenchResult, median, type Suite } from './bench.ts';

/**
 * Loads the same rows into the same server by Benchberry and by psql's `\copy … (format binary)` from files made
 * beforehand, in turn, with as many connections; and into the null target.
 */
export const loadSuite: Suite = {
  name: 'load',
  about: 'loading against psql \\copy, CPU of the client, the null target',
  run: benchLoad,
};

const rows = 2_000_000;
// psql commits once for its whole file: few commits here too, so that sending is compared and not fsync.
const batchSize = 50_000;
const pairs = 5;
const connections = [1, 2];
const database = 'benchberry_bench';
const spec = {
  workload: 'tsbs',
  parameters: {
    useCase: 'cpu-only',
    seed: 123,
    scale: 4000,
    timestampStart: '2016-01-01T00:00:00Z',
    timestampEnd: '2016-01-04T00:00:00Z',
    logInterval: '10s',
    limit: rows,
  },
};
const { signal } = new AbortController();

interface Place {
  folder: string;
  endpoint: Endpoint;
  session: Session;
  dataset: Dataset;
}

/** One measured load. */
interface Load {
  seconds: number;
  /** CPU of this process, all threads. */
  cpuSeconds: number;
}

/** @throws Error where psql is missing or a load does not store every row */
async function benchLoad(log: (line: string) => void): Promise<BenchResult> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'benchberry-bench-load-'));
  try {
    const endpoint = await sandboxDriver.resolve({}, null, { dataFolder: folder, signal });
    const session = await sandboxDriver.openSession(endpoint, signal);
    try {
      return await measure({ folder, endpoint, session, dataset: openTsbsRows(spec).dataset }, log);
    } finally {
      await session.close();
    }
  } finally {
    await resetSandbox(folder);
    await rm(folder, { recursive: true, force: true });
  }
}

async function measure(place: Place, log: (line: string) => void): Promise<BenchResult> {
  const result: BenchResult = { goals: [], facts: [] };
  const fact = (name: string, value: number, unit: string) => result.facts.push({ name, value, unit });
  let sandboxRate = 0;
  for (const count of connections) {
    const name = `${count} connection${count === 1 ? '' : 's'}`;
    const files = await prepareFiles(place, count);
    const ours: Load[] = [];
    const ratios: number[] = [];
    const theirs: number[] = [];
    // Once for each beforehand, not counted: code that is still to be compiled is no matter of a load's rate.
    await loadSandbox(place, count);
    await psqlCopy(place, files);
    for (let pair = 0; pair < pairs; pair += 1) {
      // who goes first changes, so that a server that slows down favours nobody
      const steps = [
        async () => void ours.push(await loadSandbox(place, count)),
        async () => void theirs.push(await psqlCopy(place, files)),
      ];
      for (const step of pair % 2 === 0 ? steps : steps.reverse()) await step();
      ratios.push((theirs[pair] ?? Number.NaN) / (ours[pair]?.seconds ?? Number.NaN));
      log(`${name}, pair ${pair + 1} of ${pairs}: ${ratios[pair]?.toFixed(3)} of psql’s rate`);
    }
    const rate = rows / median(ours.map((load) => load.seconds));
    sandboxRate = Math.max(sandboxRate, rate);
    result.goals.push({
      name: `rows/s ÷ psql \\copy, ${name}`,
      value: median(ratios),
      unit: '',
      must: 'at-least',
      limit: 0.95,
    });
    result.goals.push({
      name: `client CPU a million rows, ${name}`,
      value: (median(ours.map((load) => load.cpuSeconds)) / rows) * 1e6,
      unit: 's',
      must: 'at-most',
      limit: 1.8,
    });
    fact(`Benchberry, ${name}`, rate, 'rows/s');
    fact(`psql, ${name}`, rows / median(theirs), 'rows/s');
  }
  const best = connections.at(-1) ?? 1;
  log(`null target, ${best} connections`);
  const nullLoads: Load[] = [];
  for (let i = 0; i < pairs; i += 1) nullLoads.push(await loadNull(place, best));
  const nullRate = rows / median(nullLoads.map((load) => load.seconds));
  result.goals.push({
    name: 'null target’s rows/s ÷ sandbox’s',
    value: nullRate / sandboxRate,
    unit: '',
    must: 'at-least',
    limit: 5,
  });
  fact('null target', nullRate, 'rows/s');
  return result;
}

function prepare(session: Session, driver: Driver, dataset: Dataset): Promise<Prepared> {
  const engine = driver.loadOptions.parse({});
  return session.prepare(dataset, { database, doCreateDb: true, doAbortOnExist: false, engine }, signal);
}

async function load(endpoint: Endpoint, prepared: Prepared, workers: number): Promise<Load> {
  const before = process.cpuUsage();
  const work = {
    kind: 'load',
    rows: spec,
    prepared,
    workers,
    batchSize,
    hashWorkers: false,
    insertIntervals: [],
    seed: 0,
  };
  const done = await runJob({ endpoint, work: { ...work, kind: 'load' } }, { signal });
  const { user, system } = process.cpuUsage(before);
  if (done.error) throw done.error;
  if (done.operations[0]?.rows !== rows)
    throw new Error(`${done.operations[0]?.rows} rows in place of ${rows}`);
  return { seconds: (done.endNs - done.startNs) / 1e9, cpuSeconds: (user + system) / 1e6 };
}

async function loadSandbox(place: Place, workers: number): Promise<Load> {
  const prepared = await prepare(place.session, sandboxDriver, place.dataset);
  await checkpoint(place);
  const loaded = await load(place.endpoint, prepared, workers);
  await checkCount(place, prepared);
  return loaded;
}

async function loadNull(place: Place, workers: number): Promise<Load> {
  const endpoint = await nullDriver.resolve({}, null, { dataFolder: place.folder, signal });
  const session = await nullDriver.openSession(endpoint, signal);
  return load(endpoint, await prepare(session, nullDriver, place.dataset), workers);
}

/** The server begins each load with nothing left to write. */
async function checkpoint({ endpoint }: Place): Promise<void> {
  const reader = await sandboxDriver.openReader(endpoint, 'postgres', signal);
  await reader.run({ text: 'CHECKPOINT' }, signal);
  await reader.close();
}

async function checkCount({ session }: Place, prepared: Prepared): Promise<void> {
  const counts = await session.count(prepared, signal);
  if (counts.cpu !== rows) throw new Error(`${counts.cpu} rows stored in place of ${rows}`);
}

/** The rows in binary COPY files, one per connection; batches go round the files as they go round connections. */
async function prepareFiles(place: Place, count: number): Promise<string[]> {
  const source = openTsbsRows(spec);
  const layout = layoutFrom(await prepare(place.session, sandboxDriver, place.dataset));
  const encoder = new BinaryRows(layout, true);
  const names = Array.from({ length: count }, (_, i) => path.join(place.folder, `rows-${count}-${i}`));
  const files = await Promise.all(names.map((name) => open(name, 'w')));
  for (const file of files) await file.write(fileHeader);
  for (let batch = 0; source.fill(encoder, batchSize) > 0; batch += 1) {
    const [block] = encoder.batch.take();
    if (block === undefined) throw new Error('the data set has no table');
    await files[batch % count]?.write(block.bytes.subarray(0, block.length));
    encoder.batch.recycle([block]);
  }
  for (const file of files) {
    await file.write(fileTrailer);
    await file.close();
  }
  return names;
}

const connectionSchema = z.object({
  host: z.string(),
  port: z.int(),
  user: z.string(),
  password: z.string(),
});

/** @returns seconds of the longest `\copy`, as psql times it */
async function psqlCopy(place: Place, files: readonly string[]): Promise<number> {
  const prepared = await prepare(place.session, sandboxDriver, place.dataset);
  await checkpoint(place);
  const columns = layoutFrom(prepared).tables[0]?.columns.map(quoteName).join(', ');
  const connection = connectionSchema.parse(place.endpoint.connection);
  const times = await Promise.all(
    files.map(async (file) => {
      const child = spawn(
        'psql',
        [
          ...['-X', '-v', 'ON_ERROR_STOP=1', '-h', connection.host, '-p', String(connection.port)],
          ...['-U', connection.user, '-d', database, '-c', '\\timing on'],
          ...['-c', `\\copy cpu (${columns}) from '${file}' with (format binary)`],
        ],
        { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, PGPASSWORD: connection.password } },
      );
      const [printed] = await Promise.all([text(child.stdout), once(child, 'exit')]);
      const ms = /^Time: ([\d.]+) ms/m.exec(printed)?.[1];
      if (ms === undefined) throw new Error(`psql did not load ${file}: ${printed}`);
      return Number(ms) / 1000;
    }),
  );
  await checkCount(place, prepared);
  return Math.max(...times);
}
