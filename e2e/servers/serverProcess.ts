import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { run } from './cache.ts';

const startMs = 120_000;
const lookMs = 100;

/** A server of the system's packages, as a program in a temporary folder: nothing of the system's own is touched. */
export interface ServerProcess {
  folder: string;
  start(): Promise<void>;
  /** Ends it at once as a crash would (`crash`) or in order. */
  end(how: 'crash' | 'shutdown'): Promise<void>;
  /** Ends it and removes its folder. */
  stop(): Promise<void>;
}

/** What to run in its folder, and how to see that it answers. */
export interface ServerProgram {
  name: string;
  prepare?(folder: string): Promise<void>;
  command(folder: string): readonly [string, ...string[]];
  answers(folder: string): Promise<boolean>;
}

/** @throws Error with the end of its log where it does not start */
export async function startServer(program: ServerProgram): Promise<ServerProcess> {
  const folder = mkdtempSync(path.join(os.tmpdir(), `benchberry-${program.name.toLowerCase()}-`));
  const logFile = path.join(folder, 'log');
  let server: ChildProcess | null = null;

  async function start(): Promise<void> {
    const [command, ...args] = program.command(folder);
    const out = openSync(logFile, 'a');
    const child = spawn(command, args, { cwd: folder, stdio: ['ignore', out, out] });
    closeSync(out);
    server = child;
    const deadline = performance.now() + startMs;
    while (!(await program.answers(folder))) {
      if (child.exitCode !== null || performance.now() > deadline)
        throw new Error(`${program.name} did not start:\n${readFileSync(logFile, 'utf8').slice(-4000)}`);
      await pause(lookMs);
    }
  }
  async function end(signal: NodeJS.Signals): Promise<void> {
    if (server === null || server.exitCode !== null || server.signalCode !== null) return;
    const exited = once(server, 'exit');
    server.kill(signal);
    await exited;
  }
  async function stop(): Promise<void> {
    await end('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
  try {
    await program.prepare?.(folder);
    await start();
  } catch (error) {
    await stop();
    throw error;
  }
  return { folder, start, end: (how) => end(how === 'crash' ? 'SIGKILL' : 'SIGTERM'), stop };
}

/** @throws Error naming the program and its package where it is not installed */
export async function requireProgram(program: string, debianPackage: string): Promise<void> {
  try {
    await run('which', [program]);
  } catch {
    throw new Error(`there is no ${program}; on Debian it is in the package ${debianPackage}`);
  }
}
