import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Api } from '../../src-shared/contract/api.ts';
import type { CommandOutput } from '../../src-shared/contract/commands.ts';
import { AppError } from '../../src-shared/errors.ts';
import type { Latency } from '../../src-shared/model/latency.ts';
import type { RunEvent } from '../../src-shared/model/run.ts';
import type { Tick, TickOperation } from '../../src-shared/model/tick.ts';
import { summarize } from '../../src-shared/stats/series.ts';
import { createColumn } from './column.ts';
import { createRunFeed } from './runFeed.ts';
import { healthAt } from './testHealth.ts';
import { createTimeline } from './timeline.ts';

function latency(p99: number): Latency {
  return {
    count: 1,
    min: 1,
    mean: 2,
    p50: 3,
    p90: 4,
    p95: 5,
    p99,
    p999: p99,
    max: p99 + 1,
    stddev: 0,
    sum: 2,
  };
}
function operation(patch: Partial<TickOperation> = {}): TickOperation {
  return {
    name: 'batch',
    count: 1,
    errors: 0,
    late: 0,
    backlog: 0,
    rows: 100,
    metrics: 1000,
    bytes: 1,
    latencyUs: latency(9),
    serviceUs: null,
    ...patch,
  };
}
function tick(seq: number, patch: Partial<Tick> = {}): Tick {
  return {
    runId: 'r',
    phase: 0,
    seq,
    atMs: (seq + 1) * 1000,
    intervalMs: 1000,
    operations: [operation()],
    client: { busiest: 0.5, cpuCores: 1, loopDelayMs: 2, rssBytes: 1 },
    ...patch,
  };
}

describe('a column', () => {
  it('holds the newest values in order, however it grows and wraps', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer(), { maxLength: 4000 }),
        fc.integer({ min: 1, max: 700 }),
        (values, capacity) => {
          const column = createColumn(capacity);
          for (const value of values) column.push(value);
          expect(Array.from(column.view())).toEqual(values.slice(-capacity));
        },
      ),
      { numRuns: 50 },
    );
  });
});

describe('a timeline', () => {
  it('computes rates from counts and measured lengths', () => {
    const t = createTimeline();
    t.append(tick(0));
    t.append(tick(1, { atMs: 1500, intervalMs: 500 }));
    expect(Array.from(t.series('load', 'rows').y)).toEqual([100, 200]);
    expect(t.series('load', 'rowsOverall').y[1]).toBeCloseTo(133.333, 3);
    expect(t.overall.rows).toBeCloseTo(133.333, 3);
    expect(Array.from(t.series('load', 'rows').weight ?? [])).toEqual([1000, 500]);
    expect(t.series('latency', 'p99').weight).toBeUndefined();
  });

  it('has the sum over the time as its mean and its last overall rate, however short the intervals', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 1, max: 2000 }), fc.nat({ max: 100_000 })), {
          minLength: 1,
          maxLength: 80,
        }),
        (steps) => {
          const t = createTimeline();
          let atMs = 0;
          steps.forEach(([intervalMs, rows], seq) => {
            atMs += intervalMs;
            t.append(tick(seq, { atMs, intervalMs, operations: [operation({ rows })] }));
          });
          const expected = (steps.reduce((sum, [, rows]) => sum + rows, 0) * 1000) / atMs;
          expect(summarize(t.series('load', 'rows')).mean).toBeCloseTo(expected, 4);
          expect(t.overall.rows).toBeCloseTo(expected, 4);
          expect(summarize(t.series('load', 'rowsOverall')).last).toBeCloseTo(expected, 4);
        },
      ),
    );
  });

  it('counts a short rest with the interval before instead of showing a peak', () => {
    const t = createTimeline();
    t.append(tick(0));
    t.append(tick(1, { atMs: 1020, intervalMs: 20, operations: [operation({ rows: 50 })] }));
    expect(Array.from(t.series('load', 'rows').x)).toEqual([1020]);
    expect(t.series('load', 'rows').y[0]).toBeCloseTo(150 / 1.02, 6);
    expect(t.now.rows).toBeCloseTo(150 / 1.02, 6);
  });

  it('starts the overall rate anew with each phase and breaks the line there', () => {
    const t = createTimeline();
    t.append(tick(0));
    t.append(tick(1, { phase: 1, operations: [operation({ rows: 40 })] }));
    expect(Array.from(t.series('load', 'rowsOverall').y)).toEqual([100, Number.NaN, 40]);
  });

  it('keeps loads and queries apart', () => {
    const t = createTimeline();
    t.append(tick(0));
    t.append(tick(1, { phase: 1, operations: [operation({ name: 'lastpoint', count: 7 })] }));
    expect(Array.from(t.series('load', 'rows').y)).toEqual([100]);
    expect(Array.from(t.series('queries', 'queries').y)).toEqual([7]);
    expect(createTimeline().has('queries')).toBe(false);
  });

  it('shows each histogram by itself where one query type follows another within a tick', () => {
    const t = createTimeline();
    const two = [
      operation({ name: 'a', latencyUs: latency(10) }),
      operation({ name: 'b', latencyUs: latency(90) }),
    ];
    t.append(tick(0, { operations: two }));
    expect(Array.from(t.series('latency', 'p99').y)).toEqual([10, Number.NaN, 90]);
    expect(Array.from(t.series('latency', 'p99').x)).toEqual([500, 500, 1000]);
  });

  it('breaks the line where nothing was measured', () => {
    const t = createTimeline();
    t.append(tick(0));
    t.append(tick(1, { atMs: 9000 }));
    expect(Array.from(t.series('load', 'rows').y)).toEqual([100, Number.NaN, 100]);
  });
});

