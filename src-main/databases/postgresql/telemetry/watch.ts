import { setTimeout as sleep } from 'node:timers/promises';
import type { z } from 'zod';
import { AppError, cancelled } from '../../../../src-shared/errors.ts';
import type { ServerSample } from '../../../../src-shared/model/telemetry.ts';
import { loadApplicationName } from '../../driver.ts';
import type { Control } from '../control.ts';
import { placeOf } from '../dial.ts';
import { connectionLost } from '../errors.ts';
import { createCheckpointWatch } from './checkpoints.ts';
import { deltasOf } from './deltas.ts';
import { type Counters, countersSchema, lookSchema, queueSchema, sizesSchema } from './replies.ts';
import { createServerClock } from './serverClock.ts';
import type { Texts } from './texts.ts';
import { checkpointerBusy, createWaitMeter } from './waits.ts';

/** Between two looks at what the sessions do. */
const lookMs = 100;
const sampleMs = 1000;
const sizesMs = 10_000;
/** A statement that is not answered by then is not answered any more. */
const patienceMs = 10_000;
/** How long the last statement may take once the end was asked for. */
const endMs = 2000;

type Ask = <T>(schema: z.ZodType<T>, name: keyof Texts, values: unknown[]) => Promise<T[]>;

/** See `Telemetry.watch`. */
export async function watch(
  control: Control,
  texts: Texts,
  now: () => number,
  onSample: (sample: ServerSample) => void,
  signal: AbortSignal,
): Promise<void> {
  const giveUp = new AbortController();
  const guard = setTimeout(() => giveUp.abort(), patienceMs);
  const hurry = () => setTimeout(() => giveUp.abort(), endMs).unref();
  signal.addEventListener('abort', hurry, { once: true });
  try {
    const ask: Ask = (schema, name, values) => {
      guard.refresh();
      return control.rows(schema, texts[name], values, giveUp.signal, `telemetry-${name}`);
    };
    await sampling(ask, { now, onSample, signal });
  } catch (error) {
    if (!giveUp.signal.aborted) throw error;
    if (signal.aborted) throw cancelled();
    throw connectionLost(
      placeOf(control.target, control.database),
      `no answer within ${patienceMs / 1000} s`,
    );
  } finally {
    clearTimeout(guard);
    signal.removeEventListener('abort', hurry);
  }
}

interface Sink {
  now: () => number;
  onSample: (sample: ServerSample) => void;
  signal: AbortSignal;
}

async function sampling(ask: Ask, { now, onSample, signal }: Sink): Promise<void> {
  const ours = [loadApplicationName];
  const meter = createWaitMeter();
  const checkpoints = createCheckpointWatch();
  const clock = createServerClock();
  let sized = Number.NEGATIVE_INFINITY;

  async function look(): Promise<void> {
    const sent = now();
    const [row] = await ask(lookSchema, 'look', ours);
    if (row === undefined) throw noRow('look');
    clock.answered(row.at, sent, now());
    meter.add(row);
    checkpoints.look(row, checkpointerBusy(row));
  }
  async function count(): Promise<Counters> {
    const [row] = await ask(countersSchema, 'counters', []);
    if (row === undefined) throw noRow('counters');
    checkpoints.counters(row.at, row.checkpointer);
    return row;
  }
  async function sizes(locked: boolean): Promise<ServerSample['sizes']> {
    // A table that is locked exclusively would hold the question up, and lock_timeout stands in the server's log.
    if (now() - sized < sizesMs || locked) return null;
    sized = now();
    try {
      return (await ask(sizesSchema, 'sizes', []))[0] ?? null;
    } catch (error) {
      // Locked since: lock_timeout ended the wait.
      if (error instanceof AppError && error.code === 'server-error') return null;
      throw error;
    }
  }
  async function queue(): Promise<Pick<ServerSample, 'blocked' | 'blockedCount'>> {
    if (!meter.sawLock()) return { blocked: [], blockedCount: 0 };
    const rows = await ask(queueSchema, 'queue', ours);
    return { blocked: rows.map(({ total, ...each }) => each), blockedCount: rows[0]?.total ?? 0 };
  }

  let before = await count();
  // Counters and control file of the same moment: whatever completes from now on is found.
  checkpoints.look(before, null);
  let from = now();
  let next = from;
  while (!signal.aborted) {
    await look();
    if (now() - from >= sampleMs - lookMs / 2) await sample();
    next = Math.max(next + lookMs, now());
    // The end cuts it short.
    await sleep(Math.max(0, next - now()), undefined, { signal }).catch(() => undefined);
  }
  await sample();

  async function sample(): Promise<void> {
    const locked = meter.sawLock('relation');
    const waiting = await queue();
    const counters = await count();
    const at = now();
    const axis = (ms: number) => Math.round(clock.toRun(ms));
    onSample({
      atMs: at,
      intervalMs: Math.max(1, at - from),
      ...meter.take(),
      checkpoints: checkpoints.take().map((checkpoint) => ({
        ...checkpoint,
        startMs: axis(checkpoint.startMs),
        endMs: checkpoint.endMs === null ? null : axis(checkpoint.endMs),
      })),
      autovacuum: counters.autovacuum.map(({ what, phase }) =>
        [what.replace(/^autovacuum: /, ''), phase].filter((part) => part !== null).join(', '),
      ),
      ...waiting,
      ...deltasOf(before, counters),
      sizes: await sizes(locked),
    });
    before = counters;
    from = at;
  }
}

function noRow(what: string): Error {
  return new Error(`the server answered ${what} with nothing`);
}
