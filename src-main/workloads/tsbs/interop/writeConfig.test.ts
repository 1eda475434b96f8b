import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stepParameters } from '../../../../src-shared/model/plan.ts';
import { readCommandLines } from '../../commandLine/readCommandLines.ts';
import { resolvePlan } from '../../resolve.ts';
import { fileStep } from '../load/fileStep.ts';
import { loadStep } from '../load/loadStep.ts';
import { readConfig } from './readConfig.ts';
import { tsbsCommandLines } from './readLine.ts';
import { writeConfig } from './writeConfig.ts';

const server = {
  ...{ engine: 'postgresql', host: 'pi.local', port: 5433, user: 'mira' },
  ...{ adminDatabase: 'adm', tlsMode: 'require', ilpPort: 9010 },
};

function resolved(steps: Record<string, Record<string, unknown>>[]) {
  const plan = resolvePlan({ version: 1, name: 'x', target: 'sandbox', steps });
  expect(plan.problems).toEqual([]);
  return plan.steps;
}
function written(
  steps: Record<string, Record<string, unknown>>[],
  to: Parameters<typeof writeConfig>[0]['server'],
) {
  const config = writeConfig({ steps: resolved(steps), server: to });
  if (config === null) throw new Error('no configuration');
  return config;
}

const count = (min: number, max: number) => fc.integer({ min, max });
/** Every parameter of a load that a configuration has a key for. */
const loads = fc
  .record({
    useCase: fc.constantFrom('cpu-only', 'devops', 'iot', 'cpu-single', 'devops-generic'),
    scale: count(1, 100_000),
    seed: fc.maxSafeInteger().filter((seed) => seed !== 0),
    logInterval: fc.constantFrom('10s', '1m30s', '500ms'),
    maxDataPoints: count(0, 2 ** 40),
    maxMetricCount: count(1, 10_000),
    dbName: fc.string({ minLength: 1, maxLength: 20 }).map((name) => `b${name.trim()}`),
    workers: count(1, 1000),
    batchSize: count(1, 1_000_000),
    limit: count(0, 2 ** 40),
    reportingPeriod: fc.constantFrom('0s', '10s', '1h0m0s'),
    doLoad: fc.boolean(),
    doCreateDb: fc.boolean(),
    doAbortOnExist: fc.boolean(),
    hashWorkers: fc.boolean(),
    insertIntervals: fc.constantFrom('', '1', '1,0-5', '0.5'),
    flowControl: fc.boolean(),
    channelCapacity: count(0, 1000),
    logBatches: fc.boolean(),
    useHypertable: fc.boolean(),
    chunkTime: fc.constantFrom('12h', '4h0m0s', '30m'),
    partitions: count(0, 32_767),
    replicationFactor: count(0, 32_767),
    useJsonbTags: fc.boolean(),
    inTablePartitionTag: fc.boolean(),
    partitionIndex: fc.boolean(),
    timeIndex: fc.boolean(),
    timePartitionIndex: fc.boolean(),
    fieldIndex: fc.constantFrom('', 'VALUE-TIME', 'TIME-VALUE,VALUE-TIME'),
    fieldIndexCount: count(-1, 20),
    createMetricsTable: fc.boolean(),
    forceTextFormat: fc.boolean(),
    useInsert: fc.boolean(),
  })
  // Rows are made in the time between, whatever the interval.
  .map((own) => ({ ...own, timestampStart: '2021-01-01T10:00:00Z', timestampEnd: '2021-01-04T08:00:00Z' }));

