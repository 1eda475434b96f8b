import { describe, expect, it } from 'vitest';
import type { Checkpoint } from '../../src-shared/model/telemetry.ts';
import { makeServerSample } from '../../src-shared/model/testServerSample.ts';
import type { Tick } from '../../src-shared/model/tick.ts';
import { shownRun } from './runObject.ts';
import { serverLines } from './serverLines.ts';
import { phaseOf, runOf } from './testRun.ts';

/** Four minutes of a load at 1,000 rows a second, with two seconds of nothing while a checkpoint was on. */
const ticks: Tick[] = Array.from({ length: 240 }, (_, i) => ({
  runId: 'r',
  phase: 0,
  seq: i,
  atMs: (i + 1) * 1000,
  intervalMs: 1000,
  operations: [
    {
      name: 'batch',
      // As many a second as make two without any more than chance.
      count: i === 100 || i === 101 ? 0 : 40,
      errors: 0,
      late: 0,
      backlog: 0,
      rows: i === 100 || i === 101 ? 0 : 1000 + ((i * 37) % 11),
      metrics: 0,
      bytes: 0,
      latencyUs: null,
      serviceUs: null,
    },
  ],
  client: { busiest: 0.1, cpuCores: 0.1, loopDelayMs: 1, rssBytes: 1 },
}));
const checkpoint = {
  id: 0,
  state: 'done',
  startMs: 95_000,
  endMs: 101_500,
  reason: 'requested',
  buffers: 1234,
  writeMs: 6000,
  syncMs: 400,
} as const;
const blocked = {
  pid: 812,
  lock: 'relation',
  mode: 'RowExclusiveLock',
  relation: 'cpu',
  waitedMs: 2400,
  by: [{ pid: 644, application: 'psql', state: 'idle in transaction' }],
};
const series = {
  ticks,
  events: [],
  health: [],
  server: ticks.map(({ atMs }, i) =>
    makeServerSample({
      atMs,
      checkpoints: i === 102 ? [checkpoint] : [],
      blocked: i === 50 ? [blocked] : [],
      blockedCount: i === 50 ? 1 : 0,
    }),
  ),
  serverWatch: {
    limits: [{ what: 'Autovacuum', role: 'pg_monitor' }],
    statements: [
      {
        id: '1',
        text: 'INSERT INTO cpu\n  VALUES ($1)',
        calls: 10,
        totalMs: 2500,
        rows: 10,
        blocksHit: 1,
        blocksRead: 0,
      },
    ],
    noStatements: null,
  },
};
const run = { phases: [phaseOf({ startedMs: 0, seconds: 240 })] };

describe('what the server did, at a terminal', () => {
  it('is ranked, timed and explained', () => {
    const text = serverLines(run, series).join('\n');
    expect(text).toContain('The server during tsbs.load:\n  Cannot be told from this run, a change of ');
    // 12, 20 and 8 of 40 sessions that were found in each second
    expect(text).toMatch(
      / {4}50\.0 % {2}IO:WALSync +the log \(WAL\) to be safe on the disk, at a commit\n +30\.0 % {2}CPU +nothing: .*\n +20\.0 % {2}Client:ClientRead/,
    );
    expect(text).toContain('  Waits, of 2,400 looks with 4.0 sessions in a transaction and 0.0 idle:');
    expect(text).toMatch(
      / {4}at 1:35 {2}for 6\.5 s {2}requested {2}1,234 pages {2}write 6\.0 s, sync 0\.4 s/,
    );
    expect(text).toContain(
      '  Stalls: 2.0 s with less than a tenth of the median second\n    at 1:40 for 2.0 s: a checkpoint, the disk',
    );
    expect(text).toContain(
      '  Queue: session 812 waited 2.4 s for RowExclusiveLock on cpu, held by psql (session 644, idle in transaction)',
    );
    expect(text).toContain('  Found in the cache: 99.0 % of the pages asked for');
    expect(text).toMatch(
      /Statements that took the most time:\n {2}2\.50 s {2}10 {2}INSERT INTO cpu VALUES \(\$1\)/,
    );
    expect(text).toContain('Not seen: Autovacuum. Needs the role pg_monitor.');
  });

  it('says of a checkpoint that its beginning was not seen, or lies before the run', () => {
    const on: Checkpoint = {
      ...{ id: 0, state: 'running', startMs: 1200, alreadyOn: true, endMs: null },
      ...{ reason: null, buffers: 314, writeMs: null, syncMs: null },
    };
    const lines = (each: Checkpoint) =>
      serverLines(run, { ...series, server: [makeServerSample({ atMs: 37_500, checkpoints: [each] })] });
    expect(lines(on).join('\n')).toMatch(/on already, +for 36\.3 s +314 pages +its end was not seen/);
    expect(lines({ ...checkpoint, startMs: -4000, endMs: 6000 }).join('\n')).toMatch(
      /at 0\.00? s +for 10\.0 s, from before the run +requested/,
    );
  });

  it('is nothing where there is nothing', () => {
    expect(serverLines({ phases: [] }, { ...series, serverWatch: null })).toEqual([]);
  });

  it('is in the JSON of a shown run', () => {
    const shown = shownRun(runOf({ phases: run.phases }), series);
    expect(shown.server.phases[0]).toMatchObject({
      name: 'tsbs.load',
      checkpoints: [checkpoint],
      stalls: [{ fromMs: 100_000, toMs: 102_000, causes: ['checkpoint', 'disk'] }],
      drift: { steadiness: { verdict: 'open' } },
      totals: { walBytes: 240e6, hitRatio: 0.99 },
    });
    expect(shown.server.statements).toHaveLength(1);
  });
});
