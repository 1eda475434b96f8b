import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { HealthSample } from '../model/host.ts';
import type { Phase } from '../model/run.ts';
import type { Checkpoint } from '../model/telemetry.ts';
import { makeHealthSample, neverHeldBack } from '../model/testHealthSample.ts';
import { makeServerSample as sample } from '../model/testServerSample.ts';
import type { Tick } from '../model/tick.ts';
import { checkpointBands } from './checkpoints.ts';
import { compareWaits } from './compareWaits.ts';
import { driftSentences, serverReport } from './serverReport.ts';
import { findStalls, type Work } from './stalls.ts';
import { driftOf } from './steady.ts';
import { classSessions, waitClass, waitDoubt, waitProfile, waitWords } from './waits.ts';

const at = (seconds: number, part: Parameters<typeof sample>[0] = {}) =>
  sample({ atMs: seconds * 1000, ...part });
const waits = (events: Record<string, number>, samples = 10, idle = 0) => ({
  waits: { samples, events, idle },
});

describe('what the server waits for', () => {
  it('is ranked by how often it was found', () => {
    const profile = waitProfile([
      at(2, waits({ CPU: 5, 'IO:WALSync': 30 }, 10, 4)),
      at(3, waits({ 'IO:WALSync': 45, 'Lock:transactionid': 20 }, 10)),
    ]);
    expect(profile).toMatchObject({ samples: 20, active: 5, idle: 0.2 });
    expect(profile.waits.map(({ event, share, sessions }) => [event, share, sessions])).toEqual([
      ['IO:WALSync', 0.75, 3.75],
      ['Lock:transactionid', 0.2, 1],
      ['CPU', 0.05, 0.25],
    ]);
    expect(profile.waits[0]?.error).toBeCloseTo(Math.sqrt((0.75 * 0.25) / 100), 9);
  });

  it('says that it says little where sessions were hardly ever found', () => {
    expect(waitDoubt(waitProfile([at(1, waits({ CPU: 20, 'IO:WALSync': 5 }))]))).toBeNull();
    expect(waitDoubt(waitProfile([at(1, waits({ CPU: 3 })), at(2, waits({}))]))).toMatch(
      /^Made of 3 findings/,
    );
  });

  it('has shares that make one, and classes that hold every session', () => {
    const events = fc.dictionary(
      fc.constantFrom(
        'CPU',
        'IO:WalSync',
        'Lock:tuple',
        'LWLock:LockManager',
        'Client:ClientRead',
        'IPC:X',
        'Odd:Y',
      ),
      fc.integer({ min: 1, max: 1000 }),
      { minKeys: 1 },
    );
    fc.assert(
      fc.property(fc.array(events, { minLength: 1, maxLength: 9 }), (all) => {
        const samples = all.map((each, i) => at(i + 1, waits(each)));
        const profile = waitProfile(samples);
        expect(profile.waits.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 9);
        const classes = samples.map((each) => Object.values(classSessions(each)).reduce((a, b) => a + b, 0));
        expect(classes.reduce((a, b) => a + b, 0) / samples.length).toBeCloseTo(profile.active, 9);
      }),
    );
    expect(waitProfile([])).toEqual({ samples: 0, active: 0, idle: 0, waits: [] });
  });

  it('is put side by side for several runs, whatever their versions call it', () => {
    const old = waitProfile([at(1, waits({ 'IO:WALSync': 30, CPU: 70 }))]);
    const young = waitProfile([at(1, waits({ 'IO:WalSync': 90, 'Lock:tuple': 10 }))]);
    expect(compareWaits([old, young, waitProfile([])])).toEqual([
      { event: 'IO:WALSync', shares: [0.3, 0.9, null] },
      { event: 'CPU', shares: [0.7, 0, null] },
      { event: 'Lock:tuple', shares: [0, 0.1, null] },
    ]);
    expect(compareWaits([])).toEqual([]);
  });

  it('is named in plain words and put into its class, whatever the version calls it', () => {
    expect(waitWords('IO:WALSync')).toBe(waitWords('IO:WalSync'));
    expect(waitWords('LWLock:LockManager')).toMatch(/^the lock manager/);
    expect(waitWords('LWLockTranche:something')).toBe('LWLockTranche:something');
    const classes = {
      CPU: 'cpu',
      'Lock:tuple': 'locks',
      'LWLock:LockManager': 'locks',
      'LWLockTranche:lock_manager': 'locks',
      'IO:WalSync': 'wal',
      'LWLock:WALWrite': 'wal',
      'IO:DataFileRead': 'files',
      'IO:BuffileWrite': 'files',
      'Client:ClientRead': 'client',
      'LWLock:BufferContent': 'internal',
      'IPC:ExecuteGather': 'internal',
      'Extension:Any': 'internal',
    };
    for (const [event, wanted] of Object.entries(classes))
      expect([event, waitClass(event)]).toEqual([event, wanted]);
  });
});