describe('a plan as a configuration of tsbs_load', () => {
  it('read again is the same load', () => {
    fc.assert(
      fc.property(loads, (own) => {
        const { text } = written([{ 'tsbs.load': own }], server);
        const { step, mistakes, target } = readConfig(text, null);
        expect(mistakes).toEqual([]);
        expect(target).toBe('postgresql://mira@pi.local:5433/adm?sslmode=require');
        expect(resolved([step])).toEqual(resolved([{ 'tsbs.load': own }]));
      }),
      { numRuns: 40 },
    );
  });

  it('of a file is a configuration of a file', () => {
    const { text, leftOut } = written(
      [{ 'tsbs.file': { file: '/data/d.gz', workers: 3, anyOrder: true } }],
      null,
    );
    expect(stepParameters(readConfig(text, null).step)).toMatchObject({ file: '/data/d.gz', workers: 3 });
    expect(leftOut.map(({ option }) => option)).toEqual(['target', 'anyOrder']);
  });

  it('has every switch and number of both steps that is not as by itself, or names it', () => {
    for (const { id, parameters } of [loadStep, fileStep]) {
      const own = id === 'tsbs.file' ? { file: '/d' } : {};
      const plain = parameters.parse(own);
      const changed = Object.entries(plain).flatMap(([key, value]): [string, boolean | number][] => {
        if (typeof value === 'boolean') return [[key, !value]];
        return typeof value === 'number' ? [[key, value + 1]] : [];
      });
      expect(changed.length).toBeGreaterThan(20);
      for (const [key, value] of changed) {
        const config = writeConfig({ steps: [{ id, parameters: { ...plain, [key]: value } }], server });
        const back = stepParameters(readConfig(config?.text ?? '', null).step);
        const isNamed = config?.leftOut.some(({ option }) => option === key);
        expect([key, isNamed || back[key] === value]).toEqual([key, true]);
      }
    }
  });

  it('names what it has no word for', () => {
    const { leftOut, text } = written(
      [
        { 'tsbs.load': { initialScale: 3, writeMode: 'insert-single' } },
        { 'tsbs.queries': { types: ['lastpoint', 'high-cpu-1'], burnIn: 5, queries: 20 } },
        { 'tsbs.load': { doCreateDb: false } },
        { 'pgbench.run': { seconds: 1 } },
      ],
      null,
    );
    expect(leftOut).toEqual([
      { option: 'initialScale', reason: expect.stringMatching(/forgets it/) },
      { option: 'target', reason: expect.stringMatching(/fill in host, port and user/) },
      { option: 'tsbs.load', reason: expect.stringMatching(/holds one load/) },
      { option: 'pgbench.run', reason: 'it is no step of TSBS' },
      { option: 'tsbs.queries', reason: expect.stringMatching(/stand in comments/) },
      { option: 'writeMode', reason: 'tsbs_load has no such key' },
    ]);
    // The commands in the comments are the same queries.
    const commands = text
      .split('\n')
      .filter((line) => line.startsWith('# tsbs_generate_queries'))
      .map((line) => line.slice(2));
    expect(commands).toHaveLength(2);
    const { steps } = readCommandLines(commands.join('\n'), [tsbsCommandLines], new Map());
    expect(resolved(steps)).toEqual(
      resolved([
        { 'tsbs.load': {} },
        { 'tsbs.queries': { types: ['lastpoint', 'high-cpu-1'], burnIn: 5, queries: 20, maxQueries: 20 } },
      ]).slice(1),
    );
  });

  it('for QuestDB has the command of its own loader, which says the same', () => {
    const questdb = { ...server, engine: 'questdb', port: 9000 };
    for (const own of [
      { 'tsbs.load': { scale: 7, workers: 3, limit: 50, ilpTransport: 'tcp' } },
      { 'tsbs.file': { file: '/d', limit: 50, ilpTransport: 'tcp' } },
    ]) {
      const { text, leftOut } = written([own], questdb);
      expect(leftOut[0]?.reason).toMatch(/no loader for QuestDB/);
      const command = text.split('\n')[0]?.replace('# ', '') ?? '';
      const { steps, target } = readCommandLines(command, [tsbsCommandLines], new Map());
      expect(target).toBe('questdb://pi.local:9000?ilpPort=9010');
      expect(resolved(steps)).toEqual(resolved([own]));
    }
  });

  it('is none where nothing of TSBS is loaded', () => {
    expect(writeConfig({ steps: resolved([{ 'pgbench.run': { seconds: 1 } }]), server: null })).toBeNull();
  });
});
