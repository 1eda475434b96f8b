import { once } from 'node:events';
import net from 'node:net';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { endpointTo, signal } from './faultsTesting.ts';
import { postgresqlDriver as driver } from './index.ts';
import { ReplyParser } from './replies.ts';

const message = (type: string, body: Buffer, length = body.length + 4): Buffer => {
  const header = Buffer.alloc(5);
  header.write(type, 0, 'latin1');
  header.writeUInt32BE(length, 1);
  return Buffer.concat([header, body]);
};
const ready = message('Z', Buffer.from('I'));
const letIn = Buffer.concat([message('R', Buffer.alloc(4)), message('K', Buffer.alloc(8)), ready]);
const columns = message('T', Buffer.concat([Buffer.from([0, 1]), Buffer.from('a\0'), Buffer.alloc(18)]));

/** What no server of PostgreSQL would say: lengths that are wrong, and fields beyond the end. */
const answers: [string, Buffer][] = [
  ['a message without a length', Buffer.from('Z\0\0\0\0')],
  ['a message of three bytes', message('C', Buffer.alloc(0), 3)],
  ['a message of four gigabytes', message('E', Buffer.from('M'), 0xffffffff)],
  ['a row without its columns', Buffer.concat([columns, message('D', Buffer.from([0, 9])), ready])],
  ['a row without anything', Buffer.concat([columns, message('D', Buffer.alloc(0)), ready])],
  ['columns without their names', Buffer.concat([message('T', Buffer.alloc(0)), ready])],
];

describe('a server that means ill', () => {
  let server: net.Server | null = null;
  const sockets: net.Socket[] = [];
  /** Lets everybody in, then says this. */
  async function saying(answer: Buffer, welcome: Buffer = letIn): Promise<number> {
    const opened = net.createServer((socket) => {
      sockets.push(socket);
      socket.on('error', () => undefined);
      socket.once('data', () => {
        socket.write(welcome);
        socket.on('data', () => socket.write(answer));
      });
    });
    server = opened;
    opened.listen(0, '127.0.0.1');
    await once(opened, 'listening');
    const address = opened.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    return address.port;
  }
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
    server?.close();
    server = null;
  });
  const unreadable = {
    code: 'connection-lost',
    detail: expect.stringContaining('what the server sent cannot be read'),
  };

  it.each(answers)('ends only its own connection by %s, in a transaction', async (_, answer) => {
    const endpoint = await endpointTo({ port: await saying(answer), tlsMode: 'disable' });
    const client = await driver.openClient?.(endpoint, 'x', signal);
    await expect(client?.query('SELECT 1', true)).rejects.toMatchObject(unreadable);
    await client?.close();
  });

  it.each(answers.slice(3))('and by %s, where the server is asked about itself', async (_, answer) => {
    const endpoint = await endpointTo({ port: await saying(answer), tlsMode: 'disable' });
    const session = await driver.openSession(endpoint, signal);
    await expect(session.describe(signal)).rejects.toMatchObject(unreadable);
    await session.close();
  });

  it('is heard out, but not kept, at any length', async () => {
    const long = Buffer.from(`SERROR\0C42601\0M${'x'.repeat(1_000_000)}\0D${'y'.repeat(1_000_000)}\0\0`);
    const port = await saying(Buffer.concat([message('E', long), ready]));
    const endpoint = await endpointTo({ port, tlsMode: 'disable' });
    const client = await driver.openClient?.(endpoint, 'x', signal);
    const outcome = await client?.query('SELECT 1');
    expect(outcome?.error?.message).toBe(`${'x'.repeat(4000)}…`);
    await client?.close();
    const session = await driver.openSession(endpoint, signal);
    await expect(session.describe(signal)).rejects.toMatchObject({
      code: 'server-error',
      detail: `${'x'.repeat(4000)}…; detail: ${'y'.repeat(3992)}…; SQLSTATE 42601`,
    });
    await session.close();
  });

  it('and while it lets somebody in', async () => {
    const port = await saying(ready, message('R', Buffer.alloc(2)));
    const endpoint = await endpointTo({ port, tlsMode: 'disable' });
    await expect(driver.openSession(endpoint, signal)).rejects.toMatchObject(unreadable);
  });
});

describe('answers in pieces', () => {
  const rows = Array.from({ length: 40 }, (_, i) =>
    Buffer.concat([Buffer.from([0, 1, 0, 0, 0, i]), Buffer.alloc(i, 65)]),
  );
  const all = Buffer.concat([
    columns,
    ...rows.map((row) => message('D', row)),
    message('C', Buffer.from('SELECT 40\0')),
    ready,
  ]);

  it('are the same however they are cut', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: all.length - 1 }), { maxLength: 60 }), (cuts) => {
        const lengths: number[] = [];
        const tags: string[] = [];
        const parser = new ReplyParser({
          collects: true,
          row: (body) => lengths.push(body?.length ?? -1),
          completed: (data, from, to) => tags.push(data.toString('latin1', from, to)),
        });
        const at = [0, ...cuts.sort((a, b) => a - b), all.length];
        for (let i = 1; i < at.length; i += 1) parser.push(Buffer.from(all.subarray(at[i - 1], at[i])));
        expect(lengths).toEqual(rows.map(({ length }) => length));
        expect(tags).toEqual(['SELECT 40']);
        expect([parser.ready, parser.bytes]).toEqual([1, all.length]);
      }),
    );
  });
});