const checkpoint = (part: Partial<Checkpoint>): Checkpoint => ({
  id: 0,
  state: 'done',
  startMs: 1000,
  endMs: 5000,
  reason: 'timed',
  buffers: 10,
  writeMs: 3000,
  syncMs: 500,
  ...part,
});

describe('checkpoints on the time axis', () => {
  it('are what was told of them last; skipped ones are none; one that was not seen to end lasts as long as it was seen', () => {
    const running = checkpoint({ state: 'running', endMs: null, writeMs: null, syncMs: null });
    const bands = checkpointBands([
      at(2, { checkpoints: [running] }),
      at(6, {
        checkpoints: [checkpoint({}), checkpoint({ id: 1, state: 'skipped', startMs: 5500, endMs: 5600 })],
      }),
      at(8, { checkpoints: [{ ...running, id: 2, startMs: 7000 }] }),
      at(9, { checkpoints: [{ ...running, id: 2, startMs: 7000 }] }),
      at(10),
    ]);
    expect(bands.map(({ id, startMs, endMs }) => [id, startMs, endMs])).toEqual([
      [0, 1000, 5000],
      [2, 7000, 9000],
    ]);
  });
  it('are one where a new connection finds it on and again does not see its end', () => {
    const open = checkpoint({ state: 'running', endMs: null });
    const first = at(3, { checkpoints: [open] });
    const again = at(7, { checkpoints: [{ ...open, id: 1, startMs: 6000 }] });
    expect(checkpointBands([first, again]).map(({ startMs, endMs }) => [startMs, endMs])).toEqual([
      [1000, 7000],
    ]);
    expect(checkpointBands([first, at(4), again])).toHaveLength(2);
  });
  it('are one where a new connection finds the same again', () => {
    const bands = checkpointBands([
      at(2, { checkpoints: [checkpoint({ state: 'running', endMs: null })] }),
      at(7, { checkpoints: [checkpoint({ id: 1, startMs: 1200, endMs: 6500 })] }),
    ]);
    expect(bands.map(({ id }) => id)).toEqual([1]);
  });
});

const emptyPhase: Phase = {
  index: 0,
  name: 'tsbs.load',
  kind: 'load',
  workers: 1,
  startedMs: 0,
  rows: 0,
  metrics: 0,
  bytes: 0,
  seconds: 0,
  rowsPerSecond: 0,
  metricsPerSecond: 0,
  verifiedRows: null,
  plannedRows: null,
  operations: [],
  notes: [],
};

const disk = {
  name: 'mmcblk0',
  readBytesPerSecond: 0,
  writeBytesPerSecond: 0,
  readsPerSecond: 0,
  writesPerSecond: 0,
};
const healthAt = (seconds: number, part: Partial<HealthSample>) =>
  makeHealthSample({ atMs: seconds * 1000, ...part });

const second = (i: number, sum: number): Work => ({
  ...{ fromMs: i * 1000, toMs: (i + 1) * 1000 },
  ...{ sum, operations: sum },
});
const tickAt = (seconds: number): Tick => ({
  ...{ runId: 'r', phase: 0, seq: seconds, atMs: seconds * 1000, intervalMs: 1000, operations: [] },
  client: { busiest: 0, cpuCores: 0, loopDelayMs: 0, rssBytes: 0 },
});
const rate = (n: number, of: (i: number) => number) => Array.from({ length: n }, (_, i) => second(i, of(i)));

