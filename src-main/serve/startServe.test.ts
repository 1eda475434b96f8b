import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http';
import { connect } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import type { Handlers } from '../../src-shared/contract/api.ts';
import { maxRequestBytes } from '../../src-shared/contract/bridge.ts';
import { connectApi } from '../../src-shared/contract/client.ts';
import {
  type CommandName,
  commands,
  type EventData,
  type EventName,
} from '../../src-shared/contract/commands.ts';
import { AppError } from '../../src-shared/errors.ts';
import { type Serving, startServe } from './startServe.ts';

const page = '<!doctype html><meta property="csp-nonce" nonce="__STYLE_NONCE__"><title>page</title>';
const listeners = new Set<(data: EventData<'notice'>) => void>();
let stopped: string[] = [];
let folder: string;
let serving: Serving;
let cookie: string;
let host: string;

const refuse = (): Promise<never> =>
  Promise.reject(new AppError({ code: 'internal', message: 'not in this test' }));
const app = {
  handlers: {
    ...(Object.fromEntries(Object.keys(commands).map((name) => [name, refuse])) as Record<
      CommandName,
      typeof refuse
    >),
    'plans.toYaml': async ({ plan }) => `name: ${plan.name}\n`,
    /** Waits until it is cancelled. */
    'runs.stop': ({ id }, signal) =>
      new Promise<null>((resolve) => {
        signal.addEventListener('abort', () => {
          stopped.push(id);
          resolve(null);
        });
      }),
  } satisfies Handlers,
  events: {
    on<N extends EventName>(name: N, listener: (data: EventData<N>) => void) {
      if (name !== 'notice') return () => undefined;
      const entry = listener as (data: EventData<'notice'>) => void;
      listeners.add(entry);
      return () => void listeners.delete(entry);
    },
  },
};

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

/** A request as an attacker writes it: the path goes out as it is. */
function ask(path: string, headers: OutgoingHttpHeaders = {}, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const call = request(
      { host: '127.0.0.1', port: serving.port, path, method, headers, agent: false },
      (response) => {
        let body = '';
        response.setEncoding('utf8');
        response.on('data', (part: string) => {
          body += part;
        });
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
        );
      },
    );
    call.on('error', reject);
    call.end();
  });
}

/** Opens a socket; answers with it or with the status of the refusal. */
function dial(headers: Record<string, string>, path = '/api'): Promise<WebSocket | number> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`ws://127.0.0.1:${serving.port}${path}`, { headers });
    socket.on('open', () => resolve(socket));
    socket.on('unexpected-response', (_, response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    socket.on('error', reject);
  });
}

async function dialIn(): Promise<WebSocket> {
  const socket = await dial({ Origin: `http://${host}`, Cookie: cookie });
  if (typeof socket === 'number') throw new Error(`refused with ${socket}`);
  return socket;
}

function closed(socket: WebSocket): Promise<number> {
  return new Promise((resolve) => socket.once('close', resolve));
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'benchberry-serve-'));
  const rendererFolder = join(folder, 'renderer');
  await mkdir(join(rendererFolder, 'assets'), { recursive: true });
  await writeFile(join(rendererFolder, 'index.html'), page);
  await writeFile(join(rendererFolder, 'assets', 'app.js'), 'export {};');
  await writeFile(join(rendererFolder, '.env'), 'SECRET');
  await writeFile(join(folder, 'secret.txt'), 'SECRET');
  serving = await startServe({ app, port: 0, rendererFolder });
  host = `127.0.0.1:${serving.port}`;
  const entered = await ask(new URL(serving.url).search.replace(/^/, '/'));
  cookie = String(entered.headers['set-cookie']?.[0]).split(';')[0] ?? '';
});

afterAll(async () => {
  await serving.close();
  await rm(folder, { recursive: true });
});

