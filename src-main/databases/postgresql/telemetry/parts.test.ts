import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deltasOf } from './deltas.ts';
import type { Counters, Look } from './replies.ts';
import { createServerClock } from './serverClock.ts';
import { withoutPasswords } from './statements.ts';
import { checkpointerBusy, createWaitMeter } from './waits.ts';

const session = (part: Partial<Look['sessions'][number]>): Look['sessions'][number] => ({
  who: 'run',
  state: 'active',
  type: null,
  event: null,
  n: 1,
  ...part,
});

describe('statements of other users', () => {
  it.each([
    ["ALTER ROLE me PASSWORD 'hunter2'", "ALTER ROLE me PASSWORD '…'"],
    [
      "CREATE ROLE x LOGIN ENCRYPTED password E'it\\'s hunter2' VALID UNTIL 'never'",
      "CREATE ROLE x LOGIN ENCRYPTED password '…' VALID UNTIL '…'",
    ],
    ["ALTER ROLE me PASSWORD 'it''s hunter2'", "ALTER ROLE me PASSWORD '…''…'"],
    ['DO $x$ ALTER ROLE me PASSWORD $y$hunter2$y$ $x$', "DO '…'"],
    [
      "CREATE SUBSCRIPTION s CONNECTION 'host=h password=hunter2' PUBLICATION p",
      "CREATE SUBSCRIPTION s CONNECTION '…' PUBLICATION p",
    ],
    ["ALTER ROLE me PASSWORD 'cut off hunter2", "ALTER ROLE me PASSWORD '…'"],
    ["SET application_name = 'kept'", "SET application_name = 'kept'"],
  ])('%s is kept without its password', (text, kept) => expect(withoutPasswords(text)).toBe(kept));
});

describe('waits', () => {
  it('names that a server makes up reach no other object', () => {
    const meter = createWaitMeter();
    meter.add({
      sessions: [
        session({ who: '__proto__', type: 'IO', event: 'Forged', n: 7 }),
        session({ who: 'constructor', n: 2 }),
        session({ n: 3 }),
      ],
    });
    expect(Reflect.get({}, 'IO:Forged')).toBeUndefined();
    expect(Object.entries(meter.take().background)).toEqual([
      ['__proto__', { 'IO:Forged': 7 }],
      ['constructor', { CPU: 2 }],
    ]);
  });

  it('are summed over the looks: sessions at work by event, idle ones apart, processes by name', () => {
    const meter = createWaitMeter();
    meter.add({
      sessions: [
        session({ n: 2 }),
        session({ type: 'IO', event: 'WalSync', n: 3 }),
        session({ state: 'idle', type: 'Client', event: 'ClientRead', n: 4 }),
        // What is not at work waits for nothing of the server: rows are read without a snapshot.
        session({ state: 'idle in transaction', type: 'Lock', event: 'transactionid' }),
        session({ who: 'checkpointer', state: '', type: 'IO', event: 'DataFileSync' }),
        session({ who: 'walwriter', state: '', type: 'Activity', event: 'WalWriterMain' }),
      ],
    });
    meter.add({ sessions: [session({}), session({ who: 'checkpointer', state: '' })] });
    expect(meter.sawLock()).toBe(false);
    expect(meter.take()).toEqual({
      waits: { samples: 2, events: { CPU: 3, 'IO:WalSync': 3, 'Client:ClientRead': 1 }, idle: 4 },
      background: { checkpointer: { 'IO:DataFileSync': 1, CPU: 1 } },
    });
    expect(meter.take()).toEqual({ waits: { samples: 0, events: {}, idle: 0 }, background: {} });
  });

  it('tell of locks, and of those on tables', () => {
    const meter = createWaitMeter();
    meter.add({ sessions: [session({ type: 'Lock', event: 'transactionid' })] });
    expect([meter.sawLock(), meter.sawLock('relation')]).toEqual([true, false]);
  });

  it('know whether the checkpointer is at work, where it is seen', () => {
    const row = (type: string | null) => [session({ who: 'checkpointer', state: '', type, event: 'x' })];
    expect(checkpointerBusy({ sessions: row('Activity') })).toBe(false);
    expect(checkpointerBusy({ sessions: row('Timeout') })).toBe(true);
    expect(checkpointerBusy({ sessions: row(null) })).toBe(true);
    expect(checkpointerBusy({ sessions: [session({})] })).toBeNull();
  });
});

const database = {
  commits: 10,
  rollbacks: 0,
  blocksRead: 100,
  blocksHit: 1000,
  tempFiles: 0,
  tempBytes: 0,
  deadlocks: 0,
  rowsReturned: 0,
  rowsFetched: 0,
  rowsInserted: 0,
  rowsUpdated: 0,
  rowsDeleted: 0,
};
const counters: Counters = {
  at: 0,
  checkpoint: '0/0',
  started: 0,
  block: 8192,
  checkpointer: {
    timed: 0,
    requested: 0,
    done: null,
    writeMs: 0,
    syncMs: 0,
    buffers: 5,
    cleaned: 7,
    backend: 9,
  },
  wal: 1000,
  walDetails: null,
  database,
  io: null,
  autovacuum: [],
};

describe('what was counted between two readings', () => {
  it('is a difference; pages are bytes where the server counts no bytes', () => {
    const now: Counters = {
      ...counters,
      checkpointer: { ...counters.checkpointer, buffers: 15, cleaned: 8, backend: 11 },
      wal: 4096,
      database: { ...database, commits: 13, blocksRead: 104 },
    };
    expect(deltasOf(counters, now)).toEqual({
      wal: { bytes: 3096, records: null, fullPageImages: null, buffersFull: null },
      database: { ...database, commits: 3, blocksRead: 4, blocksHit: 0 },
      io: {
        readBytes: 32_768,
        checkpointerBytes: 81_920,
        backgroundWriterBytes: 8192,
        backendBytes: 16_384,
        evictions: null,
      },
    });
  });

  it('is not known where one of them began anew', () => {
    const now = { ...counters, wal: 10, database: { ...database, blocksHit: 3 } };
    expect(deltasOf(counters, now)).toMatchObject({ wal: null, database: null });
  });
});

describe('the clock of the server', () => {
  it('is off by at most half of the shortest round trip', () => {
    const answers = fc.array(
      fc.record({
        there: fc.double({ min: 0, max: 300, noNaN: true }),
        back: fc.double({ min: 0, max: 300, noNaN: true }),
      }),
      { minLength: 1, maxLength: 250 },
    );
    fc.assert(
      fc.property(answers, fc.integer({ min: -1e7, max: 1e7 }), (trips, difference) => {
        const clock = createServerClock();
        trips.forEach(({ there, back }, i) => {
          const sent = i * 100;
          clock.answered(sent + there + difference, sent, sent + there + back);
        });
        const best = Math.min(...trips.map(({ there, back }) => there + back));
        expect(Math.abs(clock.toRun(5000 + difference) - 5000)).toBeLessThanOrEqual(best / 2 + 1e-6);
      }),
    );
  });

  it('may be set in mid-run, forwards or back: from then on it is the new one', () => {
    for (const step of [3_600_000, -2000]) {
      const clock = createServerClock();
      clock.answered(10_000.5, 0, 1); // the fastest answer of all
      clock.answered(10_110, 100, 120);
      clock.answered(10_210 + step, 200, 220);
      expect(clock.toRun(10_300 + step)).toBe(300);
    }
  });
});
