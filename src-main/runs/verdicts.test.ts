import { describe, expect, it } from 'vitest';
import type { Latency } from '../../src-shared/model/latency.ts';
import type { Operation, Phase } from '../../src-shared/model/run.ts';
import { type VerdictCode, verdictCodes } from '../../src-shared/model/verdict.ts';
import { makeHealth } from '../store/testHealth.ts';
import { healthEvidence, type PhaseEvidence, type RunEvidence } from './evidence.ts';
import { goodLoad } from './testBench.ts';
import { verdictsOf } from './verdicts.ts';

function operation(changes: Partial<Operation> = {}): Operation {
  const [batch] = goodLoad.operations;
  if (!batch) throw new Error('the good load has an operation');
  return { ...batch, name: 'lastpoint', count: 1000, rows: 1000, ...changes };
}
function load(changes: Partial<Phase> = {}, batch: Partial<Operation> = {}): PhaseEvidence {
  const phase = { ...goodLoad, operations: [operation({ name: 'batch', count: 100, ...batch })], ...changes };
  return { phase, ratePerSecond: 0, prewarm: false };
}
function queries(operations: Operation[], changes: Partial<PhaseEvidence> = {}): PhaseEvidence {
  const phase: Phase = {
    ...goodLoad,
    name: 'tsbs.queries',
    kind: 'queries',
    verifiedRows: null,
    plannedRows: null,
    operations,
  };
  return { phase, ratePerSecond: 0, prewarm: false, ...changes };
}
/** One query in a hundred was much slower than p99. */
function service(p99Us: number): Latency {
  const us = p99Us / 2;
  return {
    count: 1,
    min: us,
    mean: us,
    p50: us,
    p90: us,
    p95: us,
    p99: p99Us,
    p999: p99Us,
    max: p99Us * 3,
    stddev: 0,
    sum: us,
  };
}
/** Ticks of a second each with these utilisations. */
function ticks(busiest: readonly number[], loopDelayMs = 1, phase = 0): RunEvidence['ticks'] {
  return busiest.map((b) => ({
    phase,
    intervalMs: 1000,
    client: { busiest: b, cpuCores: 1, loopDelayMs, rssBytes: 1e8 },
  }));
}
function run(changes: Partial<RunEvidence> = {}): RunEvidence {
  return {
    status: 'finished',
    error: null,
    phases: [load()],
    ticks: ticks([0.5, 0.6, 0.7, 0.5]),
    health: [],
    loaderOnly: false,
    sameMachine: false,
    beside: 0,
    clientCores: 2,
    ...changes,
  };
}
const codes = (evidence: RunEvidence) => verdictsOf(evidence).map(({ code }) => code);

