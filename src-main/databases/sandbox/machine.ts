import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import net from 'node:net';
import os from 'node:os';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The command line of a process; empty where there is none. */
export async function commandOf(pid: number): Promise<string> {
  switch (os.platform()) {
    case 'linux':
      return readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''); // it has ended
    case 'win32':
      return run('powershell', [
        ...['-NoProfile', '-NonInteractive', '-Command'],
        `(Get-CimInstance Win32_Process -Filter "ProcessId = ${pid}").CommandLine`,
      ]).then(({ stdout }) => stdout);
    default:
      return run('ps', ['-p', String(pid), '-o', 'command=']).then(
        ({ stdout }) => stdout,
        () => '', // it has ended
      );
  }
}

/** Whether a server could listen on this port of 127.0.0.1 now. */
export async function isFree(port: number): Promise<boolean> {
  return (await listenOnce(port)) !== null;
}

export async function freePort(): Promise<number> {
  const port = await listenOnce(0);
  if (port === null) throw new Error('the system has no free port on 127.0.0.1');
  return port;
}

async function listenOnce(wanted: number): Promise<number | null> {
  const listener = net.createServer();
  try {
    listener.listen(wanted, '127.0.0.1');
    await once(listener, 'listening');
  } catch {
    return null; // taken
  }
  const address = listener.address();
  listener.close();
  await once(listener, 'close');
  return address === null || typeof address === 'string' ? null : address.port;
}
