import { execFileSync } from 'node:child_process';
import { chownSync, cpSync, mkdirSync, renameSync, symlinkSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Endpoint, Prepared } from '../driver.ts';
import { accountFor, noTestServer, startTestServer, type TestServer } from '../testServer.ts';
import { connect, dataset, endpointTo, options, signal } from './faultsTesting.ts';
import { postgresqlDriver as driver } from './index.ts';

const serverTests = noTestServer === null ? describe : describe.skip;

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
      const writer = await driver.openWriter(endpoint, prepared, signal, dataset);
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
    const writer = await driver.openWriter(endpoint, prepared, signal, dataset);
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
    const writer = await driver.openWriter(endpoint, prepared, signal, dataset);
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
      const writer = await driver.openWriter(endpoint, prepared, signal, dataset);
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
