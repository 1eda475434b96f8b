import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { AppError } from '../../../src-shared/errors.ts';
import type { Dataset, Endpoint, Prepared } from '../driver.ts';
import { accountFor, freePort, noTestServer, startTestServer, type TestServer } from '../testServer.ts';
import { patienceMs } from './dial.ts';
import { postgresqlDriver as driver } from './index.ts';

const { signal } = new AbortController();
const context = { dataFolder: '', signal };
const dataset: Dataset = {
  tags: [{ name: 'hostname', type: 'string' }],
  tables: [{ name: 'cpu', fields: [{ name: 'usage', type: 'integer' }] }],
  devices: 1,
  deviceTags: () => ['host_0'],
};
const options = (more = {}) => ({
  database: 'benchberry_faults',
  doCreateDb: true,
  doAbortOnExist: false,
  engine: driver.loadOptions.parse({}),
  ...more,
});
const endpointTo = (connection: Record<string, unknown>, secret: string | null = 'x') =>
  driver.resolve({ host: '127.0.0.1', ...connection }, secret, context);
const connect = async (connection: Record<string, unknown>, secret?: string | null) =>
  driver.openSession(await endpointTo(connection, secret), signal);

describe('what is there instead of PostgreSQL', () => {
  let listener: net.Server | null = null;
  const sockets: net.Socket[] = [];
  /** A port where every connection meets `greet`. */
  async function port(greet: (socket: net.Socket) => void): Promise<number> {
    const opened = net.createServer((socket) => {
      sockets.push(socket);
      socket.on('error', () => undefined);
      greet(socket);
    });
    listener = opened;
    opened.listen(0, '127.0.0.1');
    await once(opened, 'listening');
    const address = opened.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    return address.port;
  }
  afterEach(() => {
    vi.useRealTimers();
    for (const socket of sockets.splice(0)) socket.destroy();
    listener?.close();
    listener = null;
  });

  it('no such host', async () => {
    await expect(connect({ host: 'no-such-host.invalid' })).rejects.toMatchObject({
      code: 'host-not-found',
      message: 'There is no host no-such-host.invalid',
      place: { host: 'no-such-host.invalid', port: 5432 },
    });
  });

  it('nothing on the port', async () => {
    const free = await freePort();
    await expect(connect({ port: free })).rejects.toMatchObject({
      code: 'connection-refused',
      place: { host: '127.0.0.1', port: free },
      detail: expect.stringContaining('ECONNREFUSED'),
    });
  });

  for (const tlsMode of ['disable', 'prefer', 'require']) {
    it(`a web server (TLS ${tlsMode})`, async () => {
      const http = await port((socket) => {
        socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n'));
      });
      await expect(connect({ port: http, tlsMode })).rejects.toMatchObject({
        code: 'not-postgresql',
        detail: expect.stringContaining('HTTP/1.1 400'),
      });
    });

    it(`a server that speaks first, as MySQL does (TLS ${tlsMode})`, async () => {
      const mysql = await port((socket) => socket.write('J\0\0\0\n8.0.36\0'));
      await expect(connect({ port: mysql, tlsMode })).rejects.toMatchObject({
        code: 'not-postgresql',
        detail: expect.stringContaining('8.0.36'),
      });
    });

    it(`one that hangs up (TLS ${tlsMode})`, async () => {
      const closing = await port((socket) => socket.once('data', () => socket.end()));
      await expect(connect({ port: closing, tlsMode })).rejects.toMatchObject({ code: 'not-postgresql' });
    });

    it(`one that stays silent (TLS ${tlsMode})`, async () => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      const silent = await port((socket) => socket.once('data', () => vi.advanceTimersByTime(patienceMs)));
      await expect(connect({ port: silent, tlsMode })).rejects.toMatchObject({
        code: 'not-postgresql',
        detail: expect.stringContaining('silent'),
      });
    });
  }

  it('stops waiting when asked to', async () => {
    const controller = new AbortController();
    const silent = await port((socket) => socket.once('data', () => controller.abort()));
    for (const tlsMode of ['disable', 'prefer']) {
      const endpoint = await endpointTo({ port: silent, tlsMode });
      await expect(driver.openSession(endpoint, controller.signal)).rejects.toMatchObject({
        code: 'cancelled',
      });
    }
  });
});