describe('the way in', () => {
  test('the token is 256 bits of the URL, and its page sets a strict cookie and leaves the address bar clean', async () => {
    const url = new URL(serving.url);
    expect(url.origin).toBe(`http://${host}`);
    expect(Buffer.from(url.searchParams.get('token') ?? '', 'base64url')).toHaveLength(32);
    const answer = await ask(`/${url.search}`);
    expect(answer.status).toBe(200);
    expect(answer.headers['set-cookie']?.[0]).toMatch(/; HttpOnly; SameSite=Strict; Path=\/$/);
    expect(answer.headers['set-cookie']?.[0]).not.toContain(url.searchParams.get('token'));
    expect(answer.headers['referrer-policy']).toBe('no-referrer');
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.body).toContain('http-equiv="refresh" content="0;url=/"');
  });

  test('the page comes with a policy whose nonce is its own and new each time', async () => {
    const first = await ask('/', { Cookie: cookie });
    const second = await ask('/', { Cookie: cookie });
    const nonce = (answer: Answer) => /nonce="([^"]+)"/.exec(answer.body)?.[1] ?? 'none';
    expect(first.headers['content-security-policy']).toContain(`'nonce-${nonce(first)}'`);
    expect(first.headers['content-security-policy']).toContain("script-src 'self';");
    expect(first.headers['content-security-policy']).toContain("default-src 'none'");
    expect(second.status).toBe(200);
    expect(nonce(second)).not.toBe(nonce(first));
    expect((await ask('/assets/app.js', { Cookie: cookie })).headers['content-type']).toMatch(
      /^text\/javascript/,
    );
  });

  test.each([
    '',
    '/',
    '/index.html',
    '/assets/app.js',
    '/api',
    '/?token=',
    `/?token=${'A'.repeat(43)}`,
    '/?token=%00',
  ])('no or a wrong token: %j is refused', async (path) => {
    const answer = await ask(path);
    expect(answer.status).toBe(401);
    expect(answer.headers['set-cookie']).toBeUndefined();
    expect(answer.body).not.toContain('page');
  });

  test('an address for once lets in once', async () => {
    const path = `/${new URL(serving.urlOnce()).search}`;
    const other = `/${new URL(serving.urlOnce()).search}`;
    expect((await ask(path)).headers['set-cookie']?.[0]).toContain(cookie);
    expect((await ask(path)).status).toBe(401);
    expect((await ask(other)).status).toBe(200);
  });

  test('a forged cookie is refused, also one that begins like the right one', async () => {
    const [name] = cookie.split('=');
    for (const forged of [`${name}=`, `${name}=${'A'.repeat(43)}`, cookie.slice(0, -1), `x${cookie}`]) {
      expect((await ask('/', { Cookie: forged })).status).toBe(401);
    }
    expect((await ask('/', { Cookie: `other=1; ${cookie}; more=2` })).status).toBe(200);
  });

  test('the token is no key for anything but the first page', async () => {
    expect((await ask(`/assets/app.js${new URL(serving.url).search}`)).status).toBe(401);
  });
});

