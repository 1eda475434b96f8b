import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../../../src-main/databases/testServer.ts';

/** A real QuestDB in a temporary folder of its own; for tests and measurements only. */
export interface QuestdbServer {
  port: number;
  folder: string;
  /** A connection of the `questdb` driver to it. */
  connection: Record<string, unknown>;
  /** Ends it at once as a crash would (`crash`) or in order. */
  end(how: 'crash' | 'shutdown'): Promise<void>;
  start(): Promise<void>;
  /** Ends it and removes its folder. */
  stop(): Promise<void>;
  /** What it has written to its log. */
  log(): string;
}

export interface QuestdbPrograms {
  java: string;
  jar: string;
}

const startMs = 120_000;

/** Loopback only, a bounded heap, and small buffers: it shares the machine with what tests it. */
export async function startQuestdb(
  { java, jar }: QuestdbPrograms,
  more: Record<string, string> = {},
): Promise<QuestdbServer> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'benchberry-questdb-'));
  const [port, wirePort, ilpPort, health] = await Promise.all([
    freePort(),
    freePort(),
    freePort(),
    freePort(),
  ]);
  const settings = {
    'http.bind.to': `127.0.0.1:${port}`,
    'pg.net.bind.to': `127.0.0.1:${wirePort}`,
    'line.tcp.net.bind.to': `127.0.0.1:${ilpPort}`,
    'http.min.net.bind.to': `127.0.0.1:${health}`,
    'http.min.worker.count': '1',
    'telemetry.enabled': 'false',
    'cairo.writer.data.append.page.size': '1M',
    'cairo.o3.column.memory.size': '256k',
    'config.validation.strict': 'false',
    ...more,
  };
  mkdirSync(path.join(folder, 'root', 'conf'), { recursive: true });
  mkdirSync(path.join(folder, 'tmp'));
  writeFileSync(
    path.join(folder, 'root', 'conf', 'server.conf'),
    Object.entries(settings)
      .map(([key, value]) => `${key}=${escaped(value)}\n`)
      .join(''),
  );
  const logFile = path.join(folder, 'log');
  const log = () => readFileSync(logFile, 'utf8');
  let server: ChildProcess | null = null;

  async function start(): Promise<void> {
    const out = openSync(logFile, 'a');
    const child = spawn(
      java,
      [
        ...['-Xmx512m', `-Djava.io.tmpdir=${path.join(folder, 'tmp')}`],
        ...['-p', jar, '-m', 'io.questdb/io.questdb.ServerMain', '-d', path.join(folder, 'root')],
      ],
      { cwd: folder, stdio: ['ignore', out, out] },
    );
    closeSync(out);
    server = child;
    const deadline = performance.now() + startMs;
    for (;;) {
      const answered = await fetch(`http://127.0.0.1:${port}/ping`).then(
        (reply) => reply.status === 204,
        () => false, // not listening yet
      );
      if (answered) return;
      if (child.exitCode !== null || performance.now() > deadline)
        throw new Error(`QuestDB did not start:\n${log().slice(-4000)}`);
      await pause(100);
    }
  }
  async function end(signal: NodeJS.Signals): Promise<void> {
    if (server === null || server.exitCode !== null || server.signalCode !== null) return;
    const exited = once(server, 'exit');
    server.kill(signal);
    await exited;
  }
  await start();
  return {
    port,
    folder,
    connection: { host: '127.0.0.1', port, wirePort, ilpPort },
    start,
    end: (how) => end(how === 'crash' ? 'SIGKILL' : 'SIGTERM'),
    async stop() {
      await end('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
    log,
  };
}

/** As Java reads its properties: in Latin-1, other letters by their numbers. */
function escaped(value: string): string {
  return value.replace(/[^ -~]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
