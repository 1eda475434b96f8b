import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '../../../src-shared/errors.ts';
import { freePort, noTestServer, startTestServer, type TestServer } from '../testServer.ts';
import { connect, dataset, endpointTo, options, signal } from './faultsTesting.ts';
import { postgresqlDriver as driver } from './index.ts';

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
      message: expect.stringContaining('another name'),
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
    const writer = await driver.openWriter(endpoint, prepared, signal, dataset);
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
