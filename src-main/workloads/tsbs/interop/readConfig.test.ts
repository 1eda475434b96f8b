import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { AppError } from '../../../../src-shared/errors.ts';
import { stepParameters } from '../../../../src-shared/model/plan.ts';
import { resolvePlan } from '../../resolve.ts';
import { articleConfig } from '../testing/articleConfig.ts';
import { readConfig } from './readConfig.ts';

/** The resolved parameters of a step, as they are run. */
function resolved(step: Record<string, Record<string, unknown>>) {
  const { steps, problems } = resolvePlan({ version: 1, name: 'x', target: 'sandbox', steps: [step] });
  return { parameters: steps[0]?.parameters, problems };
}

describe('the article’s configuration', () => {
  const read = readConfig(articleConfig, 'config.yaml');

  it('becomes a plan of a million rows, but for what stands in its two broken lines', () => {
    expect(read.step).toEqual({
      'tsbs.load': {
        ...{ useCase: 'cpu-only', scale: 40, seed: 135, logInterval: '10s', maxDataPoints: 1_000_000 },
        ...{ timestampStart: '2021-01-01T10:00:00Z', timestampEnd: '2021-01-04T08:00:00Z' },
        ...{ chunkTime: '4h', createMetricsTable: true, fieldIndex: 'VALUE-TIME', fieldIndexCount: 0 },
        ...{ forceTextFormat: false, inTablePartitionTag: false, partitionIndex: true, partitions: 0 },
        ...{ useHypertable: true, useJsonbTags: false, batchSize: 10_000, channelCapacity: 0 },
        ...{ dbName: 'benchmark', doAbortOnExist: false, doCreateDb: true, doLoad: true, flowControl: false },
        ...{ hashWorkers: true, insertIntervals: '', limit: 1_000_000, reportingPeriod: '10s', workers: 4 },
      },
    });
    const { problems, parameters } = resolved(read.step);
    expect(problems).toEqual([]);
    // 70 hours of 40 hosts, a row each ten seconds, are 1,008,000: the limits hold.
    expect(resolvePlan({ version: 1, name: 'x', target: 'null', steps: [read.step] }).rows).toBe(1_000_000);
    expect(parameters).toMatchObject({ logBatches: false, timeIndex: true, replicationFactor: 0 });
    expect(read.target).toBe('postgresql://postgres@192.168.1.20:5433/postgres?sslmode=disable');
    expect(read.name).toBe('TSBS cpu-only, scale 40');
  });

  it('names the two lines with their place and the likely fix', () => {
    expect(read.mistakes).toEqual([
      {
        message: 'A space is missing after the colon of "log-batches"',
        hint: 'Write log-batches: false',
        line: 24,
        column: 5,
        fix: '    log-batches: false',
      },
      {
        message: 'There are 3 keys in one line',
        hint: expect.stringContaining('each on a line of its own'),
        line: 30,
        column: 5,
        fix: '    replication-factor: 0\n    time-index: true\n    time-partition-index: false',
      },
    ]);
  });

  it('says of every other key that it is taken over, or why not', () => {
    const keys = articleConfig.split('\n').filter((line) => /: \S/.test(line)).length;
    const without = read.leftOut.map(({ option, place }) => [option, place?.line]);
    expect(without).toEqual([
      ['loader.db-specific.pass', 27],
      ['loader.runner.channel-capacity: 0', 38],
      ['loader.runner.flow-control: false', 43],
      ['loader.runner.seed: 135', 48],
    ]);
    expect(read.leftOut.every(({ reason }) => reason.length > 20)).toBe(true);
    // Queue and flow control are kept for the way back and told of besides; two keys are empty.
    expect(read.taken.length + without.length - 2).toBe(keys - 2);
    expect(JSON.stringify(read)).not.toContain('"password"');
  });

  it('is whole once its lines are corrected', () => {
    const lines = articleConfig.split('\n');
    for (const { line, fix } of read.mistakes) lines[line - 1] = fix ?? '';
    const again = readConfig(lines.join('\n'), null);
    expect(again.mistakes).toEqual([]);
    expect(stepParameters(again.step)).toMatchObject({
      ...stepParameters(read.step),
      ...{ logBatches: false, replicationFactor: 0, timeIndex: true, timePartitionIndex: false },
    });
  });
});