describe('a report', () => {
  it('of a run that is on tells waits by phase, and judges nothing yet', () => {
    const load = { kind: 'load', name: 'tsbs.load', index: 0, startedMs: 500 } as const;
    const queries = { kind: 'queries', name: 'tsbs.queries', index: 1, startedMs: 2500 } as const;
    const server = [
      at(1, waits({ CPU: 10 })),
      at(2, waits({ CPU: 30 })),
      at(3, waits({ 'IO:DataFileRead': 5 })),
    ];
    const series = { ticks: [], events: [], health: [], server, serverWatch: null };
    const report = serverReport(
      { phases: [load, queries].map((part) => ({ ...emptyPhase, ...part })) },
      series,
    );
    expect(
      report.map(({ waits: seen, drift, stalls }) => [seen?.waits[0]?.event, seen?.samples, drift, stalls]),
    ).toEqual([
      ['CPU', 20, null, []],
      ['IO:DataFileRead', 10, null, []],
    ]);
  });
});

describe('what a server counted', () => {
  it('is summed until the watch of the phase has ended, and without what came before', () => {
    const phase: Phase = { ...emptyPhase, kind: 'transactions', startedMs: 1000 };
    const ticks = [tickAt(2), tickAt(3)];
    const { database } = sample();
    // The sessions tell of their last deadlocks when they end, after the last tick.
    const server = [1, 2, 3, 3.6].map((seconds, i) =>
      at(seconds, {
        intervalMs: i === 3 ? 600.5 : 1000,
        database: database && { ...database, deadlocks: 10 ** i },
      }),
    );
    server.push(at(4.6, { database: database && { ...database, deadlocks: 7 } }));
    const series = { ticks, events: [], health: [], server, serverWatch: null };
    const [report] = serverReport({ phases: [phase] }, series);
    expect(report?.totals.deadlocks).toBe(1110);
    expect(report?.waits?.samples).toBe(20);
  });
});

describe('stalls', () => {
  const nothing = { ticks: [], server: [], health: [] };
  it('are exactly the seconds below a tenth of the median, joined', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 0, max: 99 }), { maxLength: 40 }), (slow) => {
        const found = findStalls(
          rate(100, (i) => (slow.includes(i) ? 9 : 100)),
          nothing,
        );
        const seconds = found.flatMap(({ fromMs, toMs }) =>
          Array.from({ length: (toMs - fromMs) / 1000 }, (_, i) => fromMs / 1000 + i),
        );
        expect(seconds).toEqual([...slow].sort((a, b) => a - b));
        for (const [i, { fromMs }] of found.slice(1).entries())
          expect(fromMs).toBeGreaterThan(found[i]?.toMs ?? Infinity);
      }),
    );
    expect(
      findStalls(
        rate(100, (i) => (i === 5 ? 10 : 100)),
        nothing,
      ),
    ).toEqual([]);
    expect(
      findStalls(
        rate(5, (i) => (i === 3 ? 0 : 100)),
        nothing,
      ),
    ).toEqual([]);
  });

  it('are more than chance: so few operations a second that none may end in one', () => {
    // Four a second, none at all in every tenth second; then nothing for six seconds.
    const slow = rate(100, (i) => (i % 10 === 5 || (i > 70 && i <= 76) ? 0 : 4));
    expect(findStalls(slow, nothing)).toMatchObject([{ fromMs: 71_000, toMs: 77_000 }]);
    // A load of two batches a second, of 10,000 rows each.
    const batches = slow.map((each) => ({ ...each, sum: each.sum * 5000, operations: each.sum / 2 }));
    expect(findStalls(batches, nothing)).toEqual([]);
  });

  it('have the causes that were seen at the time, and no other', () => {
    const seconds = rate(60, (i) => ([10, 20, 21, 30, 40].includes(i) ? 0 : 100));
    const server = rate(60, () => 0).map(({ toMs }, i) =>
      sample({
        atMs: toMs,
        ...waits(i === 20 || i === 21 ? { 'Lock:relation': 40, CPU: 2 } : { CPU: 10 }),
        checkpoints: i === 12 ? [checkpoint({ startMs: 9000, endMs: 11_500 })] : [],
        autovacuum: i === 30 ? ['VACUUM t'] : [],
      }),
    );
    const client = { busiest: 0, cpuCores: 0, loopDelayMs: 0, rssBytes: 0 };
    const ticks = seconds.map(({ toMs }, i) => ({
      atMs: toMs,
      intervalMs: 1000,
      client: { ...client, loopDelayMs: i === 40 ? 800 : 3 },
    }));
    // The host: its disk was the limit at 30 s, its processor held back at 40 s.
    const health = [
      healthAt(31, { disk: { ...disk, busy: 0.97 } }),
      healthAt(41, { throttle: { ...neverHeldBack, throttled: true } }),
    ];
    expect(findStalls(seconds, { ticks, server, health }).map(({ causes }) => causes)).toEqual([
      ['checkpoint'],
      ['locks'],
      ['autovacuum', 'disk'],
      ['client', 'throttled'],
    ]);
    expect(findStalls(seconds, { ticks, server, health: [] })).toEqual([
      { fromMs: 10_000, toMs: 11_000, causes: ['checkpoint'], event: 'CPU' },
      { fromMs: 20_000, toMs: 22_000, causes: ['locks'], event: 'Lock:relation' },
      { fromMs: 30_000, toMs: 31_000, causes: ['autovacuum'], event: 'CPU' },
      { fromMs: 40_000, toMs: 41_000, causes: ['client'], event: 'CPU' },
    ]);
  });
});

