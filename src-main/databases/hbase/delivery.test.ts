import { expect, it } from 'vitest';
import { answering } from '../http/testHttp.ts';
import { Delivery } from './delivery.ts';
import { saidIn } from './gateway.ts';

const { signal } = new AbortController();

/** What delivers to a gateway that gives these answers to puts, one after the other, and then takes all. */
async function serving(answers: [number, string][]): Promise<{ delivery: Delivery; puts: string[] }> {
  const { link, heard } = await answering(
    answers,
    '',
    ({ method, url, headers }) => `${method} ${url} ${headers['content-type']}`,
  );
  return { delivery: new Delivery(link, 60_000), puts: heard };
}

const trace = (exception: string, cause: string) =>
  `Unavailable\r\norg.apache.hadoop.hbase.client.${exception}\r\n\tat a.B.c(B.java:1)\r\n\t... 3 more\r\nCaused by: ${cause}\r\n\tat a.B.c(B.java:1)\r\n`;

it.each([
  ['RegionTooBusyException: Over memstore limit=128.0M'],
  ['NotServingRegionException: cpu,,1. is not online'],
  ['CallQueueTooBigException: Call queue is full'],
])('sends rows again while a region cannot take them: %s', async (cause) => {
  const busy = trace('RetriesExhaustedException: Failed', `org.apache.hadoop.hbase.${cause}`);
  const { delivery, puts } = await serving([
    [503, busy],
    [429, ''],
  ]);
  const sent = await delivery.deliver('b:cpu', Buffer.from('rows'), signal);
  expect(sent).toBe(3 * 4);
  expect(puts).toEqual(Array.from({ length: 3 }, () => 'PUT /b:cpu/rows application/x-protobuf'));
  expect(delivery.takeRemarks()).toEqual([
    expect.stringMatching(
      /^Rows are sent again: The server refused the rows: HTTP 503: .*Failed; Caused by: /,
    ),
  ]);
});

it.each<[number, string, string]>([
  [503, trace('DoNotRetryIOException: no', 'x'), 'DoNotRetryIOException'],
  [
    503,
    trace('RetriesExhaustedException: x', 'a.TableNotEnabledException: cpu is disabled'),
    'cpu is disabled',
  ],
  [404, 'Not found\r\norg.apache.hadoop.hbase.TableNotFoundException: b:cpu\r\n\tat x\r\n', 'TableNotFound'],
  [400, 'Bad request\r\njava.lang.IllegalArgumentException: KeyValue size too large\r\n', 'size too large'],
])('gives up at once where it would be in vain: %i', async (status, text, said) => {
  const { delivery, puts } = await serving([[status, text]]);
  await expect(delivery.deliver('b:cpu', Buffer.from('rows'), signal)).rejects.toMatchObject({
    ...{ code: 'server-error', detail: expect.stringContaining(said) },
  });
  expect(puts.length).toBe(1);
  expect(delivery.takeRemarks()).toEqual([]);
});

it('takes what is said out of a stack trace, or a page', () => {
  expect(saidIn(trace('X: one', 'Y: two'))).toBe('org.apache.hadoop.hbase.client.X: one; Caused by: Y: two');
  expect(
    saidIn(
      trace('X: org.apache.hadoop.hbase.client.X: one', 'a.Y(X): org.apache.hadoop.hbase.client.X: one'),
    ),
  ).toBe('org.apache.hadoop.hbase.client.X: one');
  expect(saidIn('Not found\r\n')).toBe('Not found');
  expect(saidIn('<html><head><title>Error 404 Not Found</title></head></html>')).toBe('Error 404 Not Found');
});
