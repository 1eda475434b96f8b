import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import type { Endpoint } from '../driver.ts';
import { resetSandbox, sandboxDriver, stopSandbox } from './index.ts';
import { isAlive } from './leases.ts';

const { signal } = new AbortController();
let folder: string;
const children: ChildProcess[] = [];

const inside = (...names: string[]) => path.join(folder, 'sandbox', ...names);
const open = () => sandboxDriver.resolve({}, null, { dataFolder: folder, signal });
const serverPid = () =>
  Number(readFileSync(inside('server', 'data', 'postmaster.pid'), 'utf8').split('\n')[0]);
const portOf = (endpoint: Endpoint) => z.object({ port: z.int() }).parse(endpoint.connection).port;

async function ask(endpoint: Endpoint, text: string): Promise<(string | null)[][] | undefined> {
  const reader = await sandboxDriver.openReader(endpoint, 'postgres', signal);
  const { values } = await reader.run({ text }, signal, true);
  await reader.close();
  return values;
}

async function otherProcess(): Promise<ChildProcess> {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'testProcess.ts'), folder], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  children.push(child);
  await once(child.stdout ?? child, 'data');
  return child;
}

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'benchberry-sandbox-'));
});
afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  }
  await resetSandbox(folder);
  rmSync(folder, { recursive: true });
});

describe('the sandbox', () => {
  it('starts on this computer only, keeps its password to its user, and stops', async () => {
    const endpoint = await open();
    expect(endpoint).toMatchObject({ engine: 'sandbox', label: 'sandbox' });
    expect(await ask(endpoint, 'SHOW listen_addresses')).toEqual([['127.0.0.1']]);
    expect(await ask(endpoint, 'SHOW timezone')).toEqual([['UTC']]);
    expect(
      await ask(endpoint, `SELECT datcollate, pg_encoding_to_char(encoding) FROM pg_database LIMIT 1`),
    ).toEqual([['C', 'UTF8']]);
    if (os.platform() !== 'win32') expect(statSync(inside('password')).mode & 0o777).toBe(0o600);
    const wrong = { ...endpoint, connection: { ...endpoint.connection, password: 'guess' } };
    await expect(sandboxDriver.openSession(wrong, signal)).rejects.toMatchObject({ code: 'wrong-password' });

    const session = await sandboxDriver.openSession(endpoint, signal);
    const server = await session.describe(signal);
    await session.close();
    expect(server).toMatchObject({
      engine: 'sandbox',
      version: expect.stringMatching(/^18\./),
      edition: 'plain',
    });
    expect(server.notes.join()).toContain('listens on 127.0.0.1');

    const pid = serverPid();
    expect(portOf(await open())).toBe(portOf(endpoint));
    expect(serverPid()).toBe(pid);
    await stopSandbox();
    await vi.waitUntil(() => !isAlive(pid));
    expect(existsSync(inside('server', 'data', 'postmaster.pid'))).toBe(false);
  });

  it('goes on after its server was killed, with its data, on its port', async () => {
    const endpoint = await open();
    await ask(endpoint, 'CREATE TABLE kept AS SELECT 42 AS value');
    const pid = serverPid();
    process.kill(pid, 'SIGKILL');
    await vi.waitUntil(() => !isAlive(pid));
    expect(serverPid()).toBe(pid);
    const again = await open();
    expect(await ask(again, 'SELECT value FROM kept')).toEqual([['42']]);
    expect(serverPid()).not.toBe(pid);
  });

  it('is not held up by a number in a stale file that another program has got', async () => {
    await open();
    const stale = readFileSync(inside('server', 'data', 'postmaster.pid'), 'utf8');
    await stopSandbox();
    writeFileSync(inside('server', 'data', 'postmaster.pid'), stale.replace(/^\d+/, String(process.pid)));
    expect(await ask(await open(), 'SELECT 1')).toEqual([['1']]);
  });

  it('takes another port when its own is taken', async () => {
    const port = portOf(await open());
    await stopSandbox();
    const squatter = net.createServer().listen(port, '127.0.0.1');
    await once(squatter, 'listening');
    try {
      const endpoint = await open();
      expect(portOf(endpoint)).not.toBe(port);
      expect(await ask(endpoint, 'SHOW port')).toEqual([[String(portOf(endpoint))]]);
    } finally {
      squatter.close();
    }
  });

  it('is adopted from an app that was killed', async () => {
    const app = await otherProcess();
    const pid = serverPid();
    const gone = once(app, 'exit');
    app.kill('SIGKILL');
    await gone;
    expect(isAlive(pid)).toBe(true);
    await open();
    expect(serverPid()).toBe(pid);
    await stopSandbox();
    await vi.waitUntil(() => !isAlive(pid));
  });

  it('stays for another process that uses it, which then stops it', async () => {
    const other = await otherProcess();
    const endpoint = await open();
    await stopSandbox();
    expect(await ask(endpoint, 'SELECT 1')).toEqual([['1']]);
    await expect(resetSandbox(folder)).rejects.toMatchObject({
      code: 'run-active',
      detail: `process ${other.pid}`,
    });
    const pid = serverPid();
    const gone = once(other, 'exit');
    other.stdin?.end();
    await gone;
    await vi.waitUntil(() => !isAlive(pid));
  });

  it('starts once when many ask at the same time', async () => {
    const endpoints = await Promise.all([open(), open(), open()]);
    expect(new Set(endpoints.map(portOf)).size).toBe(1);
  });

  it('says why it does not start, in the words of the server’s log, and starts anew after a reset', async () => {
    await open();
    await stopSandbox();
    writeFileSync(inside('server', 'data', 'postgresql.conf'), 'no_such_setting = on\n');
    await expect(open()).rejects.toMatchObject({
      code: 'sandbox-failed',
      detail: expect.stringContaining('no_such_setting'),
      hint: expect.stringContaining('Reset'),
    });
    await resetSandbox(folder);
    expect(existsSync(inside('server'))).toBe(false);
    expect(await ask(await open(), 'SELECT 1')).toEqual([['1']]);
    await stopSandbox();
    writeFileSync(inside('server', 'data', 'PG_VERSION'), '12\n');
    await expect(open()).rejects.toMatchObject({
      code: 'sandbox-failed',
      message: expect.stringContaining('12'),
    });
  });

  it.skipIf(os.platform() === 'win32')('follows no link that lies among the server’s files', async () => {
    const foreign = path.join(folder, 'foreign');
    writeFileSync(foreign, 'not the sandbox’s');
    mkdirSync(inside('server'), { recursive: true });
    symlinkSync(foreign, inside('server', 'initial-password'));
    expect(await ask(await open(), 'SELECT 1')).toEqual([['1']]);
    await stopSandbox();
    expect(readFileSync(foreign, 'utf8')).toBe('not the sandbox’s');
    expect(statSync(foreign).uid).toBe(process.getuid?.());

    rmSync(inside('server', 'log'));
    symlinkSync(foreign, inside('server', 'log'));
    writeFileSync(inside('server', 'data', 'postgresql.conf'), 'no_such_setting = on\n');
    await expect(open()).rejects.toMatchObject({
      code: 'sandbox-failed',
      detail: expect.not.stringContaining('not the sandbox’s'),
    });
  });

  it('does not start for a run that was stopped', async () => {
    const { resolve } = sandboxDriver;
    const stopped = { dataFolder: folder, signal: AbortSignal.abort() };
    await expect(resolve({}, null, stopped)).rejects.toMatchObject({ code: 'cancelled' });
  });
});
