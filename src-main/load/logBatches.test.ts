import { expect, it } from 'vitest';
import { runJob } from './runJob.ts';
import { fakeEndpoint, fakeEntry } from './testing/fakes.ts';

async function events(logBatches: boolean): Promise<string[]> {
  const lines: string[] = [];
  const { endpoint } = fakeEndpoint(250);
  await runJob(
    {
      endpoint,
      work: {
        kind: 'load',
        rows: { workload: 'fake', parameters: { rows: 250 } },
        prepared: { database: 'benchmark', notes: [], driver: {} },
        workers: 2,
        batchSize: 100,
        hashWorkers: false,
        insertIntervals: [],
        seed: 0,
        logBatches,
      },
    },
    {
      signal: new AbortController().signal,
      entry: fakeEntry,
      threads: 2,
      onEvent: (text) => lines.push(text),
    },
  );
  return lines;
}

it('gives a line for each batch where it is asked for, and none else', async () => {
  const lines = await events(true);
  expect(
    lines
      .map((line) => line.replace(/^Worker [01]: (\d+) rows in .* (µs|ms|s), [\d,.]+ rows\/s$/, '$1'))
      .sort(),
  ).toEqual(['100', '100', '50']);
  expect(await events(false)).toEqual([]);
});
