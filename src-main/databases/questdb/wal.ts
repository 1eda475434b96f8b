import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { AppError, cancelled } from '../../../src-shared/errors.ts';
import { formatCounted } from '../../../src-shared/units.ts';
import type { Http } from '../http/http.ts';
import { ask } from './sql.ts';

/** Between two looks, ms. */
const lookMs = 200;

const walSchema = z.object({
  name: z.string(),
  suspended: z.boolean(),
  writerTxn: z.coerce.number(),
  sequencerTxn: z.coerce.number(),
  /** Since 7.4. */
  errorTag: z.string().nullish(),
  errorMessage: z.string().nullish(),
});
type Wal = z.infer<typeof walSchema>;

/** The WAL of each of these tables that has one; of all tables where none is named. */
export async function readWal(
  http: Http,
  tables: readonly string[] | null,
  signal: AbortSignal,
): Promise<Wal[]> {
  const all = await ask(http, walSchema, 'SELECT * FROM wal_tables()', signal);
  return tables === null ? all : all.filter(({ name }) => tables.includes(name));
}

/** Transactions that are in the WAL and not yet in the table. */
export function pending({ writerTxn, sequencerTxn }: Wal): number {
  return Math.max(0, sequencerTxn - writerTxn);
}

export function suspension(http: Http, { name, errorTag, errorMessage }: Wal): AppError {
  const cause = [errorTag, errorMessage].filter(Boolean).join(': ');
  return new AppError({
    code: 'server-error',
    message: `The table ${name} is suspended: its WAL is no longer applied`,
    place: http.place,
    detail: cause || 'The server does not tell why; its log does.',
    hint: `Remove the cause, then ALTER TABLE "${name}" RESUME WAL.`,
  });
}

/** What `awaitApplied` asks, and how long it goes on. */
export interface Waiting {
  tables: readonly string[];
  /** So long nothing may move. */
  patienceMs: number;
  /** Hears how many transactions are left. */
  tell?: (left: number) => void;
}

/**
 * Waits until the WAL of these tables is applied, found so twice in a row.
 * @returns what is left where nothing has moved for too long; null when all is applied
 * @throws AppError `server-error` naming a suspended table
 */
export async function awaitApplied(
  http: Http,
  { tables, patienceMs, tell }: Waiting,
  signal: AbortSignal,
): Promise<string | null> {
  let [applied, moved, before] = [0, performance.now(), ''];
  for (;;) {
    const wals = await readWal(http, tables, signal);
    const stuck = wals.find(({ suspended }) => suspended);
    if (stuck) throw suspension(http, stuck);
    const left = wals.reduce((sum, wal) => sum + pending(wal), 0);
    tell?.(left);
    applied = left === 0 ? applied + 1 : 0;
    if (applied === 2) return null;
    const now = JSON.stringify(wals.map(({ writerTxn, sequencerTxn }) => [writerTxn, sequencerTxn]));
    if (now !== before) moved = performance.now();
    else if (left > 0 && performance.now() - moved > patienceMs)
      return `${formatCounted(left, 'transaction')} of the WAL were not applied within ${Math.round(patienceMs / 1000)} s without any progress: not all rows can be queried`;
    before = now;
    await pause(left === 0 ? lookMs / 4 : lookMs, undefined, { signal }).catch(() => {
      throw cancelled();
    });
  }
}
