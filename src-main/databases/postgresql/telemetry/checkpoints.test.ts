import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Checkpoint } from '../../../../src-shared/model/telemetry.ts';
import { createCheckpointWatch } from './checkpoints.ts';
import type { CheckpointerCounters } from './replies.ts';

/** What the server did, ms on its clock. */
interface Truth {
  startMs: number;
  /** Control file written; then log files are removed, then it is complete. */
  controlMs: number;
  endMs: number;
  requested: boolean;
  buffers: number;
}

/** A server as PostgreSQL's checkpointer makes it: what could be read at a moment. */
function server(truths: readonly Truth[]) {
  return {
    look(at: number) {
      const done = truths.filter(({ controlMs }) => controlMs <= at);
      return {
        at,
        checkpoint: `0/${done.length}`,
        started: Math.floor((done.at(-1)?.startMs ?? -60_000) / 1000) * 1000,
      };
    },
    busy: (at: number) => truths.some(({ startMs, endMs }) => startMs <= at && at < endMs),
    counters(at: number): CheckpointerCounters {
      // As a forced checkpoint does it: all is published when it has ended.
      const ended = truths.filter(({ endMs }) => endMs <= at);
      const sum = (of: (truth: Truth) => number) => ended.reduce((n, truth) => n + of(truth), 0);
      return {
        timed: sum(({ requested }) => (requested ? 0 : 1)),
        requested: sum(({ requested }) => (requested ? 1 : 0)),
        done: null,
        writeMs: sum(({ startMs, controlMs }) => (controlMs - startMs) * 0.75),
        syncMs: sum(({ startMs, controlMs }) => (controlMs - startMs) * 0.25),
        buffers: sum(({ buffers }) => buffers),
        cleaned: 0,
        backend: null,
      };
    },
  };
}

function observe(truths: readonly Truth[], seesProcesses: boolean, jitter: (i: number) => number) {
  const real = server(truths);
  const watch = createCheckpointWatch();
  const found = new Map<number, Checkpoint>();
  const until = (truths.at(-1)?.endMs ?? 0) + 6000;
  const start = 1_000_000_000_000;
  const shift = (look: ReturnType<typeof real.look>) => ({
    ...look,
    at: look.at + start,
    started: look.started + start,
  });
  let counted = Number.NEGATIVE_INFINITY;
  for (let at = 0, i = 0; at < until; at += 100 + jitter(i), i += 1) {
    watch.look(shift(real.look(at)), seesProcesses ? real.busy(at) : null);
    if (at - counted < 1000) continue;
    counted = at;
    watch.counters(at + start, real.counters(at));
    for (const each of watch.take())
      found.set(each.id, {
        ...each,
        startMs: each.startMs - start,
        endMs: each.endMs === null ? null : each.endMs - start,
      });
  }
  return [...found.values()].filter(({ state }) => state !== 'skipped');
}

/** At least five seconds apart: what comes closer shares its counters. */
const history = fc
  .array(
    fc.record({
      pause: fc.integer({ min: 5000, max: 20_000 }),
      work: fc.integer({ min: 20, max: 30_000 }),
      tidy: fc.integer({ min: 0, max: 400 }),
      requested: fc.boolean(),
      buffers: fc.integer({ min: 1, max: 50_000 }),
    }),
    { minLength: 1, maxLength: 4 },
  )
  .map((parts) => {
    let at = 0;
    return parts.map(({ pause, work, tidy, requested, buffers }): Truth => {
      const startMs = at + pause;
      at = startMs + work + tidy;
      return { startMs, controlMs: startMs + work, endMs: at, requested, buffers };
    });
  });
const jitters = fc.infiniteStream(fc.integer({ min: 0, max: 60 }));