/** Everything that was resolved has been acted upon. */
const settled = () => new Promise<void>((resolve) => setTimeout(resolve));

/** A core that records ticks and events before it publishes them, and answers `runs.series` when told to. */
function fakeCore() {
  const stored: CommandOutput<'runs.series'> = {
    ticks: [],
    events: [],
    health: [],
    server: [],
    serverWatch: null,
  };
  const listeners = new Map<string, Set<(data: unknown) => void>>();
  const answers: { resolve: () => void; reject: (error: unknown) => void }[] = [];
  const emit = (name: string, data: unknown) => {
    for (const listener of listeners.get(name) ?? []) listener(data);
  };
  const api: Api = {
    call: (name) =>
      new Promise<never>((resolve, reject) => {
        expect(name).toBe('runs.series');
        const answer = () => ({
          ticks: [...stored.ticks],
          events: [...stored.events],
          health: [...stored.health],
          server: [...stored.server],
          serverWatch: stored.serverWatch,
        });
        answers.push({ resolve: () => resolve(answer() as never), reject });
      }),
    on(name, listener) {
      const set = listeners.get(name) ?? new Set();
      const entry = listener as (data: unknown) => void;
      listeners.set(name, set.add(entry));
      return () => void set.delete(entry);
    },
  };
  return {
    api,
    stored,
    answers,
    emit,
    tick(t: Tick, deliver = true) {
      stored.ticks.push(t);
      if (deliver) emit('run.tick', t);
    },
    async answer() {
      answers.shift()?.resolve();
      await settled();
    },
  };
}
const at = (feed: ReturnType<typeof createRunFeed>) =>
  Array.from(feed.get().timeline.series('load', 'rows').x);
const now = (publish: () => void) => publish();

describe('a feed', () => {
  it('joins history and live ticks without a hole and without a double, whatever comes first', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom('tick', 'lost tick', 'answer'), { maxLength: 30 }),
        async (steps) => {
          const core = fakeCore();
          const feed = createRunFeed(core.api, 'r', now);
          let seq = 0;
          for (const step of [...steps, 'tick', 'answer', 'answer', 'answer']) {
            if (step === 'answer') await core.answer();
            else {
              core.tick(tick(seq), step === 'tick');
              seq += 1;
            }
          }
          expect(at(feed)).toEqual(Array.from({ length: seq }, (_, i) => (i + 1) * 1000));
          feed.close();
        },
      ),
      { numRuns: 100 },
    );
  });

  it('leaves other runs alone, and shows an event once', async () => {
    const core = fakeCore();
    const feed = createRunFeed(core.api, 'r', now);
    const event: RunEvent = { runId: 'r', atMs: 0, kind: 'phase-start', text: 'tsbs.load starts' };
    core.stored.events.push(event);
    core.emit('run.event', event);
    core.emit('run.tick', { ...tick(0), runId: 'other' });
    await core.answer();
    expect(feed.get()).toMatchObject({ status: 'ready', events: [event] });
    expect(at(feed)).toEqual([]);
    feed.close();
  });

  it('says what failed and recovers by a reload', async () => {
    const core = fakeCore();
    const feed = createRunFeed(core.api, 'r', now);
    core.answers.shift()?.reject(new AppError({ code: 'store-locked', message: 'locked' }));
    await settled();
    expect(feed.get()).toMatchObject({ status: 'error', error: { code: 'store-locked' } });
    feed.reload();
    await core.answer();
    expect(feed.get()).toMatchObject({ status: 'ready', error: null });
    feed.close();
  });

  it('shows a hole that nobody can fill as a gap, asking once', async () => {
    const core = fakeCore();
    const feed = createRunFeed(core.api, 'r', now);
    core.tick(tick(0));
    await core.answer();
    core.emit('run.tick', tick(5));
    expect(core.answers).toHaveLength(1);
    await core.answer();
    expect(core.answers).toHaveLength(0);
    expect(Array.from(feed.get().timeline.series('load', 'rows').y)).toEqual([100, Number.NaN, 100]);
    feed.close();
  });

  it('joins history and live samples of the host, each once', async () => {
    const core = fakeCore();
    const feed = createRunFeed(core.api, 'r', now);
    const live = (seconds: number, runId = 'r') =>
      core.emit('run.health', { runId, sample: healthAt(seconds) });
    core.stored.health.push(healthAt(1), healthAt(2));
    live(2);
    live(3);
    live(4, 'another');
    await core.answer();
    live(3);
    live(4);
    expect(Array.from(feed.get().health.series('clock').x)).toEqual([1000, 2000, 3000, 4000]);
    feed.close();
  });

  it('publishes through the schedule: many ticks, one publication', async () => {
    const core = fakeCore();
    const queue: (() => void)[] = [];
    const feed = createRunFeed(core.api, 'r', (publish) => queue.push(publish));
    await core.answer();
    let published = 0;
    feed.subscribe(() => {
      published += 1;
    });
    for (let i = 0; i < 5; i += 1) core.tick(tick(i));
    expect([published, queue.length]).toEqual([0, 1]);
    queue.shift()?.();
    expect(published).toBe(1);
    expect(at(feed)).toHaveLength(5);
    feed.close();
    core.tick(tick(5));
    expect(queue).toHaveLength(0);
  });
});
