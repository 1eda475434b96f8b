import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, open, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { Sender } from '@questdb/nodejs-client';
import type { Dataset, Endpoint, Session } from '../../src-main/databases/driver.ts';
import { hbaseDriver } from '../../src-main/databases/hbase/index.ts';
import { IlpRows } from '../../src-main/databases/questdb/ilpRows.ts';
import { questdbDriver } from '../../src-main/databases/questdb/index.ts';
import { runJob } from '../../src-main/load/runJob.ts';
import { openTsbsRows } from '../../src-main/workloads/tsbs/openRows.ts';
import { fetchHbase, hbaseVersion } from '../servers/hbase/fetch.ts';
import { startHbaseRest } from '../servers/hbase/server.ts';
import { fetchQuestdb, questdbVersion } from '../servers/questdb/fetch.ts';
import { startQuestdb } from '../servers/questdb/server.ts';
import { type BenchResult, median, type Suite, type SuiteOptions } from './bench.ts';
import { clientCost } from './clientCost.ts';

/**
 * QuestDB: how fast rows become lines, beside the official client; and the same rows into a real server by Benchberry and
 * by curl from files made beforehand, in turn, with as many connections. HBase: what a load costs the client.
 */
export const enginesSuite: Suite = {
  name: 'engines',
  about:
    'QuestDB: encoding against the official client, loading against curl --data-binary; HBase: what a load costs the client (--only)',
  run: benchEngines,
};

const encodedRows = 1_000_000;
const clientRows = 50_000;
const loadedRows = 2_000_000;
const batchSize = 20_000;
const connections = [1, 2];
const scale = 4000;
const specOf = (limit: number) => ({
  workload: 'tsbs',
  parameters: {
    ...{ useCase: 'cpu-only', seed: 123, scale, logInterval: '10s', limit },
    ...{ timestampStart: '2016-01-01T00:00:00Z', timestampEnd: '2016-01-04T00:00:00Z' },
  },
});
const { signal } = new AbortController();

async function benchEngines(log: (line: string) => void, options: SuiteOptions): Promise<BenchResult> {
  const cases = {
    questdb: () => benchQuestdb(log, options.pairs),
    hbase: () => benchHbase(log, options.pairs),
  };
  const result: BenchResult = { goals: [], facts: [] };
  for (const [name, run] of Object.entries(cases)) {
    if (!name.includes(options.only ?? '')) continue;
    const { goals, facts } = await run();
    result.goals.push(...goals);
    result.facts.push(...facts);
  }
  return result;
}

async function benchHbase(log: (line: string) => void, pairs: number): Promise<BenchResult> {
  const server = await startHbaseRest(await fetchHbase());
  try {
    const about = { label: `HBase ${hbaseVersion}`, driver: hbaseDriver, connection: server.connection };
    return await clientCost(about, log, pairs);
  } finally {
    await server.stop();
  }
}

