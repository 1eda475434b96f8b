import { performance } from 'node:perf_hooks';
import { z } from 'zod';
import { AppError } from '../../../src-shared/errors.ts';
import { formatBytes } from '../../../src-shared/units.ts';
import type { Reader, ReadResult } from '../driver.ts';
import { type HttpTarget, httpTo } from '../http/connection.ts';
import { answerIn, lost } from '../http/errors.ts';
import { type Http, mostKept } from '../http/http.ts';
import { parseJson } from '../lines/drainLines.ts';
import { refused } from './answers.ts';
import { readVersion } from './describe.ts';
import { prefixOf } from './names.ts';

/**
 * Statements are the paths of two of the server's doors, metrics without their database:
 * `/api/query?start=…&end=…&m=none:test.value{sel=x}&ms`, asked with `arrays`, whose points are rows of time, series and value;
 * `/q?start=…&end=…&m=sum:test.value{sel=x}&ascii`, whose lines are rows of seconds, series and value.
 */
export async function openReader(target: HttpTarget, database: string, signal: AbortSignal): Promise<Reader> {
  const http = await httpTo(target);
  await readVersion(http, signal); // dials
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

/** Counts the rows of an answer as it comes. */
interface Counter {
  readonly rows: number;
  take(chunk: Buffer): void;
  values(http: Http, body: string): (string | null)[][];
}

/** Lines, of which the server adds some that are a little outside of the range. */
class LineCounter implements Counter {
  rows = 0;
  readonly #from: number;
  readonly #to: number;
  #rest = '';

  /** @param url with `start` and `end` as digits, of seconds or of milliseconds; others do not limit what is counted */
  constructor(url: URL) {
    const secondsOf = (name: string, otherwise: number) => {
      const digits = /^\d+$/.exec(url.searchParams.get(name) ?? '')?.[0];
      if (digits === undefined) return otherwise;
      return digits.length > 10 ? Math.floor(Number(digits) / 1000) : Number(digits);
    };
    this.#from = secondsOf('start', 0);
    this.#to = secondsOf('end', Number.POSITIVE_INFINITY);
  }

  take(chunk: Buffer): void {
    const text = this.#rest + chunk.toString('latin1');
    let from = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
      const time = text.indexOf(' ', from) + 1;
      if (this.#counts(text.slice(time, text.indexOf(' ', time)))) this.rows += 1;
      from = end + 1;
    }
    this.#rest = text.slice(from);
  }

  #counts(time: string | undefined): boolean {
    return Number(time) >= this.#from && Number(time) <= this.#to;
  }

  values(_http: Http, body: string): (string | null)[][] {
    return body
      .split('\n')
      .map((line) => line.trim().split(' '))
      .filter(([, time]) => this.#counts(time))
      .map(([metric = '', time = '', value = '', ...tags]) => [time, [metric, ...tags].join(' '), value]);
  }
}

const quote = 34;
const backslash = 92;
const [openArray, closeArray, openObject, closeObject] = [91, 93, 123, 125];
/** `[{"dps":[[`: a point is the fourth thing that is open. */
const pointDepth = 4;

const seriesSchema = z.array(
  z.object({
    tags: z.record(z.string(), z.string()),
    dps: z.array(z.tuple([z.number(), z.union([z.number(), z.string(), z.null()])])),
  }),
);

/** Points of `arrays`: nothing else in the answer is an array so deep. */
class PointCounter implements Counter {
  rows = 0;
  #depth = 0;
  #inText = false;
  #escaped = false;

  take(chunk: Buffer): void {
    for (const byte of chunk) {
      if (this.#inText) {
        if (this.#escaped) this.#escaped = false;
        else if (byte === backslash) this.#escaped = true;
        else if (byte === quote) this.#inText = false;
      } else if (byte === quote) this.#inText = true;
      else if (byte === openArray || byte === openObject) {
        this.#depth += 1;
        if (byte === openArray && this.#depth === pointDepth) this.rows += 1;
      } else if (byte === closeArray || byte === closeObject) this.#depth -= 1;
    }
  }
  values(http: Http, body: string): (string | null)[][] {
    return answerIn(http.place, seriesSchema, parseJson(http, body)).flatMap(({ tags, dps }) => {
      const series = JSON.stringify(tags);
      return dps.map(([time, value]) => [String(time), series, value === null ? null : String(value)]);
    });
  }
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