describe('other web pages', () => {
  test.each([
    'evil.example',
    'localhost',
    '127.0.0.1',
    '127.0.0.1:1',
    '127.0.0.1.evil.example',
    '[::1]',
    '0.0.0.0',
  ])('Host %s is refused, cookie or not (DNS rebinding)', async (name) => {
    const foreign =
      name.includes(':') || name === 'localhost' || name === '127.0.0.1' ? name : `${name}:${serving.port}`;
    expect((await ask('/', { Host: foreign, Cookie: cookie })).status).toBe(403);
    expect((await ask(`/${new URL(serving.url).search}`, { Host: foreign })).status).toBe(403);
  });

  test('both names of this machine work', async () => {
    expect((await ask('/', { Host: `localhost:${serving.port}`, Cookie: cookie })).status).toBe(200);
  });

  test.each([
    'http://evil.example',
    'null',
    'http://127.0.0.1:1',
    'https://127.0.0.1',
    'app://benchberry',
    'file://',
  ])('Origin %s is refused on every request and on the socket', async (origin) => {
    expect((await ask('/', { Origin: origin, Cookie: cookie })).status).toBe(403);
    expect(await dial({ Origin: origin, Cookie: cookie })).toBe(403);
  });

  test('localhost as origin does not fit 127.0.0.1 as host', async () => {
    expect(await dial({ Origin: `http://localhost:${serving.port}`, Cookie: cookie })).toBe(403);
  });

  test.each(['cross-site', 'same-site'])(
    'a %s script or fetch is refused, a link is only asked for the token',
    async (site) => {
      const fetched = { 'Sec-Fetch-Site': site, 'Sec-Fetch-Mode': 'no-cors', 'Sec-Fetch-Dest': 'script' };
      expect((await ask('/assets/app.js', { ...fetched, Cookie: cookie })).status).toBe(403);
      const framed = { 'Sec-Fetch-Site': site, 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'iframe' };
      expect((await ask('/', { ...framed, Cookie: cookie })).status).toBe(403);
      const link = { 'Sec-Fetch-Site': site, 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' };
      expect((await ask('/', link)).status).toBe(401);
      expect((await ask(`/${new URL(serving.url).search}`, link)).status).toBe(200);
    },
  );

  test('frames, sniffing and other origins reading are forbidden by headers, on refusals too', async () => {
    for (const answer of [
      await ask('/', { Cookie: cookie }),
      await ask('/'),
      await ask('/x.js', { Cookie: cookie }),
    ]) {
      expect(answer.headers['x-frame-options']).toBe('DENY');
      expect(answer.headers['x-content-type-options']).toBe('nosniff');
      expect(answer.headers['cross-origin-resource-policy']).toBe('same-origin');
      expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    }
  });

  test.each(['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'])('%s is refused', async (method) => {
    expect((await ask('/', { Cookie: cookie }, method)).status).toBe(405);
  });
});

describe('files', () => {
  test.each([
    '/../secret.txt',
    '/assets/../../secret.txt',
    '/assets/..%2f..%2fsecret.txt',
    '/%2e%2e/secret.txt',
    '/%2e%2e%2fsecret.txt',
    '/%252e%252e%252fsecret.txt',
    '/..\\secret.txt',
    '/..%5csecret.txt',
    '/..%c0%afsecret.txt',
    '/..;/secret.txt',
    '/assets/app.js%00.html',
    '//secret.txt',
    '/.env',
    '/%2eenv',
    '/index.html',
    'http://127.0.0.1/../secret.txt',
    'file:///etc/passwd',
    '/etc/passwd.',
    '/%E0%A4%A',
  ])('%s leads nowhere', async (path) => {
    const answer = await ask(path, { Cookie: cookie });
    expect(answer.status).toBe(404);
    expect(answer.body).not.toContain('SECRET');
  });

  test('a folder is not listed', async () => {
    for (const path of ['/assets/', '/assets', '/assets/?', '/assets/.']) {
      expect(await ask(path, { Cookie: cookie })).toMatchObject({ status: 404 });
    }
  });
});

describe('the socket', () => {
  test('is refused without the cookie, without an origin and at another path', async () => {
    const Origin = `http://${host}`;
    expect(await dial({ Origin })).toBe(401);
    expect(await dial({ Cookie: cookie })).toBe(403);
    expect(await dial({ Origin, Cookie: cookie, Host: 'evil.example' })).toBe(403);
    expect(await dial({ Origin, Cookie: cookie }, '/other')).toBe(404);
    expect(await dial({ Origin }, `/api${new URL(serving.url).search}`)).toBe(401);
  });

  test('carries calls, errors, cancellation and events', async () => {
    const socket = await dialIn();
    const lost = Promise.withResolvers<void>();
    const api = connectApi(
      {
        send: (text) => socket.send(text),
        listen(onMessage, onClose) {
          socket.on('message', (data) => onMessage(data.toString()));
          socket.on('close', onClose);
        },
        close: () => socket.close(),
      },
      lost.resolve,
    );
    const plan = { version: 1 as const, name: 'mine', target: 'null', steps: [{ 'tsbs.load': {} }] };
    await expect(api.call('plans.toYaml', { plan })).resolves.toBe('name: mine\n');
    await expect(api.call('runs.get', { id: '' })).rejects.toMatchObject({ code: 'bad-input' });

    stopped = [];
    const controller = new AbortController();
    const call = api.call('runs.stop', { id: 'mine' }, controller.signal);
    controller.abort();
    await call;
    expect(stopped).toEqual(['mine']);

    const heard = new Promise((resolve) => api.on('notice', resolve));
    for (const listener of listeners) listener({ level: 'info', text: 'hello', error: null });
    await expect(heard).resolves.toMatchObject({ text: 'hello' });

    const pending = api.call('runs.stop', { id: 'left' });
    const rejected = expect(pending).rejects.toMatchObject({ code: 'connection-lost' });
    socket.close();
    await lost.promise;
    await rejected;
    await expect.poll(() => stopped).toEqual(['mine', 'left']);
    expect(listeners.size).toBe(0);
  });

  test.each([
    'not json',
    'null',
    '[]',
    '{"t":"q","m":"constructor","a":[],"i":"1"}',
    '{"t":"q","m":"__proto__","a":[],"i":"1"}',
    '{"t":"q","m":"call","a":["1","app.info",null],"i":"1"}',
    '{"t":"s","i":"1","r":1}',
  ])('%s closes it and harms nobody else', async (text) => {
    const socket = await dialIn();
    socket.send(text);
    expect(await closed(socket)).toBe(1008);
    expect((await ask('/', { Cookie: cookie })).status).toBe(200);
  });

  test('a frame over the limit closes it, a binary one as well', async () => {
    const large = await dialIn();
    large.send('x'.repeat(maxRequestBytes + 1));
    expect(await closed(large)).toBe(1009);
    const binary = await dialIn();
    binary.send(Buffer.from('{}'));
    expect(await closed(binary)).toBe(1003);
  });

  test('a name of the prototype is no command', async () => {
    const socket = await dialIn();
    const answer = new Promise<string>((resolve) =>
      socket.once('message', (data) => resolve(data.toString())),
    );
    socket.send('{"t":"q","m":"call","a":[1,"constructor",null],"i":"1"}');
    expect(JSON.parse(await answer)).toMatchObject({ r: { ok: false, error: { code: 'bad-input' } } });
    socket.close();
    await closed(socket);
  });

  test('there is a limit to the number of sockets', async () => {
    const open: WebSocket[] = [];
    for (let i = 0; i < 16; i += 1) open.push(await dialIn());
    expect(await dial({ Origin: `http://${host}`, Cookie: cookie })).toBe(503);
    await Promise.all(
      open.map((socket) => {
        socket.close();
        return closed(socket);
      }),
    );
    await expect
      .poll(async () => typeof (await dial({ Origin: `http://${host}`, Cookie: cookie })))
      .toBe('object');
  });
});

describe('the listening', () => {
  test('is on 127.0.0.1 and nowhere else', async () => {
    const others = Object.values(networkInterfaces())
      .flatMap((list) => list ?? [])
      .map(({ address }) => address)
      .filter((address) => address !== '127.0.0.1' && !address.startsWith('fe80'));
    for (const address of ['127.0.0.2', ...others]) {
      const outcome = await new Promise((resolve) => {
        const socket = connect({ host: address, port: serving.port }, () => resolve('connected'));
        socket.on('error', () => resolve('refused'));
      });
      expect(`${address} ${outcome}`).toBe(`${address} refused`);
    }
  });

  test('a taken port is said, with the port', async () => {
    const second = startServe({ app, port: serving.port, rendererFolder: join(folder, 'renderer') });
    await expect(second).rejects.toMatchObject({ code: 'bad-input', place: { port: serving.port } });
  });

  test('a renderer that is not built is said, with the folder', async () => {
    const second = startServe({ app, port: 0, rendererFolder: join(folder, 'none') });
    await expect(second).rejects.toMatchObject({ code: 'not-found', place: { file: join(folder, 'none') } });
  });

  test('closing ends the sockets and frees the port', async () => {
    const first = await startServe({ app, port: 0, rendererFolder: join(folder, 'renderer') });
    const idle = connect({ host: '127.0.0.1', port: first.port });
    await new Promise((resolve) => idle.once('connect', resolve));
    idle.on('error', () => idle.destroy());
    const ended = new Promise((resolve) => idle.once('close', resolve));
    await first.close();
    await ended;
    const again = await startServe({ app, port: first.port, rendererFolder: join(folder, 'renderer') });
    expect(again.port).toBe(first.port);
    expect(again.url).not.toBe(first.url);
    await again.close();
  });
});
