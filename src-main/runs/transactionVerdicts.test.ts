import { describe, expect, it } from 'vitest';
import type { Operation, Phase } from '../../src-shared/model/run.ts';
import type { TransactionFigures } from '../../src-shared/model/transactions.ts';
import type { PhaseEvidence, RunEvidence } from './evidence.ts';
import { goodLoad } from './testBench.ts';
import { verdictsOf } from './verdicts.ts';

const figures: TransactionFigures = {
  clients: 10,
  threads: 1,
  endedClients: 0,
  tps: 900,
  connectSeconds: 0.02,
  reconnects: 0,
  reconnectSeconds: 0,
  failed: 0,
  retried: 0,
  retries: 0,
  skipped: 0,
  late: 0,
  reads: 0,
  writes: 0,
  others: 0,
  conflicts: {},
  lag: null,
  latencyLimitMs: null,
  ratePerSecond: 0,
  scripts: [{ name: 'tpcb-like', count: 0, failed: 0, retried: 0, retries: 0, skipped: 0 }],
  statements: [],
  fairness: { count: { mean: 0, stddev: 0 }, seconds: { mean: 0, stddev: 0 } },
  facts: {},
};

function transactions(
  of: Partial<Operation> = {},
  told: Partial<TransactionFigures> = {},
  evidence: Partial<PhaseEvidence> = {},
  changes: Partial<Phase> = {},
): PhaseEvidence {
  const [batch] = goodLoad.operations;
  if (!batch) throw new Error('the good load has an operation');
  const all = { ...batch, name: 'transactions', count: 54_000, errors: 0, dropped: 0, ...of };
  const phase: Phase = {
    ...goodLoad,
    name: 'pgbench.run',
    kind: 'transactions',
    seconds: 60,
    verifiedRows: null,
    plannedRows: null,
    // A script's own figures are a part of all, and not asked again.
    operations: [all, { ...all, name: 'tpcb-like' }],
    transactions: { ...figures, ...told },
    ...changes,
  };
  return { phase, ratePerSecond: 0, prewarm: false, ...evidence };
}
function verdicts(phase: PhaseEvidence, busiest = 0.4) {
  const client = { busiest, cpuCores: 1, loopDelayMs: 1, rssBytes: 1e8 };
  const run: RunEvidence = {
    status: 'finished',
    error: null,
    phases: [phase],
    ticks: Array.from({ length: 60 }, () => ({ phase: 0, intervalMs: 1000, client })),
    health: [],
    loaderOnly: false,
    sameMachine: false,
    beside: 0,
    clientCores: 2,
  };
  return verdictsOf(run).map(({ code, reason }) => [code, reason]);
}

describe('verdicts of transactions', () => {
  it('are valid with the figures they rest on', () => {
    expect(verdicts(transactions())).toEqual([
      [
        'valid',
        'pgbench.run did 54,000 transactions in 60.0 s. No operation failed, and the loader was at most 40 % busy.',
      ],
    ]);
  });

  it('name what failed, and clients that ended', () => {
    expect(verdicts(transactions({ errors: 6 }, { endedClients: 3 }))).toEqual([
      [
        'errors',
        'pgbench.run: 6 of 54,006 operations of transactions failed; none may. The figures cover only those that did not.',
      ],
      [
        'errors',
        'pgbench.run: 3 of 10 clients ended in an error before the end; none may. From then on the load was that of the others.',
      ],
    ]);
    // what was done by trying again is done
    expect(verdicts(transactions({}, { retried: 40, retries: 90, conflicts: { '40P01': 90 } }))[0]?.[0]).toBe(
      'valid',
    );
  });

  it('are too short under 10 s or 1,000 transactions', () => {
    const [short] = verdicts(transactions({}, {}, {}, { seconds: 9.99 }));
    expect(short?.[0]).toBe('too-short');
    expect(verdicts(transactions({ count: 999 }))[0]?.[0]).toBe('too-short');
    expect(verdicts(transactions({ count: 1000 }, {}, {}, { seconds: 10 }))[0]?.[0]).toBe('valid');
  });

  it('grant chance to arrivals, and no more than 1 % beyond it', () => {
    // 100/s for 60 s are 6,000 with a standard deviation of 77: from 0.99 · 6,000 − 3 · 77.5 = 5,708 on
    const rate = { ratePerSecond: 100 };
    expect(verdicts(transactions({ count: 5708 }, {}, rate))[0]?.[0]).toBe('valid');
    expect(verdicts(transactions({ count: 5980 }, { skipped: 60 }, rate))[0]?.[0]).toBe('valid');
    expect(verdicts(transactions({ count: 5980 }, { skipped: 61 }, rate))[0]?.[0]).toBe('rate-not-held');
    const told = { skipped: 280, lag: { meanUs: 42_000, maxUs: 90_000 } };
    expect(verdicts(transactions({ count: 5700, dropped: 12 }, told, rate))).toEqual([
      [
        'rate-not-held',
        'pgbench.run: 95.00 transactions/s were done of the 100/s asked for; 280 were skipped, about 12 were due and not begun at the end, they began 42.0 ms late on average. The limit is 99 % of the schedule.',
      ],
    ]);
  });

  it('say where the client was the limit, but not of making tables', () => {
    expect(verdicts(transactions(), 0.95)[0]?.[0]).toBe('client-bound');
    const made = transactions(
      {},
      {},
      {},
      { kind: 'initialize', name: 'pgbench.init', plannedRows: 7, rows: 7 },
    );
    expect(verdicts(made, 0.99)).toEqual([
      [
        'valid',
        'pgbench.init made its tables in 60.0 s. No operation failed, and the loader was at most 99 % busy.',
      ],
    ]);
    expect(verdicts({ ...made, phase: { ...made.phase, rows: 6 } })[0]?.[0]).toBe('rows-missing');
  });
});
