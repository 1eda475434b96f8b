import { performance } from 'node:perf_hooks';
import { AppError } from '../../../src-shared/errors.ts';
import { formatBytes } from '../../../src-shared/units.ts';
import type { Reader, ReadResult } from '../driver.ts';
import { connected, type HttpTarget } from '../http/connection.ts';
import { lost } from '../http/errors.ts';
import { type Http, mostKept } from '../http/http.ts';
import { refused } from './answers.ts';
import { type Counter, LineCounter, PointCounter } from './counters.ts';
import { readVersion } from './describe.ts';
import { prefixOf } from './names.ts';

/**
 * Statements are the paths of two of the server's doors, metrics without their database:
 * `/api/query?start=…&end=…&m=none:test.value{sel=x}&ms`, asked with `arrays`, whose points are rows of time, series and value;
 * `/q?start=…&end=…&m=sum:test.value{sel=x}&ascii`, whose lines are rows of seconds, series and value.
 */
export async function openReader(target: HttpTarget, database: string, signal: AbortSignal): Promise<Reader> {
  const http = await connected(target, (own) => readVersion(own, signal));
  let closed = false;
  return {
    async run({ text }, runSignal, collect = false) {
      if (closed) throw lost(http.place, 'it is closed');
      const { path, counter } = pathOf(text, database);
      return drain(http, path, counter, runSignal, collect);
    },
    async close() {
      closed = true;
      http.close();
    },
  };
}

/** @throws AppError `bad-input` */
function pathOf(text: string, database: string): { path: string; counter: Counter } {
  const url = text.startsWith('/') && URL.canParse(text, 'http://tsd') ? new URL(text, 'http://tsd') : null;
  const lines = url?.pathname === '/q';
  if (url === null || (!lines && url.pathname !== '/api/query') || (lines && !url.searchParams.has('ascii')))
    throw new AppError({
      code: 'bad-input',
      message: 'This is no query for OpenTSDB',
      place: { statement: text },
      hint: 'It looks like /api/query?start=…&end=…&m=none:TABLE.FIELD{tag=value}&ms, or /q?…&ascii.',
    });
  const parts = [...url.searchParams].map(([name, value]) => {
    const given = name === 'm' ? withPrefix(value, prefixOf(database)) : value;
    return given === '' ? name : `${name}=${encodeURIComponent(given)}`;
  });
  if (!lines && !url.searchParams.has('arrays')) parts.push('arrays');
  return {
    path: `${url.pathname}?${parts.join('&')}`,
    counter: lines ? new LineCounter(url) : new PointCounter(),
  };
}

/** `sum:1m-avg:cpu.usage_user{…}`: the metric is what stands last before the filters. */
function withPrefix(query: string, prefix: string): string {
  const filters = query.indexOf('{');
  const head = filters < 0 ? query : query.slice(0, filters);
  const at = head.lastIndexOf(':') + 1;
  return query.slice(0, at) + prefix + query.slice(at);
}

async function drain(
  http: Http,
  path: string,
  counter: Counter,
  signal: AbortSignal,
  collect: boolean,
): Promise<ReadResult> {
  const start = performance.now();
  let firstMs: number | null = null;
  const kept: Buffer[] = [];
  let bytes = 0;
  const onChunk = (chunk: Buffer) => {
    counter.take(chunk);
    if (counter.rows > 0) firstMs ??= performance.now() - start;
    bytes += chunk.length;
    if (collect && bytes <= mostKept) kept.push(chunk);
  };
  const reply = await http.send({ path, onChunk }, signal);
  if (reply.status !== 200) throw refused(reply, { ...http.place, statement: path }, http.signedIn);
  if (collect && bytes > mostKept)
    throw lost(http.place, `its answer is longer than ${formatBytes(mostKept)}`);
  return {
    rows: counter.rows,
    bytes: reply.bytes,
    ...(firstMs !== null && { firstRowMs: firstMs }),
    ...(collect && { values: counter.values(http, Buffer.concat(kept).toString('utf8')) }),
  };
}