describe('how steady a rate is', () => {
  /** Scatter of some percent without a pattern. */
  const scatter = (i: number) => 1 + 0.05 * Math.sin((i + 1) * (i + 3) * 12.9898);

  it('cannot be told of a minute, nor where seconds depend on each other too long', () => {
    expect(driftOf(rate(60, () => 100)).steadiness.verdict).toBe('too-short');
    expect(driftOf(rate(600, (i) => 100 + 50 * Math.sin(i / 80))).steadiness.verdict).toBe('too-short');
    expect(driftOf([])).toMatchObject({ sinceTenMinutes: null, steadiness: { verdict: 'too-short' } });
  });

  it('is steady where the rate only scatters', () => {
    for (const n of [300, 1800]) {
      const { steadiness, warmUpMs } = driftOf(rate(n, (i) => 1000 * scatter(i)));
      expect([n, steadiness.verdict]).toEqual([n, 'steady']);
      expect(warmUpMs).toBe(Math.min(60_000, n * 100));
    }
  });

  it('is left open where the scatter would hide a change', () => {
    const wild = (i: number) => 1000 * (1 + 0.9 * Math.sin((i + 1) * (i + 3) * 12.9898));
    const found = driftOf(rate(300, wild));
    expect(found.steadiness.verdict).toBe('open');
    expect(driftSentences(found)[0]).toMatch(
      /^Cannot be told from this run, a change of \d+\.\d % cannot be excluded: over /,
    );
  });

  it('is not where it falls or steps, by as much as it does', () => {
    fc.assert(
      fc.property(fc.constantFrom(-0.3, -0.1, 0.1, 0.3), fc.constantFrom(400, 900), (by, n) => {
        const falling = driftOf(rate(n, (i) => 1000 * (1 + (by * i) / n) * scatter(i))).steadiness;
        expect(falling.verdict).toBe('not-steady');
        if (falling.verdict === 'too-short') return;
        expect(Math.sign(falling.trend.value)).toBe(Math.sign(by));
        expect(falling.trend.low).toBeLessThanOrEqual(falling.trend.value);
        expect(falling.halves.low * falling.halves.high).toBeGreaterThan(0);
      }),
      { numRuns: 8 },
    );
  });

  it('compares the first ten minutes with the whole, the warm-up left out', () => {
    // A slow start of a minute, ten minutes at 100, then 80 up to the hour.
    const hour = driftOf(rate(3600, (i) => (i < 60 ? 20 : i < 660 ? 100 : 80)));
    const whole = (600 * 100 + 2940 * 80) / 3540;
    expect(hour.sinceTenMinutes).toBeCloseTo(whole / 100 - 1, 9);
    expect(driftOf(rate(1000, () => 100)).sinceTenMinutes).toBeNull();
  });

  it('is said with its figures', () => {
    const falling = driftOf(rate(400, (i) => 1000 * (1 - (0.3 * i) / 400) * scatter(i)));
    expect(driftSentences(falling)[0]).toMatch(
      /^Not steady: over 6:00 the second half ran −1\d\.\d % \(95 % interval −1\d\.\d % to −1\d\.\d %\) against the first, and the line through all of it moves by −3\d\.\d % .* The first 40\.0 s are left out as warm-up\. Intervals by blocks of \d+ s\.$/,
    );
    expect(driftSentences(driftOf(rate(60, () => 1)))[0]).toMatch(/^Too short to judge .* 54\.0 s after/);
  });
});
