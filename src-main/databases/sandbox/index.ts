import { rm } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { AppError } from '../../../src-shared/errors.ts';
import type { Driver } from '../driver.ts';
import { postgresqlDriver } from '../postgresql/index.ts';
import { addLease, locked, otherLeases, removeLease } from './leases.ts';
import { ensureRunning, settingsNote, stopServer } from './server.ts';

/** A PostgreSQL that comes with Benchberry: started when it is first needed, stopped with the app. */
export const sandboxDriver: Driver = {
  ...postgresqlDriver,
  id: 'sandbox',
  label: 'Sandbox',
  description: 'The built-in PostgreSQL on this computer: nothing to install or set up.',
  builtIn: true,
  connection: z.object({}),
  parseUrl: () => null,
  managed: {
    doing: 'Starting the built-in PostgreSQL',
    stop: stopSandbox,
    restart: ({ dataFolder, signal }) => restartSandbox(dataFolder, signal),
    reset: ({ dataFolder }) => resetSandbox(dataFolder),
  },
  async resolve(_connection, _secret, context) {
    const folder = folderIn(context.dataFolder);
    const sandbox = await locked(folder, context.signal, async () => {
      const running = await ensureRunning(folder, context.signal);
      await addLease(folder);
      return running;
    });
    leased.add(folder);
    return {
      engine: 'sandbox',
      label: 'sandbox',
      connection: { ...sandbox.connection, notes: [settingsNote, ...(sandbox.note ? [sandbox.note] : [])] },
    };
  },
  async openSession(endpoint, signal) {
    const session = await postgresqlDriver.openSession(endpoint, signal);
    const notes = z.array(z.string()).parse(endpoint.connection.notes);
    return {
      ...session,
      async describe(own, database) {
        const server = await session.describe(own, database);
        return { ...server, notes: [...notes, ...server.notes] };
      },
    };
  },
};

/** Sandboxes that this process uses. */
const leased = new Set<string>();

const folderIn = (dataFolder: string): string => path.join(dataFolder, 'sandbox');

/**
 * Stops the sandbox servers that this process uses, unless another process of Benchberry uses them too. For the app's end.
 * @throws AppError `sandbox-failed`
 */
export async function stopSandbox(): Promise<void> {
  for (const folder of leased) {
    await locked(folder, never, async () => {
      await removeLease(folder);
      if ((await otherLeases(folder)).length === 0) await stopServer(folder);
    });
    leased.delete(folder);
  }
}

/** @throws AppError `run-active` while another process of Benchberry uses it, `sandbox-failed` */
async function restartSandbox(dataFolder: string, signal: AbortSignal): Promise<void> {
  const folder = folderIn(dataFolder);
  await locked(folder, signal, async () => {
    await refuseOthers(folder);
    await stopServer(folder);
    await ensureRunning(folder, signal);
  });
}

/**
 * Stops the server and deletes its data, log and password; the next use makes them anew.
 * @throws AppError `run-active` while another process of Benchberry uses it
 */
export async function resetSandbox(dataFolder: string): Promise<void> {
  const folder = folderIn(dataFolder);
  await locked(folder, never, async () => {
    await refuseOthers(folder);
    await stopServer(folder);
    for (const name of ['server', 'password', 'port']) {
      await rm(path.join(folder, name), { recursive: true, force: true });
    }
    await removeLease(folder);
  });
  leased.delete(folder);
}

/** @throws AppError `run-active` */
async function refuseOthers(folder: string): Promise<void> {
  const others = await otherLeases(folder);
  if (others.length === 0) return;
  throw new AppError({
    code: 'run-active',
    message: 'Another Benchberry process uses the sandbox',
    detail: `process ${others.join(', ')}`,
    hint: 'Close the other window or wait for the other command to end.',
  });
}

const never = new AbortController().signal;
