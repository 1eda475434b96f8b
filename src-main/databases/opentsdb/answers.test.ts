import { describe, expect, it } from 'vitest';
import { answering } from '../http/testHttp.ts';
import { readPut, refused } from './answers.ts';
import { Delivery } from './delivery.ts';
import { Replies } from './telnet.ts';

const { signal } = new AbortController();
const layout = {
  ...{
    transport: 'http' as const,
    sync: true,
    gzip: false,
    resendMs: 60_000,
    mostTags: 8,
    requestBytes: 8000,
  },
  tables: [],
};

/** What delivers to a server that gives these answers to puts, one after the other, and then takes all. */
async function serving(answers: [number, string][]): Promise<{ delivery: Delivery; puts: string[] }> {
  const { link, heard } = await answering(
    answers,
    '{"success":1,"failed":0,"errors":[]}',
    ({ method, url }) => `${method} ${url}`,
  );
  return { delivery: new Delivery(link, layout), puts: heard };
}

const failed = (error: string, more = {}) =>
  JSON.stringify({ success: 3, failed: 1, errors: [{ error, datapoint: { metric: 'a.b.c' } }], ...more });

describe('a request with points', () => {
  it.each<[number, string]>([
    [200, failed('Storage exception: RegionTooBusyException')],
    [400, failed('Please throttle writes: 10000 RPCs waiting')],
    [400, JSON.stringify({ success: 3, failed: 0, timeouts: 2, errors: [] })],
    [503, 'overloaded'],
  ])('is sent again where it may be taken later: %i %s', async (status, text) => {
    const { delivery, puts } = await serving([[status, text]]);
    expect(await delivery.deliver([Buffer.from('[points]')], signal)).toBe(2 * 8);
    expect(puts).toEqual(Array.from({ length: 2 }, () => 'POST /api/put?details&sync&sync_timeout=30000'));
    expect(delivery.takeRemarks()).toEqual([expect.stringMatching(/^Points are sent again: /)]);
  });

  it.each<[number, string, string, string]>([
    [400, failed('Unable to parse value to a number'), 'did not take 1 point of', 'parse value to a number'],
    [200, failed('Unknown metric'), 'knows no such metric', '{"metric":"a.b.c"}'],
    [
      400,
      '{"error":{"code":400,"message":"Chunked request not supported."}}',
      'of this size',
      'not supported',
    ],
    [404, '<h1>Page Not Found</h1>', 'refused the rows', 'HTTP 404'],
  ])('fails at once where that would be in vain: %i %s', async (status, text, message, detail) => {
    const { delivery, puts } = await serving([[status, text]]);
    await expect(delivery.deliver([Buffer.from('[]')], signal)).rejects.toMatchObject({
      ...{ code: 'server-error', message: expect.stringContaining(message) },
      detail: expect.stringContaining(detail),
    });
    expect(puts.length).toBe(1);
    expect(delivery.takeRemarks()).toEqual([]);
  });

  it('tells how many of its points failed, and each cause once', () => {
    const errors = ['a', 'b', 'a'].map((error) => ({ error, datapoint: { metric: error } }));
    expect(readPut(JSON.stringify({ success: 0, failed: 3, errors }))).toEqual({
      ...{ failed: 3, causes: ['a', 'b'], first: '{"metric":"a"}' },
    });
    for (const other of ['', '<html>', '{"error":{"code":400,"message":"x"}}'])
      expect(readPut(other)).toBeNull();
  });
});

it.each([
  [
    'net.opentsdb.core.IllegalDataException: Duplicate timestamp for key=[0, 0, 1]',
    'Two points of one series',
    'fix_duplicates',
  ],
  ['Failed to assign an ID for kind=tagv name=x', 'could not give a new name its number', 'tsdb-uid'],
  ['java.lang.OutOfMemoryError: Java heap space', 'ran out of memory', 'larger heap'],
  ['RegionTooBusyException: Over memstore limit', 'HBase behind the server', 'fewer workers'],
])('what the server says is named: %s', (message, name, hint) => {
  const json = JSON.stringify({ error: { code: 500, message, details: message, trace: 'a\n\tb' } });
  const page = `<html><pre>java.lang.RuntimeException: Unexpected\n\tat a.B.c(B.java:1)\nCaused by: ${message}\n\t... 3 more\n</pre></html>`;
  for (const body of [json, page]) {
    const error = refused({ status: 500, body }, { statement: '/q' }, false);
    expect(error).toMatchObject({
      ...{ message: expect.stringContaining(name), hint: expect.stringContaining(hint) },
    });
    expect(error.detail).toContain(message);
    expect(error.detail).not.toContain('B.java');
  }
});

it('counts what the server says to lines by its kind, in whatever pieces it comes', () => {
  const text =
    'put: invalid value: x\navailable commands: put help \nput: invalid value: y\nput: HBase error: z\navailable commands: put \n';
  for (let size = 1; size <= text.length; size += 1) {
    const replies = new Replies();
    for (let at = 0; at < text.length; at += size) replies.take(text.slice(at, at + size));
    expect(replies.barriers).toBe(2);
    expect(replies.takeComplaints()).toEqual({
      points: 3,
      detail: 'put: invalid value: x (2 times); put: HBase error: z',
    });
    expect(replies.takeComplaints()).toBeNull();
  }
});
