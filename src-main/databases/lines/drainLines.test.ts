import type http from 'node:http';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { serving } from '../http/testHttp.ts';
import { ask as askInflux, drain as drainInflux } from '../influxdb/query.ts';
import { ask, askOne } from '../questdb/sql.ts';
import { countValues, drain, metricNames } from '../victoriametrics/http.ts';
import { drainLines } from './drainLines.ts';

const { signal } = new AbortController();
const mebibyte = Buffer.alloc(1 << 20, 'x');
/** Writes for as long as somebody reads. */
function writeOn(response: http.ServerResponse): void {
  const more = () => {
    while (!response.destroyed && response.write(mebibyte));
  };
  response.on('drain', more);
  more();
}
/** One line of 80 MiB. */
async function longLine(_: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
  response.write('{"a":1}\n');
  for (let i = 0; i < 80; i += 1)
    if (!response.write(mebibyte)) await new Promise((resolve) => response.once('drain', resolve));
  response.end('\n{"a":3}\n');
}

test('objects come one by one, whatever the pieces that they come in', async () => {
  const link = await serving(async (_, response) => {
    for (const part of ['{"a":', '1}\n{"a":2}\n', '\n{"a"', ':3}'])
      await new Promise((resolve) => response.write(part, resolve));
    response.end();
  });
  const found: unknown[] = [];
  const { bytes } = await drainLines(link, '/', signal, (line) => found.push(line));
  expect(found).toEqual([{ a: 1 }, { a: 2 }, { a: 3 }]);
  expect(bytes).toBe(24);
});

test('an answer that never ends is left', async () => {
  const link = await serving((_, response) => writeOn(response));
  await expect(link.send({ path: '/' }, signal)).rejects.toMatchObject({
    ...{ code: 'connection-lost', detail: 'its answer is longer than 64.0 MiB' },
  });
});

test('so is a refusal of rows or of a query that never ends', async () => {
  const link = await serving((_, response) => writeOn(response.writeHead(500)));
  await expect(drainLines(link, '/', signal, () => undefined)).rejects.toMatchObject({
    code: 'connection-lost',
  });
});

test('a line that is far too long is not kept, and nothing after it is taken', async () => {
  const link = await serving((request, response) => void longLine(request, response));
  const found: unknown[] = [];
  await expect(drainLines(link, '/', signal, (line) => found.push(line))).rejects.toMatchObject({
    ...{ code: 'connection-lost', detail: 'a line of its answer is longer than 64.0 MiB' },
  });
  expect(found).toEqual([{ a: 1 }]);
});

test('an answer that changes the protocol ends the request', async () => {
  const link = await serving(
    () => undefined,
    (_, socket) => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n');
    },
  );
  await expect(
    link.send({ path: '/', headers: { connection: 'upgrade', upgrade: 'other' } }, signal),
  ).rejects.toMatchObject({
    code: 'connection-lost',
  });
});

const shapes = [
  '[]',
  '"ok"',
  'null',
  '7',
  '{"dataset":7,"results":7,"data":7,"values":7}',
  '<html>',
  '{"a":',
];
test.each(shapes)('an answer of something else that is there, %s, is told as such', async (text) => {
  const link = await serving((_, response) => response.end(text));
  const rows = z.object({ n: z.number() });
  const asked = [
    ask(link, rows, 'SELECT 1', signal),
    askInflux(link, 'SHOW DATABASES', signal),
    drainInflux(link, 'SELECT 1', 'd', signal, true),
    metricNames(link, 'd', signal),
    countValues(link, 'd', 'm', signal),
    drain(link, '/api/v1/export', 'd', signal, true),
  ];
  for (const outcome of await Promise.allSettled(asked))
    expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'connection-lost' } });
});

test.each([
  '{}',
  '{"columns":[{"name":"n"}],"dataset":[]}',
  '{"columns":[{"name":"n"}],"dataset":[["x"]]}',
  '{"columns":[{"name":"__proto__"}],"dataset":[[1]]}',
])('so is a row that is not there, or another one: %s', async (text) => {
  const link = await serving((_, response) => response.end(text));
  await expect(askOne(link, z.object({ n: z.number() }), 'SELECT 1 AS n', signal)).rejects.toMatchObject({
    ...{ code: 'connection-lost', place: { statement: 'SELECT 1 AS n' } },
  });
});