describe('checkpoints', () => {
  for (const seesProcesses of [true, false])
    it(`are found each, within a second of the truth, ${seesProcesses ? 'by pg_monitor' : 'by any user'}`, () => {
      fc.assert(
        fc.property(history, jitters, (truths, stream) => {
          const found = observe(truths, seesProcesses, () => stream.next().value ?? 0);
          expect(found).toHaveLength(truths.length);
          truths.forEach((truth, i) => {
            const one = found[i];
            expect(one?.state).toBe('done');
            expect(Math.abs((one?.startMs ?? Number.NaN) - truth.startMs)).toBeLessThanOrEqual(1000);
            expect(Math.abs((one?.endMs ?? Number.NaN) - truth.endMs)).toBeLessThanOrEqual(600);
            expect(one).toMatchObject({
              reason: truth.requested ? 'requested' : 'timed',
              buffers: truth.buffers,
              writeMs: (truth.controlMs - truth.startMs) * 0.75,
            });
          });
        }),
        { numRuns: 60 },
      );
    });

  it('are seen while they are on', () => {
    const truth = { startMs: 2300, controlMs: 9000, endMs: 9100, requested: false, buffers: 7 };
    const watch = createCheckpointWatch();
    const real = server([truth]);
    for (let at = 0; at < 5000; at += 100) watch.look(real.look(at), real.busy(at));
    expect(watch.take()).toMatchObject([{ id: 0, state: 'running', startMs: 2250, endMs: null }]);
  });

  it('are on already where the watch begins in the middle; their end tells when they began', () => {
    const truth = { startMs: -4700, controlMs: 3000, endMs: 3100, requested: false, buffers: 7 };
    const watch = createCheckpointWatch();
    const real = server([truth]);
    const reports: Checkpoint[] = [];
    watch.look(real.look(0), null);
    for (let at = 100; at < 6000; at += 100) {
      watch.look(real.look(at), real.busy(at));
      if (at % 1000 === 0) watch.counters(at, real.counters(at));
      reports.push(...watch.take());
    }
    expect(reports[0]).toMatchObject({ state: 'running', startMs: 50, alreadyOn: true });
    const last = reports.at(-1);
    expect(last).toMatchObject({ id: 0, state: 'done' });
    expect(last).not.toHaveProperty('alreadyOn');
    expect(Math.abs((last?.startMs ?? Number.NaN) + 4700)).toBeLessThanOrEqual(1000);
  });

  it('a busy moment without one is none, and a long one is taken back', () => {
    const watch = createCheckpointWatch();
    const control = { checkpoint: '0/1', started: -90_000 };
    const counters = server([]).counters(0);
    const report: Checkpoint[] = [];
    for (let at = 0; at < 12_000; at += 100) {
      const busy = (at >= 1000 && at < 1300) || (at >= 4000 && at < 6500);
      watch.look({ at, ...control }, busy);
      if (at % 1000 === 0) watch.counters(at, counters);
      report.push(...watch.take());
    }
    expect([...new Set(report.map(({ id, state }) => `${id} ${state}`))]).toEqual(['0 running', '0 skipped']);
  });

  it('one that completes between the first reading and the first look is found', () => {
    const watch = createCheckpointWatch();
    const counters = server([]).counters(0);
    watch.counters(0, counters);
    watch.look({ at: 0, checkpoint: '0/1', started: -90_000 }, null);
    watch.look({ at: 700, checkpoint: '0/2', started: 0 }, false);
    watch.counters(1000, { ...counters, requested: 1, buffers: 12, writeMs: 30 });
    expect(watch.take()).toMatchObject([{ state: 'done', reason: 'requested', buffers: 12 }]);
  });

  it('counters that begin anew make no figures of their own', () => {
    const watch = createCheckpointWatch();
    const control = { checkpoint: '0/1', started: -90_000 };
    const counters = server([]).counters(0);
    watch.look({ at: 0, ...control }, false);
    watch.counters(0, { ...counters, timed: 50, buffers: 9000, writeMs: 70_000 });
    watch.look({ at: 1000, ...control }, false);
    watch.counters(1000, counters);
    watch.look({ at: 2000, checkpoint: '0/2', started: 1000 }, false);
    watch.counters(2100, { ...counters, requested: 1, buffers: 12, writeMs: 30 });
    expect(watch.take()).toMatchObject([{ state: 'done', reason: 'requested', buffers: 12, writeMs: 30 }]);
  });
});
