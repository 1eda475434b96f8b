import { z } from 'zod';
import { AppError, type ErrorPlace } from '../../../src-shared/errors.ts';
import { formatCounted } from '../../../src-shared/units.ts';
import { refusal } from '../http/errors.ts';

const errorSchema = z.object({ error: z.object({ message: z.string(), details: z.string().optional() }) });

/** Of what a server says, what it comes from and what to do about it. */
const known: readonly { words: RegExp; message: string; hint: string }[] = [
  {
    words: /Java heap space|GC overhead limit|OutOfMemory/,
    message: 'The server ran out of memory',
    hint: 'Give OpenTSDB a larger heap: it holds every point of a query at once, and what HBase has not taken yet.',
  },
  {
    words: /Duplicate timestamp|IllegalDataException/,
    message: 'Two points of one series have the same time and different values',
    hint: 'The newer one is taken where tsd.storage.fix_duplicates is true; tsdb fsck mends the table.',
  },
  {
    words: /assign an ID|FailedToAssignUniqueId|UniqueId.*(lock|attempt)/i,
    message: 'The server could not give a new name its number',
    hint: 'Numbers are given by HBase, one after the other: see that its table tsdb-uid takes rows, or load with fewer workers at first.',
  },
  {
    words: /Chunked request not supported|HTTP content length exceeded/,
    message: 'The server takes no request of this size',
    hint: 'Set tsd.http.request.enable_chunked to true and tsd.http.request.max_chunk to 1 MiB or more.',
  },
  {
    words: /throttl|HBase|NonRecoverable|RemoteException|RegionTooBusy|NotServingRegion|PleaseThrottle/i,
    message: 'HBase behind the server does not keep up, or is away',
    hint: 'See HBase’s log; load with fewer workers, or give it more memory and regions.',
  },
  {
    words: /No such name for 'metrics'|Unknown metric/,
    message: 'The server knows no such metric',
    hint: 'Nothing was loaded under this name; the server makes new ones where tsd.core.auto_create_metrics is true.',
  },
];

/** The error of what the server said, with its cause where that is known. */
export function named(error: AppError): AppError {
  const found = error.code === 'server-error' && known.find(({ words }) => words.test(error.detail ?? ''));
  if (!found) return error;
  return new AppError({ ...error.toData(), message: found.message, hint: found.hint });
}

/** The error of an answer that is no success: of JSON its message, of a page what stands first in it. */
export function refused(
  reply: { status: number; body: string },
  place: ErrorPlace,
  signedIn: boolean,
): AppError {
  return named(refusal(reply.status, wordsIn(reply.body), place, signedIn));
}

function wordsIn(body: string): string {
  let json: unknown;
  try {
    json = JSON.parse(body);
  } catch {
    // A page: what is in <pre> is the cause, in the last of its lines that name one.
    const causes = [...body.matchAll(/^(?:Caused by: |<pre>|.*<pre>)(.+)$/gm)].map(([, cause]) => cause);
    return causes.at(-1) ?? body;
  }
  const { data } = errorSchema.safeParse(json);
  if (data === undefined) return body;
  const { message, details } = data.error;
  return JSON.stringify({
    error: details === undefined || details === message ? message : `${message}: ${details}`,
  });
}

const putSchema = z.object({
  success: z.int().min(0),
  failed: z.int().min(0),
  errors: z.array(z.object({ error: z.string().nullish(), datapoint: z.unknown() })).default([]),
  /** Points that HBase had not taken within `sync_timeout`. */
  timeouts: z.int().min(0).optional(),
});

/** What became of the points of a request; null where the answer does not tell. */
export interface PutResult {
  failed: number;
  /** Why, each cause once. */
  causes: string[];
  /** The first point that failed. */
  first: string;
}

/** Of the body of an answer to `/api/put?details`; null where it is another one. */
export function readPut(body: string): PutResult | null {
  let json: unknown;
  try {
    json = JSON.parse(body);
  } catch {
    return null; // a page
  }
  const { data } = putSchema.safeParse(json);
  if (data === undefined) return null;
  const causes = new Set(data.errors.map(({ error }) => error ?? 'no reason given'));
  if (data.timeouts) causes.add(`Timed out: ${formatCounted(data.timeouts, 'point')}`);
  return {
    failed: data.failed + (data.timeouts ?? 0),
    causes: [...causes],
    first: JSON.stringify(data.errors[0]?.datapoint ?? null),
  };
}

/** Causes that pass: the same points may be taken later. */
const passing =
  /throttl|HBase|Storage|RemoteException|Timed? ?out|RegionTooBusy|NotServingRegion|ConnectionReset|NonRecoverable/i;

export const passes = (causes: readonly string[]) =>
  causes.length > 0 && causes.every((cause) => passing.test(cause));