const serverTests = noTestServer === null ? describe : describe.skip;

serverTests('a server that minds who comes in', () => {
  let server: TestServer;
  let certificates: string;
  beforeAll(async () => {
    certificates = mkdtempSync(path.join(os.tmpdir(), 'benchberry-tls-'));
    const [key, cert] = ['server.key', 'server.crt'].map((name) => path.join(certificates, name));
    execFileSync(
      'openssl',
      [
        ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost'],
        ...['-addext', 'subjectAltName=DNS:localhost', '-keyout', key ?? '', '-out', cert ?? ''],
      ],
      { stdio: 'pipe' },
    );
    server = await startTestServer({
      settings: { ssl: 'on', listen_addresses: 'localhost' },
      files: {
        'server.key': readFileSync(key ?? '', 'utf8'),
        'server.crt': readFileSync(cert ?? '', 'utf8'),
      },
      hba: [
        'hostnossl all plain_only samehost scram-sha-256',
        'hostssl all plain_only samehost reject',
        'host all nobody_in samehost reject',
        'hostssl all all samehost scram-sha-256',
      ],
    });
    server.psql(
      `CREATE ROLE plain_only LOGIN PASSWORD 'p'; CREATE ROLE nobody_in LOGIN; CREATE ROLE modest LOGIN PASSWORD 'm';`,
    );
  });
  afterAll(async () => {
    await server.stop();
    rmSync(certificates, { recursive: true });
  });
  const to = (connection: Record<string, unknown>, secret: string | null = server.password) =>
    connect({ ...server.connection, ...connection }, secret);
  const tlsOf = async (connection: Record<string, unknown>, secret?: string) => {
    const session = await to(connection, secret);
    const { tls } = await session.describe(signal);
    await session.close();
    return tls;
  };

  it('asks for TLS where the connection has none', async () => {
    await expect(to({ tlsMode: 'disable' })).rejects.toMatchObject({
      code: 'tls-required',
      detail: expect.stringContaining('no encryption'),
    });
  });

  it('is reached encrypted by prefer and require, and says how', async () => {
    expect(await tlsOf({ tlsMode: 'prefer' })).toMatch(/^TLSv1\.[23] TLS_/);
    expect(await tlsOf({ tlsMode: 'require' })).toMatch(/^TLSv1\.[23] TLS_/);
  });

  it('is trusted by its authority and its name, not without them', async () => {
    const caFile = path.join(certificates, 'server.crt');
    await expect(to({ tlsMode: 'verify-ca' })).rejects.toMatchObject({
      code: 'tls-untrusted',
      detail: expect.stringContaining('SELF_SIGNED'),
    });
    expect(await tlsOf({ tlsMode: 'verify-ca', caFile })).toMatch(/^TLS/);
    expect(await tlsOf({ tlsMode: 'verify-full', caFile, host: 'localhost' })).toMatch(/^TLS/);
    await expect(to({ tlsMode: 'verify-full', caFile })).rejects.toMatchObject({
      code: 'tls-untrusted',
      detail: expect.stringContaining('127.0.0.1'),
    });
    await expect(to({ tlsMode: 'verify-ca', caFile: `${caFile}.missing` })).rejects.toMatchObject({
      code: 'bad-input',
      place: { field: 'caFile' },
    });
  });

  it('is reached unencrypted by prefer where it wants that, and not by require', async () => {
    expect(await tlsOf({ user: 'plain_only', tlsMode: 'prefer' }, 'p')).toBeNull();
    await expect(to({ user: 'plain_only', tlsMode: 'require' }, 'p')).rejects.toMatchObject({
      code: 'no-permission',
    });
  });

  it('loads over TLS as well', async () => {
    const endpoint = await endpointTo({ ...server.connection, tlsMode: 'require' }, server.password);
    const session = await driver.openSession(endpoint, signal);
    const prepared = await session.prepare(dataset, options(), signal);
    const writer = await driver.openWriter(endpoint, prepared, signal);
    for (let i = 0; i < 50_000; i += 1) writer.row(0, 0, i, 0, Float64Array.of(i));
    await writer.flush(signal);
    await writer.close();
    expect(await session.count(prepared, signal)).toEqual({ cpu: 50_000 });
    await session.drop(prepared, signal);
    await session.close();
  });

  it('tells a wrong password, a missing one, a user not let in and one without rights apart', async () => {
    await expect(to({}, 'wrong')).rejects.toMatchObject({
      code: 'wrong-password',
      place: { database: 'postgres' },
    });
    await expect(to({}, null)).rejects.toMatchObject({ code: 'password-needed' });
    await expect(to({ user: 'nobody_in' })).rejects.toMatchObject({ code: 'no-permission' });
    await expect(to({ adminDatabase: 'not_there' })).rejects.toMatchObject({ code: 'no-database' });
    const modest = await to({ user: 'modest' }, 'm');
    await expect(modest.prepare(dataset, options(), signal)).rejects.toMatchObject({
      code: 'no-permission',
      detail: expect.stringContaining('permission denied to create database'),
    });
    await modest.close();
  });

  it('never shows a password in an error', async () => {
    const secret = 'uncommon-secret-word';
    const free = await freePort();
    for (const attempt of [() => to({}, secret), () => connect({ port: free }, secret)]) {
      const error: unknown = await attempt().catch((caught: unknown) => caught);
      expect(error).toBeInstanceOf(AppError);
      expect(JSON.stringify([error, String(error)])).not.toContain(secret);
    }
  });
});