describe('verdicts', () => {
  it('valid stands alone, with the figures it rests on', () => {
    expect(verdictsOf(run())).toEqual([
      {
        code: 'valid',
        reason:
          'tsbs.load wrote 1,000,000 rows in 10.0 s and all were counted in the database. No operation failed, and the loader was at most 70 % busy.',
        advice: '',
      },
    ]);
    expect(
      codes(run({ phases: [load(), queries([operation(), operation({ name: 'high-cpu-1' })])] })),
    ).toEqual(['valid']);
  });

  it('says of runs that are on at once what they share, and whose fault a full processor is', () => {
    const [valid] = verdictsOf(run({ beside: 2 }));
    expect(valid?.code).toBe('valid');
    expect(valid?.reason).toContain(
      'It was on at once with 2 other runs: they shared the processor and the network of this machine.',
    );
    // Each thread idle for half of the time, since it has no core: 1.8 of 2 cores are 90 %.
    const crowded = ticks([0.5, 0.5]).map((tick) => ({ ...tick, client: { ...tick.client, cpuCores: 1.8 } }));
    expect(codes(run({ ticks: crowded }))).toEqual(['valid']);
    const [bound] = verdictsOf(run({ beside: 1, ticks: crowded }));
    expect(bound).toEqual({
      code: 'client-bound',
      reason:
        'tsbs.load: the loader of all 2 runs used at least 90 % of this machine’s 2 cores during 100 % of the time; the limit is 50 %. The loader, not the server, set the pace.',
      advice:
        'The 2 runs that were on at once shared this machine: run them in turn, or from a faster machine.',
    });
    expect(codes(run({ beside: 1, clientCores: 3, ticks: crowded }))).toEqual(['valid']);
  });

  it('too-short: a load under 2 s or under 20 batches', () => {
    expect(codes(run({ phases: [load({ seconds: 2 }, { count: 20 })] }))).toEqual(['valid']);
    expect(codes(run({ phases: [load({ seconds: 1.99 })] }))).toEqual(['too-short']);
    const [few] = verdictsOf(run({ phases: [load({}, { count: 19 })] }));
    expect(few?.reason).toBe(
      'tsbs.load took 10.00 s and 19 batches; at least 2 s and 20 batches make a figure.',
    );
    expect(few?.advice).toContain('batches smaller');
  });

  it('too-short: under 100 queries of any type; merged operations are not types', () => {
    expect(codes(run({ phases: [queries([operation({ count: 100 })])] }))).toEqual(['valid']);
    const phases = [
      queries([
        operation({ count: 99 }),
        operation({ name: 'b' }),
        operation({ name: 'cold queries', count: 50 }),
      ]),
    ];
    const verdicts = verdictsOf(run({ phases }));
    expect(verdicts.map((v) => v.code)).toEqual(['too-short']);
    expect(verdicts[0]?.reason).toContain('99 queries of lastpoint');
  });

  it('errors: any failed operation, counted once', () => {
    const phases = [queries([operation({ errors: 3 }), operation({ name: 'all queries', errors: 3 })])];
    const verdicts = verdictsOf(run({ phases }));
    expect(verdicts.map((v) => v.code)).toEqual(['errors']);
    expect(verdicts[0]?.reason).toContain('3 of 1,003 operations of lastpoint failed');
  });

  it('rows-missing: fewer or more in the database, or fewer written than planned', () => {
    expect(codes(run({ phases: [load({ verifiedRows: 999_999 })] }))).toEqual(['rows-missing']);
    expect(codes(run({ phases: [load({ verifiedRows: 1_000_001 })] }))).toEqual(['rows-missing']);
    expect(codes(run({ phases: [load({ plannedRows: 1_000_001 })] }))).toEqual(['rows-missing']);
    expect(codes(run({ phases: [load({ verifiedRows: null })] }))).toEqual(['valid']);
    const reasonOf = (changes: Partial<Phase>) =>
      verdictsOf(run({ phases: [load({ rows: 10, verifiedRows: 9, ...changes })] }))[0]?.reason;
    expect(reasonOf({})).toContain('the server acknowledged 10 rows, but 9 are in the database');
    expect(reasonOf({ unanswered: true })).toContain('10 rows were sent, but 9 are in the database');
  });

  it('rate-not-held: the phase took over 1 % longer than a kept schedule can, or queries were dropped', () => {
    const at = (seconds: number, changes: Partial<Operation> = {}, prewarm = false) =>
      codes(
        run({
          phases: [
            queries([operation({ count: 1001, seconds, serviceUs: service(1_000_000), ...changes })], {
              ratePerSecond: 100,
              prewarm,
            }),
          ],
        }),
      );
    // (1,001 − 1) ÷ 100 s, and a slow query of 1 s; the slowest of 3 s excuses no more
    expect(at(11)).toEqual(['valid']);
    expect(at(11.1)).toEqual(['valid']);
    expect(at(11.2)).toEqual(['rate-not-held']);
    expect(at(11, { dropped: 1 })).toEqual(['rate-not-held']);
    expect(at(11, { late: 900 })).toEqual(['valid']); // late, but caught up: the latency tells
    // with prewarm every other execution is unscheduled
    expect(at(12, { count: 2002 }, true)).toEqual(['valid']);
    expect(at(12.2, { count: 2002 }, true)).toEqual(['rate-not-held']);
  });

  it('rate-not-held says what was done and what was asked', () => {
    const slow = operation({ count: 500, seconds: 10, late: 400, dropped: 7, serviceUs: service(1000) });
    const [verdict] = verdictsOf(run({ phases: [queries([slow], { ratePerSecond: 80 })] }));
    expect(verdict?.reason).toContain(
      '50.00 queries/s were done of the 80.00/s asked for, 400 of them started late, and 7 were due but never started',
    );
  });

  it('client-bound: 90 % busy, or standing for 500 ms of a second, for half of the time', () => {
    expect(codes(run({ ticks: ticks([0.9, 0.95, 0.1, 0.1]) }))).toEqual(['client-bound']);
    expect(codes(run({ ticks: ticks([0.9, 0.89, 0.1, 0.1]) }))).toEqual(['valid']);
    expect(codes(run({ ticks: ticks([0.2, 0.2], 500) }))).toEqual(['client-bound']);
    expect(codes(run({ ticks: ticks([0.2, 0.2], 499) }))).toEqual(['valid']);
  });

  it('client-bound weighs ticks by their length and judges no phase under a second', () => {
    const client = { busiest: 1, cpuCores: 1, loopDelayMs: 1, rssBytes: 1 };
    const short = { phase: 0, intervalMs: 400, client };
    expect(codes(run({ ticks: [short] }))).toEqual(['valid']);
    expect(codes(run({ ticks: [...ticks([0.1]), short] }))).toEqual(['valid']);
    expect(codes(run({ ticks: [...ticks([0.1]), { ...short, intervalMs: 1000 }] }))).toEqual([
      'client-bound',
    ]);
  });

  it('client-bound looks at each phase alone', () => {
    const second = queries([operation()]);
    const phases = [load(), { ...second, phase: { ...second.phase, index: 1 } }];
    const verdicts = verdictsOf(run({ phases, ticks: [...ticks([0.1, 0.1, 0.1]), ...ticks([1, 1], 1, 1)] }));
    expect(verdicts.map((v) => v.code)).toEqual(['client-bound']);
    expect(verdicts[0]?.reason).toMatch(/^tsbs\.queries: /);
  });

  it('client-bound advises another machine where both share one', () => {
    const busy = ticks([1, 1]);
    expect(verdictsOf(run({ ticks: busy, sameMachine: true }))[0]?.advice).toContain('share this machine');
    expect(verdictsOf(run({ ticks: busy }))[0]?.advice).toContain('more workers');
  });

  it('client-bound by design where nothing is behind the loader', () => {
    const verdicts = verdictsOf(run({ loaderOnly: true, ticks: ticks([0.1, 0.1]) }));
    expect(verdicts.map((v) => v.code)).toEqual(['client-bound']);
    expect(verdicts[0]?.reason).toContain('That is what this run is for.');
  });

  it('failed tells the error and its cause; parts are not called short or missing', () => {
    const error = {
      code: 'connection-lost',
      message: 'The server closed the connection',
      detail: 'SQLSTATE 57P01',
      hint: 'Start it again.',
    } as const;
    const verdicts = verdictsOf(
      run({ status: 'failed', error, phases: [load({ seconds: 0.5, verifiedRows: null, rows: 3 })] }),
    );
    expect(verdicts).toEqual([
      {
        code: 'failed',
        reason:
          'The run ended with an error: The server closed the connection. The cause as given: SQLSTATE 57P01. What was acknowledged up to then is kept.',
        advice: 'Start it again.',
      },
    ]);
    expect(codes(run({ status: 'failed', phases: [], ticks: [] }))).toEqual(['failed']);
  });

  it('cancelled and interrupted cover a part, and still tell of errors and a busy loader', () => {
    const part = { phases: [load({ rows: 10 }, { errors: 1, dropped: 5 })], ticks: ticks([1, 1]) };
    expect(codes(run({ status: 'cancelled', ...part }))).toEqual(['cancelled', 'errors', 'client-bound']);
    expect(codes(run({ status: 'interrupted', ...part }))).toEqual(['interrupted', 'errors', 'client-bound']);
    expect(codes(run({ status: 'cancelled', phases: [], ticks: [] }))).toEqual(['cancelled']);
  });

  it('every code can be given, with a reason, and with advice unless valid', () => {
    const second = healthEvidence(makeHealth({ atMs: goodLoad.startedMs + 1000 }));
    const sick = [
      { ...second, throttled: true, underVoltage: true, swappedBytes: 1e9, freeBytes: 0 },
      { ...second, atMs: second.atMs + 1000, bootId: 'another' },
    ];
    const all = [
      run(),
      run({ loaderOnly: true }),
      run({ phases: [queries([operation({ dropped: 1 })], { ratePerSecond: 1 })] }),
      run({ phases: [load({ verifiedRows: 1, seconds: 1 }, { errors: 1 })] }),
      run({ status: 'failed' }),
      run({ status: 'cancelled' }),
      run({ status: 'interrupted' }),
      run({ health: sick }),
    ].flatMap(verdictsOf);
    // What the plan wants, and what was measured elsewhere, is judged elsewhere.
    const others: readonly VerdictCode[] = ['threshold-missed', 'imported', 'published'];
    expect(new Set(all.map((v) => v.code))).toEqual(
      new Set(verdictCodes.filter((code) => !others.includes(code))),
    );
    for (const { code, reason, advice } of all) {
      expect(reason.length).toBeGreaterThan(20);
      expect(advice === '').toBe(code === 'valid');
      expect(`${reason}${advice}`).not.toMatch(/undefined|NaN|Infinity|!|\bwe\b/);
    }
  });
});