describe('a configuration', () => {
  it('without a key has what TSBS takes then', () => {
    expect(readConfig('loader:\n  runner:\n    workers: 2\n', null).step).toEqual({
      'tsbs.load': {
        ...{ useCase: 'devops-generic', scale: 1, seed: 0, workers: 2 },
        ...{ timestampStart: '2020-01-01T00:00:00Z', timestampEnd: '2020-01-02T00:00:00Z' },
      },
    });
  });

  it('of a file loads that file, without what makes rows', () => {
    const text =
      'data-source: {type: FILE, file: {location: /data/d}, simulator: {scale: 4}}\nloader: {target: timescaledb, runner: {workers: 2}}';
    const { step, name, mistakes, leftOut } = readConfig(text, null);
    expect({ step, name, mistakes, leftOut }).toEqual({
      step: { 'tsbs.file': { file: '/data/d', workers: 2 } },
      name: 'TSBS d',
      mistakes: [],
      leftOut: [
        { option: 'data-source.simulator.scale: 4', reason: 'the type is FILE: nothing is simulated' },
      ],
    });
    const simulated = readConfig(text.replace('FILE', 'SIMULATOR'), null);
    expect(simulated.step).toMatchObject({ 'tsbs.load': { scale: 4, workers: 2 } });
    expect(simulated.leftOut).toEqual([
      { option: 'data-source.file.location: /data/d', reason: 'the type is SIMULATOR: no file is read' },
    ]);
  });

  it('for QuestDB loads as TSBS does, over TCP', () => {
    const text = 'loader:\n  db-specific:\n    url: http://pi:9000/\n    ilp-bind-to: pi:9009\n';
    const { step, target } = readConfig(text, null);
    expect(target).toBe('questdb://pi:9000');
    expect(step).toMatchObject({ 'tsbs.load': { ilpTransport: 'tcp' } });
    expect(resolved(step).problems).toEqual([]);
  });

  it.each([
    ['Loader:\n  Runner:\n    Batch-Size: 7\n', { batchSize: 7 }],
    ['loader:\n  runner:\n    reporting-period: 5000000000\n', { reportingPeriod: '5000000000ns' }],
    ['loader:\n  runner:\n    insert-intervals: [1, 2-4]\n', { insertIntervals: '1,2-4' }],
    ['loader:\n\trunner:\n\t\tworkers: 3\n', { workers: 3 }],
    ['loader:\r\n  runner:\r\n    do-load:false\r\n    workers: 3\r\n', { workers: 3 }],
    ['loader:\n  runner: {workers:3, limit: 5}\n  target: x\n', {}],
    ['loader:\n  runner:\n    workers: "3\n    limit: 5\n', {}],
    ['loader:\n  runner:\n    workers: 3\n   limit: 4\n    batch-size: 5\n', { workers: 3 }],
    ['loader:\n  runner:\n    workers: 3\n    workers: 4\n    limit: 5\n', { workers: 3, limit: 5 }],
    ['loader:\n  runner:\n    workers: *none\n    limit: 5\n', { limit: 5 }],
  ])('%j', (text, parameters) => {
    const { step } = readConfig(text, null);
    expect(stepParameters(step)).toMatchObject(parameters);
  });

  it.each([
    ['loader:\n  runner:\n    wrokers: 3\n', 'loader.runner has no such option: did you mean workers?'],
    ['loader:\n  runner:\n    workers: many\n', 'a whole number is needed, below 2^53'],
    ['loader:\n  runner:\n    workers: 5000\n', '5000 is out of range: 1 to 1,000'],
    ['loader:\n  target: prometheus\n', 'the target decides in which form rows and queries are sent'],
    ['loader:\n  other: 1\n', 'loader has no such option'],
    ['prometheus:\n  url: x\n', 'tsbs_load has no such key for TimescaleDB or QuestDB'],
    [
      'data-source:\n  simulator:\n    initial-scale: 3\n',
      expect.stringMatching(/reads this key and forgets it/),
    ],
    ['constructor: 1\n__proto__: 2\n', 'tsbs_load has no such key for TimescaleDB or QuestDB'],
  ])('%j is named with its reason', (text, reason) => {
    expect(readConfig(text, null).leftOut[0]).toEqual({
      option: expect.any(String),
      reason,
      place: { line: expect.any(Number), column: expect.any(Number) },
    });
  });

  it.each(['hello', '- a\n- b\n', '[1, 2'])('%j is none', (text) => {
    expect(() => readConfig(text, 'c.yaml')).toThrow('There are no keys in this text');
  });

  it('however mangled is read as far as it can be, or refused by name', () => {
    const lines = articleConfig.split('\n');
    const mangled = fc
      .array(
        fc.record({
          at: fc.nat(lines.length - 1),
          line: fc.oneof(
            fc.string(),
            fc.constantFrom(
              'workers:3',
              '  "',
              '- x',
              '\t\tlimit: 4',
              '---',
              '...',
              '%YAML 3',
              '{',
              '&a *a',
              '? x',
            ),
            fc.constantFrom('    a:1 b:2', '    limit: 1 workers: 2', ': :', '    seed: !!int x', '|', '>-'),
          ),
        }),
        { minLength: 1, maxLength: 6 },
      )
      .map((changes) => {
        const text = [...lines];
        for (const { at, line } of changes) text[at] = line;
        return text.join('\n');
      });
    fc.assert(
      fc.property(mangled, (text) => {
        try {
          const { step, mistakes, leftOut } = readConfig(text, null);
          const count = text.split('\n').length;
          for (const { line, column } of [...mistakes, ...leftOut.flatMap(({ place }) => place ?? [])]) {
            expect(line).toBeGreaterThan(0);
            expect(line).toBeLessThanOrEqual(count);
            expect(column).toBeGreaterThan(0);
          }
          // Values that a step refuses are not taken; fields that do not go together are the plan's to tell.
          expect(resolved(step).problems.filter(({ message }) => message.includes('no key'))).toEqual([]);
        } catch (error) {
          expect(error).toBeInstanceOf(AppError);
        }
      }),
    );
  });

  it('whose every line is right has no mistakes, whatever its values', () => {
    const value = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null));
    const keys = fc.constantFrom('workers', 'limit', 'db-name', 'insert-intervals', 'unknown');
    fc.assert(
      fc.property(fc.dictionary(keys, value), (runner) => {
        // Quoted, a text is no key, whatever is in it.
        const text = stringify({ loader: { runner } }, { defaultStringType: 'QUOTE_DOUBLE', lineWidth: 0 });
        expect(readConfig(text, null).mistakes).toEqual([]);
      }),
    );
  });
});
