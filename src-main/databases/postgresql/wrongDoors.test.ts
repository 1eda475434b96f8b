import { once } from 'node:events';
import net from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { freePort } from '../testServer.ts';
import { patienceMs } from './dial.ts';
import { connect, endpointTo } from './faultsTesting.ts';
import { postgresqlDriver as driver } from './index.ts';

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
