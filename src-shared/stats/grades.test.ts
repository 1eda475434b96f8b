import { describe, expect, it } from 'vitest';
import type { Difference } from '../model/comparison.ts';
import type { Run } from '../model/run.ts';
import type { VerdictCode } from '../model/verdict.ts';
import { brokenBetween, findDifferences } from './differences.ts';

const server = {
  ...{ engine: 'postgresql', product: 'PostgreSQL', version: '17.5', versionText: '', edition: 'plain' },
  ...{ dialect: 'postgresql', database: 'benchmark', sizeBytes: 0, tls: null, roundTripUs: 100, notes: [] },
  settings: [{ name: 'shared_buffers', value: '128', unit: 'MB', source: 'file' }],
};
const client = {
  ...{ hostname: 'desk', os: 'Linux 6.12', arch: 'x64', cpu: 'A', cores: 4, memoryBytes: 8 * 2 ** 30 },
  ...{ node: '24.0.0', toolVersion: '0.1.0' },
};
const load = { batchSize: 1000, scale: 10, seed: 1, dbName: 'a', reportingPeriod: '1s' };
const run = (patch: Partial<Run> = {}): Run => ({
  ...{ id: 'a', name: 'A', status: 'finished', targetName: 'sandbox', engine: 'postgresql' },
  verdicts: [{ code: 'valid', reason: '', advice: '' }],
  ...{ serverLabel: null, startedAt: '2026-01-01T10:00:00.000Z', endedAt: null, tags: [], notes: '' },
  ...{ rowsPerSecond: null, rows: null, tps: null, p99Us: null, group: null, seed: 1, host: null },
  ...{ phases: [], error: null, client, server },
  resolvedSteps: [{ id: 'tsbs.load', parameters: load }],
  plan: { version: 1, name: 'A', target: 'sandbox', steps: [], repeat: 1 },
  ...patch,
});
const steps = (patch: Partial<typeof load>) => [{ id: 'tsbs.load', parameters: { ...load, ...patch } }];
const withSetting = (name: string) => ({
  server: { ...server, settings: [...server.settings, { name, value: 'x', unit: null, source: '' }] },
});
const says = (code: VerdictCode) => ({ verdicts: [{ code, reason: '', advice: '' }] });
const between = (patch: Partial<Run>, base: Partial<Run> = {}) =>
  findDifferences([[run(base)], [run(patch)]]);
const graded = (differences: readonly Difference[]) =>
  differences.map(({ area, name, grade }) => [area, name, grade]);

describe('a difference', () => {
  it.each([
    ['target', 'Target', 'harmless', { targetName: 'pi' }],
    ['target', 'Engine', 'explains', { engine: 'questdb' }],
    ['plan', 'tsbs.load · batchSize', 'explains', { resolvedSteps: steps({ batchSize: 5000 }) }],
    ['plan', 'tsbs.load · scale', 'breaks', { resolvedSteps: steps({ scale: 20 }) }],
    ['plan', 'tsbs.load · dbName', 'harmless', { resolvedSteps: steps({ dbName: 'b' }) }],
    ['plan', 'tsbs.load · reportingPeriod', 'harmless', { resolvedSteps: steps({ reportingPeriod: '10s' }) }],
    ['seed', 'Seed', 'explains', { seed: 2, resolvedSteps: steps({ seed: 2 }) }],
    ['server', 'Version', 'explains', { server: { ...server, version: '18.1' } }],
    ['server', 'Edition', 'explains', { server: { ...server, edition: 'TimescaleDB' } }],
    ['server', 'fsync', 'explains', withSetting('fsync')],
    ['server', 'log_statement', 'harmless', withSetting('log_statement')],
    ['client', 'Machine', 'breaks', { client: { ...client, hostname: 'lab' } }],
    ['client', 'Memory', 'harmless', { client: { ...client, memoryBytes: 2 ** 30 } }],
    ['client', 'Node', 'explains', { client: { ...client, node: '26.0.0' } }],
    ['tool', 'Benchberry', 'explains', { client: { ...client, toolVersion: '0.2.0' } }],
    ['health', 'Throttled', 'explains', says('throttled')],
    ['health', 'Stopped', 'breaks', says('cancelled')],
    ['health', 'Rows missing', 'breaks', says('rows-missing')],
  ] satisfies [string, string, string, Partial<Run>][])('of %s, %s: %s', (area, name, grade, patch) => {
    expect(graded(between(patch))).toEqual([[area, name, grade]]);
  });
  it('of where the loader ran breaks it; not to know it does not', () => {
    const beside = (loaderBeside: boolean) => ({ server: { ...server, loaderBeside } });
    expect(graded(between(beside(true), beside(false)))).toEqual([['loader', 'Loader', 'breaks']]);
    expect(graded(between(beside(true)))).toEqual([['loader', 'Loader', 'explains']]);
  });
  it('of what is the plan’s own wish is none of health', () => {
    expect(between(says('threshold-missed'))).toEqual([]);
  });
  it('has a reason that reads on after a colon', () => {
    for (const { reason } of between({ ...says('failed'), targetName: 'pi', seed: 3 }))
      expect(reason).toMatch(/^[a-z0-9].*[^.]$/);
  });
});

describe('sides of several runs', () => {
  it('differ where their sets do, whatever the order of the runs', () => {
    const seeds = (...all: number[]) => all.map((seed) => run({ seed, resolvedSteps: steps({ seed }) }));
    expect(findDifferences([seeds(1, 2), seeds(2, 1)]).map(({ values }) => values)).toEqual([
      ['1 / 2', '1 / 2'],
    ]);
    expect(brokenBetween(findDifferences([seeds(1, 2), seeds(2, 1)]), 0, 1)).toBeNull();
  });
  it('say in how many of their runs something was wrong', () => {
    const [found] = findDifferences([
      [run(), run()],
      [run(says('throttled')), run(), run()],
    ]);
    expect(found).toMatchObject({ name: 'Throttled', values: [null, 'in 1 of 3 runs'] });
  });
});

it('a comparison is broken only between the sides that differ', () => {
  const elsewhere = run({ client: { ...client, hostname: 'lab' } });
  const differences = findDifferences([[run()], [elsewhere], [run()]]);
  expect([0, 1, 2].map((side) => brokenBetween(differences, 0, side))).toEqual([
    null,
    'the loader ran on another machine',
    null,
  ]);
});
