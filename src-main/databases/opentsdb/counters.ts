import { z } from 'zod';
import { answerIn } from '../http/errors.ts';
import type { Http } from '../http/http.ts';
import { parseJson } from '../lines/drainLines.ts';

/** Counts the rows of an answer as it comes. */
export interface Counter {
  readonly rows: number;
  take(chunk: Buffer): void;
  values(http: Http, body: string): (string | null)[][];
}

/** Lines, of which the server adds some that are a little outside of the range. */
export class LineCounter implements Counter {
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
export class PointCounter implements Counter {
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
