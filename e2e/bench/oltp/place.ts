import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import type { Driver, Endpoint } from '../../../src-main/databases/driver.ts';
import { postgresqlDriver } from '../../../src-main/databases/postgresql/index.ts';
import { resetSandbox, sandboxDriver } from '../../../src-main/databases/sandbox/index.ts';
import type { SqlClient } from '../../../src-main/databases/sqlClient.ts';
import { runJob } from '../../../src-main/load/runJob.ts';
import { findWorkload, steps } from '../../../src-main/workloads/registry.ts';
import { openInitialization } from '../../../src-main/workloads/sources.ts';
import type { PhaseSpec } from '../../../src-main/workloads/workload.ts';

export const database = 'benchberry_oltp';
const { signal } = new AbortController();

/** The one server that all are measured on. */
export interface Place {
  driver: Driver;
  endpoint: Endpoint;
  /** For the tools' own flags. */
  server: z.infer<typeof serverSchema>;
  /** Temporary files. */
  folder: string;
  close(): Promise<void>;
}

const serverSchema = z.object({
  host: z.string(),
  port: z.int(),
  user: z.string(),
  password: z.string().nullable(),
});

/** @param url of a server; null: the sandbox, in a folder of its own */
export async function openPlace(url: string | null): Promise<Place> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'benchberry-bench-oltp-'));
  const context = { dataFolder: folder, signal };
  const driver = url === null ? sandboxDriver : postgresqlDriver;
  const parsed = url === null ? { connection: {}, secret: null } : postgresqlDriver.parseUrl(url);
  if (parsed === null) throw new Error('--url is a postgresql:// URL');
  const endpoint = await driver.resolve(parsed.connection, parsed.secret, context);
  return {
    driver,
    endpoint,
    server: serverSchema.parse(endpoint.connection),
    folder,
    async close() {
      if (url === null) await resetSandbox(folder);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The phase of a step as a plan with only that step would have it. */
export function phaseOf(stepId: string, parameters: Record<string, unknown>): PhaseSpec {
  const step = steps.find(({ id }) => id === stepId);
  if (step === undefined) throw new Error(`there is no step ${stepId}`);
  return step.phase(step.parameters.parse(step.inherit({ dbName: database, ...parameters }, [])));
}

export async function withClient<T>(place: Place, work: (client: SqlClient) => Promise<T>): Promise<T> {
  const { openClient } = place.driver;
  if (openClient === undefined) throw new Error('a server with transactions is needed');
  const client = await openClient(place.endpoint, database, signal);
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}

/** Makes the database, where it is missing, and a step's tables. */
export async function makeTables(
  place: Place,
  stepId: string,
  parameters: Record<string, unknown>,
): Promise<void> {
  const phase = phaseOf(stepId, { replaceTables: true, ...parameters });
  if (phase.kind !== 'initialize') throw new Error(`${stepId} makes no tables`);
  const session = await place.driver.openSession(place.endpoint, signal);
  try {
    await session.tables?.provideDatabase(database, true, signal);
  } finally {
    await session.close();
  }
  const { initialization, connections } = phase;
  const { steps: parts } = openInitialization(findWorkload, initialization);
  for (const [step, { name, tasks }] of parts.entries()) {
    const workers = Math.max(1, Math.min(connections, tasks));
    const { error } = await runJob(
      {
        endpoint: place.endpoint,
        work: { kind: 'initialize', name, step, initialization, database, workers },
      },
      { signal },
    );
    if (error) throw error;
  }
}

/** The process that all sessions of a server on this machine descend from. */
export async function serverProcess(place: Place): Promise<number> {
  return withClient(place, async ({ backendPid }) => {
    const stat = await readFile(`/proc/${backendPid}/stat`, 'utf8');
    // The second field after the name in brackets, which may have anything in it.
    return Number(stat.replace(/^.*\) /, '').split(' ')[1]);
  });
}
