import { randomBytes } from 'node:crypto';
import { chown, lstat, mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { AppError, cancelled, toAppError } from '../../../src-shared/errors.ts';
import type { Dialled } from '../postgresql/connection.ts';
import { Control } from '../postgresql/control.ts';
import { type Account, serverAccount } from './account.ts';
import { isAlive } from './leases.ts';
import { commandOf, freePort, isFree } from './machine.ts';
import { findPrograms, type Programs, runAs } from './programs.ts';

/** What initdb is told beyond its defaults: only this computer reaches the server, and every computer has the same locale. */
const fixed = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  timezone: 'UTC',
  log_timezone: 'UTC',
};
export const settingsNote =
  'Built-in server with initdb’s settings; changed only: listens on 127.0.0.1, no local socket, locale C with UTF-8, time zone UTC.';

const startSeconds = 60;
const logTail = 2000;
const mostLogBytes = 1 << 20;

export interface Sandbox {
  connection: Dialled;
  note: string | null;
}

interface Place {
  folder: string;
  /** Owned by the server's account; all below it is the server's. */
  server: string;
  data: string;
  log: string;
  programs: Programs;
  account: Account;
}

/** Everything about the sandbox in `folder`. Call within `locked`. */
async function placeIn(folder: string): Promise<Place> {
  const server = path.join(folder, 'server');
  await mkdir(server, { recursive: true, mode: 0o700 });
  const programs = findPrograms();
  const account = serverAccount([folder, programs.folder]);
  if (account.owner) await chown(server, account.owner.uid, account.owner.gid);
  return {
    folder,
    server,
    data: path.join(server, 'data'),
    log: path.join(server, 'log'),
    programs,
    account,
  };
}

/**
 * The running server: adopted if it runs already (another process of Benchberry, or a killed one, started it), else
 * started, after initdb the first time. Call within `locked`.
 * @throws AppError `sandbox-failed` with the end of the server's log
 */
export async function ensureRunning(folder: string, signal: AbortSignal): Promise<Sandbox> {
  const place = await placeIn(folder);
  try {
    const password = await passwordIn(place);
    const adopted = await adopt(place, password, signal);
    if (adopted !== null) return { connection: adopted, note: place.account.note };
    if (!(await exists(path.join(place.data, 'PG_VERSION')))) await initialise(place, password);
    if (signal.aborted) throw cancelled();
    await checkVersion(place);
    const port = await choosePort(place);
    await startOn(place, port);
    const connection = connectionTo(port, password);
    await answersAs(connection, place.data, signal);
    return { connection, note: place.account.note };
  } catch (error) {
    throw await failure(error, place, 'The sandbox did not start');
  }
}

/** Stops the server if it runs, after its connections are ended. Call within `locked`. */
export async function stopServer(folder: string): Promise<void> {
  const place = await placeIn(folder);
  try {
    const pid = await ownPid(place);
    if (pid === null) return;
    await runAs(
      place.account,
      place.programs.pgCtl,
      ['stop', '-D', place.data, '-m', 'fast', '-w'],
      place.server,
    );
  } catch (error) {
    throw await failure(error, place, 'The sandbox did not stop');
  }
}

const connectionTo = (port: number, password: string): Dialled => ({
  host: '127.0.0.1',
  port,
  user: 'postgres',
  adminDatabase: 'postgres',
  tlsMode: 'disable',
  caFile: '',
  password,
});

async function passwordIn(place: Place): Promise<string> {
  const file = path.join(place.folder, 'password');
  if (!(await exists(file))) await writeFile(file, randomBytes(24).toString('base64url'), { mode: 0o600 });
  return readFile(file, 'utf8');
}

/** initdb beside the final place, so that a killed one leaves nothing that looks complete. */
async function initialise(place: Place, password: string): Promise<void> {
  const { server, account, programs } = place;
  const unfinished = path.join(server, 'unfinished');
  const passwordFile = path.join(server, 'initial-password');
  await rm(unfinished, { recursive: true, force: true });
  await rm(place.data, { recursive: true, force: true });
  await writeAnew(passwordFile, password, account.owner);
  try {
    await runAs(
      account,
      programs.initdb,
      [
        ...['-D', unfinished, '-U', 'postgres', '-A', 'scram-sha-256', `--pwfile=${passwordFile}`],
        ...['-E', 'UTF8', '--locale=C'],
        ...Object.entries(fixed).map(([name, value]) => `--set=${name}=${value}`),
      ],
      server,
    );
  } finally {
    await rm(passwordFile, { force: true });
  }
  await rename(unfinished, place.data);
}

/**
 * In a folder that belongs to the server's account: a link that lies there under this name is not followed, or root would
 * write, and give away, what it points to.
 */