async function benchQuestdb(log: (line: string) => void, pairs: number): Promise<BenchResult> {
  const result: BenchResult = { goals: [], facts: [] };
  const fact = (name: string, value: number, unit: string) => result.facts.push({ name, value, unit });

  const ours = median(repeat(pairs, () => encode(encodedRows)));
  log(`encoding: ${Math.round(ours)} rows/s`);
  const theirs = median(await repeatAsync(3, () => encodeByClient(clientRows)));
  log(`the official client: ${Math.round(theirs)} rows/s`);
  result.goals.push({
    name: 'ILP encoding, one core',
    value: ours,
    unit: 'rows/s',
    must: 'at-least',
    limit: 1e6,
  });
  fact('ILP encoding, official client', theirs, 'rows/s');
  fact('ILP encoding ÷ official client', ours / theirs, '');

  const programs = await fetchQuestdb();
  const server = await startQuestdb(programs);
  const folder = await mkdtemp(path.join(os.tmpdir(), 'benchberry-bench-engines-'));
  try {
    const endpoint = await questdbDriver.resolve(server.connection, null, { dataFolder: '', signal });
    const session = await questdbDriver.openSession(endpoint, signal);
    for (const count of connections) {
      const name = `${count} connection${count === 1 ? '' : 's'}`;
      const files = await prepareFiles(folder, count);
      const rates: { ours: number[]; theirs: number[]; ratios: number[]; cpu: number[]; visible: number[] } =
        {
          ...{ ours: [], theirs: [], ratios: [], cpu: [], visible: [] },
        };
      await load(session, endpoint, count);
      for (let pair = 0; pair < pairs; pair += 1) {
        let [own, curled] = [Number.NaN, Number.NaN];
        // Who goes first changes, so that a server that slows down favours nobody.
        const steps = [
          async () => {
            const done = await load(session, endpoint, count);
            own = loadedRows / done.seconds;
            rates.cpu.push(done.cpuSeconds);
            rates.visible.push(loadedRows / done.visibleSeconds);
          },
          async () => {
            curled = loadedRows / (await curl(session, server.port, files));
          },
        ];
        for (const step of pair % 2 === 0 ? steps : steps.reverse()) await step();
        rates.ours.push(own);
        rates.theirs.push(curled);
        rates.ratios.push(own / curled);
        log(`${name}, pair ${pair + 1} of ${pairs}: ${(own / curled).toFixed(3)} of curl’s rate`);
      }
      result.goals.push({
        ...{
          name: `QuestDB ${questdbVersion}: rows/s ÷ curl, ${name}`,
          value: median(rates.ratios),
          unit: '',
        },
        ...{ must: 'at-least' as const, limit: 0.9 },
      });
      fact(`Benchberry, ${name}`, median(rates.ours), 'rows/s');
      fact(`until all can be queried, ${name}`, median(rates.visible), 'rows/s');
      fact(`curl, ${name}`, median(rates.theirs), 'rows/s');
      fact(`client CPU a million points, ${name}`, (median(rates.cpu) / (loadedRows * 10)) * 1e6, 's');
    }
    await session.close();
  } finally {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
  return result;
}

function repeat(times: number, measure: () => number): number[] {
  return Array.from({ length: times }, measure);
}
async function repeatAsync(times: number, measure: () => Promise<number>): Promise<number[]> {
  const values: number[] = [];
  for (let i = 0; i < times; i += 1) values.push(await measure());
  return values;
}

/** Rows a second of CPU of this thread: the simulation is taken off, both are measured in one go. */
function encode(count: number): number {
  const kept = keptRows();
  const rows = new IlpRows(kept.dataset, false);
  const start = process.cpuUsage();
  for (let done = 0; done < count; ) {
    for (let i = 0; i < batchSize && done < count; i += 1, done += 1) {
      const row = kept.rows[done % kept.rows.length];
      if (row !== undefined) rows.row(0, row.device, row.timeMs, 0, row.values);
    }
    rows.batch.recycle(rows.batch.take());
  }
  const { user, system } = process.cpuUsage(start);
  return count / ((user + system) / 1e6);
}

interface KeptRow {
  device: number;
  timeMs: number;
  values: Float64Array;
}
let kept: { dataset: Dataset; rows: KeptRow[] } | null = null;

/** Rows of the data set, made beforehand: their encoding alone is measured. */
function keptRows(): { dataset: Dataset; rows: KeptRow[] } {
  if (kept !== null) return kept;
  const source = openTsbsRows(specOf(200_000));
  const rows: KeptRow[] = [];
  source.fill(
    {
      row: (_table, device, timeMs, _nanos, values) =>
        void rows.push({ device, timeMs, values: values.slice() }),
    },
    200_000,
  );
  kept = { dataset: source.dataset, rows };
  return kept;
}

async function encodeByClient(count: number): Promise<number> {
  const { dataset, rows } = keptRows();
  const [{ name = '', fields = [] } = {}] = dataset.tables;
  // Nothing is sent: it has no server to reach until it is flushed.
  const sender = await Sender.fromConfig('http::addr=127.0.0.1:1;auto_flush=off;protocol_version=1;');
  const start = process.cpuUsage();
  for (let done = 0; done < count; done += 1) {
    const row = rows[done % rows.length];
    if (row === undefined) continue;
    sender.table(name);
    const tags = dataset.deviceTags(row.device);
    dataset.tags.forEach((tag, i) => {
      sender.symbol(tag.name, tags[i]);
    });
    fields.forEach((field, i) => {
      sender.intColumn(field.name, Math.trunc(row.values[i] ?? 0));
    });
    await sender.at(row.timeMs, 'ms');
    if (done % 10_000 === 9999) sender.reset();
  }
  const { user, system } = process.cpuUsage(start);
  sender.reset();
  await sender.close();
  return count / ((user + system) / 1e6);
}

async function prepare(session: Session) {
  const { dataset } = openTsbsRows(specOf(1));
  const options = { database: 'benchmark', doCreateDb: true, doAbortOnExist: false };
  return session.prepare(dataset, { ...options, engine: questdbDriver.loadOptions.parse({}) }, signal);
}

async function load(
  session: Session,
  endpoint: Endpoint,
  workers: number,
): Promise<{ seconds: number; visibleSeconds: number; cpuSeconds: number }> {
  const prepared = await prepare(session);
  const before = process.cpuUsage();
  const work = {
    ...{ kind: 'load' as const, rows: specOf(loadedRows), prepared, workers, batchSize },
    ...{ hashWorkers: false, insertIntervals: [], seed: 0 },
  };
  const done = await runJob({ endpoint, work }, { signal });
  const { user, system } = process.cpuUsage(before);
  if (done.error) throw done.error;
  const ended = performance.now();
  await checkRows(session, prepared);
  const seconds = (done.endNs - done.startNs) / 1e9;
  return {
    seconds,
    visibleSeconds: seconds + (performance.now() - ended) / 1000,
    cpuSeconds: (user + system) / 1e6,
  };
}

async function checkRows(session: Session, prepared: Awaited<ReturnType<typeof prepare>>): Promise<void> {
  await session.awaitVisible?.(prepared, loadedRows, () => undefined, signal);
  const { cpu } = await session.count(prepared, signal);
  if (cpu !== loadedRows) throw new Error(`${cpu} rows in place of ${loadedRows}`);
}

/** One file for each connection and batch: curl sends each as a request. */
async function prepareFiles(folder: string, count: number): Promise<string[][]> {
  const source = openTsbsRows(specOf(loadedRows));
  const rows = new IlpRows(source.dataset, false);
  const files = Array.from({ length: count }, (): string[] => []);
  for (let batch = 0; source.fill(rows, batchSize) > 0; batch += 1) {
    const file = path.join(folder, `${count}-${batch}`);
    const handle = await open(file, 'w');
    const blocks = rows.batch.take();
    for (const { bytes, length } of blocks) await handle.write(bytes.subarray(0, length));
    await handle.close();
    rows.batch.recycle(blocks);
    files[batch % count]?.push(file);
  }
  return files;
}

/** Seconds until the last curl has its last answer; each keeps its connection for all its files. */
async function curl(session: Session, port: number, files: readonly string[][]): Promise<number> {
  const prepared = await prepare(session);
  const start = performance.now();
  await Promise.all(
    files.map(async (own) => {
      const each = own.flatMap((file, i) => [
        ...(i === 0 ? [] : ['--next']),
        ...['-sS', '--fail-with-body', '-H', 'Expect:', '--data-binary', `@${file}`],
        `http://127.0.0.1:${port}/write?precision=n`,
      ]);
      const child = spawn('curl', each, { stdio: ['ignore', 'ignore', 'inherit'] });
      const [code] = await once(child, 'exit');
      if (code !== 0) throw new Error(`curl ended with ${code}`);
    }),
  );
  const seconds = (performance.now() - start) / 1000;
  await checkRows(session, prepared);
  return seconds;
}