serverTests('a server in trouble', () => {
  let server: TestServer;
  let endpoint: Endpoint;
  beforeAll(async () => {
    server = await startTestServer();
    endpoint = await endpointTo(server.connection, server.password);
  });
  afterAll(() => server.stop());

  async function prepare(): Promise<Prepared> {
    const session = await driver.openSession(endpoint, signal);
    const prepared = await session.prepare(dataset, options(), signal);
    await session.close();
    return prepared;
  }
  async function count(prepared: Prepared): Promise<number> {
    const session = await driver.openSession(endpoint, signal);
    const counts = await session.count(prepared, signal);
    await session.close();
    return counts.cpu ?? Number.NaN;
  }

  it('has no TLS to offer', async () => {
    await expect(
      connect({ ...server.connection, tlsMode: 'require' }, server.password),
    ).rejects.toMatchObject({
      code: 'tls-unavailable',
    });
  });

  for (const how of ['shutdown', 'crash'] as const) {
    it(`keeps every acknowledged batch through a ${how} in mid-COPY`, async () => {
      const prepared = await prepare();
      const writer = await driver.openWriter(endpoint, prepared, signal);
      let acknowledged = 0;
      const load = (async () => {
        for (;;) {
          for (let i = 0; i < 20_000; i += 1) writer.row(0, 0, i, 0, Float64Array.of(i));
          await writer.flush(signal);
          acknowledged += 1;
        }
      })();
      load.catch(() => undefined); // awaited below
      await vi.waitUntil(() => acknowledged >= 3, { timeout: 30_000 });
      await server.end(how);
      await expect(load).rejects.toMatchObject({
        code: 'connection-lost',
        place: { database: 'benchberry_faults' },
      });
      await server.start();
      const stored = (await count(prepared)) / 20_000;
      expect(stored).toBeGreaterThanOrEqual(acknowledged);
      expect(stored).toBeLessThanOrEqual(acknowledged + 1);
      await writer.close();
    });
  }

  it('stops counting when asked to, and leaves no connection behind', async () => {
    const prepared = await prepare();
    const session = await driver.openSession(endpoint, signal);
    const blocker = await driver.openReader(endpoint, prepared.database, signal);
    await blocker.run({ text: 'BEGIN' }, signal);
    await blocker.run({ text: 'LOCK TABLE cpu' }, signal);
    const controller = new AbortController();
    const counting = session.count(prepared, controller.signal);
    counting.catch(() => undefined); // awaited below
    const waiting = () =>
      server.psql(`SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'SELECT count(*) AS count%'`);
    await vi.waitUntil(() => waiting() === '1', { timeout: 20_000 });
    controller.abort();
    await expect(counting).rejects.toMatchObject({ code: 'cancelled' });
    await vi.waitUntil(() => waiting() === '0', { timeout: 20_000 });

    // the same for a batch under way, whose transaction then is rolled back
    const writer = await driver.openWriter(endpoint, prepared, signal);
    writer.row(0, 0, 0, 0, Float64Array.of(1));
    const flushAbort = new AbortController();
    const flushing = writer.flush(flushAbort.signal);
    flushing.catch(() => undefined); // awaited below
    const copying = () => server.psql(`SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'COPY "cpu"%'`);
    await vi.waitUntil(() => copying() === '1', { timeout: 20_000 });
    flushAbort.abort();
    await expect(flushing).rejects.toMatchObject({ code: 'cancelled' });
    await vi.waitUntil(() => copying() === '0', { timeout: 20_000 });
    await blocker.close();
    expect(await session.count(prepared, signal)).toEqual({ cpu: 0 });
    await session.close();
    const ours = () =>
      server.psql(`SELECT count(*) FROM pg_stat_activity WHERE application_name = 'benchberry'`);
    await vi.waitUntil(() => ours() === '0', { timeout: 20_000 });
  });

  it('leaves what others keep beside it alone: pgbench’s tables are the same after a load', async () => {
    server.psql('CREATE DATABASE neighbour');
    execFileSync(
      'pgbench',
      ['-i', '-q', '-h', server.folder, '-p', String(server.port), '-U', 'postgres', 'neighbour'],
      {
        env: { ...process.env, PGPASSWORD: server.password },
        stdio: 'pipe',
      },
    );
    const sum = () =>
      ['accounts', 'branches', 'tellers', 'history'].map((table) =>
        server.psql(
          `SELECT count(*), md5(coalesce(string_agg(t::text, '|' ORDER BY t::text), '')) FROM pgbench_${table} t`,
          'neighbour',
        ),
      );
    const before = sum();
    expect(before[0]).toMatch(/^100000\|/);
    const prepared = await prepare();
    const writer = await driver.openWriter(endpoint, prepared, signal);
    for (let i = 0; i < 10_000; i += 1) writer.row(0, 0, i, 0, Float64Array.of(i));
    await writer.flush(signal);
    await writer.close();
    const session = await driver.openSession(endpoint, signal);
    await expect(session.prepare(dataset, options({ database: 'neighbour' }), signal)).rejects.toMatchObject({
      code: 'database-not-ours',
    });
    await session.drop(prepared, signal);
    await session.close();
    expect(sum()).toEqual(before);
    expect(server.psql('SELECT datname FROM pg_database WHERE NOT datistemplate ORDER BY 1')).toBe(
      'neighbour\npostgres',
    );
  });

  it('says that its disk is full', async (test) => {
    const account = accountFor();
    if (account === undefined || os.platform() !== 'linux') {
      return test.skip('needs root on Linux to make a small file system');
    }
    const base = path.join(server.folder, 'data', 'base');
    const small = path.join(server.folder, 'small');
    await server.end('shutdown');
    mkdirSync(small);
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=80m', 'tmpfs', small], { stdio: 'pipe' });
    } catch {
      await server.start();
      return test.skip('this root may not mount file systems');
    }
    try {
      // tables on the small file system, the log of changes beside it
      cpSync(base, path.join(small, 'base'), { recursive: true });
      execFileSync('chown', ['-R', `${account.uid}:${account.gid}`, small]);
      renameSync(base, `${base}.old`);
      symlinkSync(path.join(small, 'base'), base);
      chownSync(server.folder, account.uid, account.gid);
      await server.start();
      server.psql('DROP DATABASE IF EXISTS neighbour');
      const prepared = await prepare();
      const writer = await driver.openWriter(endpoint, prepared, signal);
      let acknowledged = 0;
      const fill = async () => {
        for (;;) {
          for (let i = 0; i < 50_000; i += 1) writer.row(0, 0, i, 0, Float64Array.of(i));
          await writer.flush(signal);
          acknowledged += 50_000;
        }
      };
      await expect(fill()).rejects.toMatchObject({
        code: 'disk-full',
        detail: expect.stringContaining('No space left on device'),
      });
      expect(await count(prepared)).toBe(acknowledged);
    } finally {
      await server.end('crash');
      execFileSync('umount', [small]);
    }
  });
});