async function writeAnew(file: string, text: string, owner: Account['owner']): Promise<void> {
  await rm(file, { force: true });
  const handle = await open(file, 'wx', 0o600);
  try {
    await handle.writeFile(text);
    if (owner) await handle.chown(owner.uid, owner.gid);
  } finally {
    await handle.close();
  }
}

async function checkVersion(place: Place): Promise<void> {
  const found = (await ownText(path.join(place.data, 'PG_VERSION'))).trim();
  if (place.programs.version.split('.')[0] === found) return;
  throw new AppError({
    code: 'sandbox-failed',
    message: `The sandbox’s data is PostgreSQL ${found}’s, and the built-in server is ${place.programs.version}`,
    place: { file: place.data },
    hint: 'Reset the sandbox: its benchmark data is then made anew.',
  });
}

/** The port of the last time, so that saved commands keep working, or a free one. */
async function choosePort(place: Place): Promise<number> {
  const file = path.join(place.folder, 'port');
  const saved = Number(await readFile(file, 'utf8').catch(() => '')); // none before the first start
  const port = saved > 0 && (await isFree(saved)) ? saved : await freePort();
  await writeFile(file, String(port));
  return port;
}

async function startOn(place: Place, port: number): Promise<void> {
  const log = await stat(place.log).catch(() => null); // none before the first start
  if (log !== null && log.size > mostLogBytes) await rm(place.log);
  const options = ['-D', place.data, '-l', place.log, '-w', '-t', String(startSeconds), '-o', `-p ${port}`];
  await runAs(place.account, place.programs.pgCtl, ['start', ...options], place.server);
}

/** postmaster.pid: process id, data folder, start time, port, and more. */
async function pidFile(place: Place): Promise<{ pid: number; port: number } | null> {
  const text = await readFile(path.join(place.data, 'postmaster.pid'), 'utf8').catch(() => null); // it does not run
  if (text === null) return null;
  const lines = text.split('\n');
  return { pid: Number(lines[0]), port: Number(lines[3]) };
}

/**
 * The process id of the server of this data folder. A stale postmaster.pid, whose process is gone or is another program
 * that got its number, is removed: PostgreSQL itself would refuse to start for the latter.
 */
async function ownPid(place: Place): Promise<number | null> {
  const file = await pidFile(place);
  if (file === null) return null;
  if (isAlive(file.pid) && (await commandOf(file.pid)).includes(place.data)) return file.pid;
  await rm(path.join(place.data, 'postmaster.pid'), { force: true });
  return null;
}

/** A server that runs already: waited for while it starts, stopped if it does not answer as ours. */
async function adopt(place: Place, password: string, signal: AbortSignal): Promise<Dialled | null> {
  if ((await ownPid(place)) === null) return null;
  let last: unknown;
  for (let waited = 0; waited < 100; waited += 1) {
    const file = await pidFile(place);
    if (file === null) return null; // it has just ended
    try {
      const connection = connectionTo(file.port, password);
      await answersAs(connection, place.data, signal);
      return connection;
    } catch (error) {
      if (signal.aborted) throw cancelled();
      last = error;
      await pause(100);
    }
  }
  if (toAppError(last).code === 'wrong-password') throw last;
  await runAs(
    place.account,
    place.programs.pgCtl,
    ['stop', '-D', place.data, '-m', 'immediate', '-w'],
    place.server,
  );
  return null;
}

/** @throws AppError if what answers is not the server of this data folder */
async function answersAs(connection: Dialled, data: string, signal: AbortSignal): Promise<void> {
  const control = await Control.open(connection, connection.adminDatabase, signal);
  try {
    const answer = await control.one(
      z.object({ folder: z.string() }),
      `SELECT current_setting('data_directory') AS folder`,
      [],
      signal,
    );
    if (path.resolve(answer.folder) === path.resolve(data)) return;
  } finally {
    await control.close();
  }
  throw new AppError({ code: 'sandbox-failed', message: 'Another server answers on the sandbox’s port' });
}

async function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}

/** A file of the server's folder, empty where there is none yet. What lies elsewhere and is linked to is not shown. */
async function ownText(file: string): Promise<string> {
  const found = await lstat(file).catch(() => null); // it may have failed before the first line
  return found?.isFile() ? readFile(file, 'utf8') : '';
}

async function failure(error: unknown, place: Place, message: string): Promise<AppError> {
  if (error instanceof AppError && ['cancelled', 'sandbox-failed'].includes(error.code)) return error;
  const log = await ownText(place.log);
  const cause = error instanceof AppError ? (error.detail ?? error.message) : String(error);
  return new AppError(
    {
      code: 'sandbox-failed',
      message,
      place: { file: place.log },
      detail: [cause, log.slice(-logTail).trim()].filter(Boolean).join('\n'),
      hint: 'Reset the sandbox; the cause is in the last lines of its log.',
    },
    { cause: error },
  );
}
