import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createApp } from '../../../src-main/app/createApp.ts';
import { memorySecrets } from '../../../src-main/app/secrets.ts';
import type { Api } from '../../../src-shared/contract/api.ts';
import type { Comparison } from '../../../src-shared/model/comparison.ts';
import type { Plan } from '../../../src-shared/model/plan.ts';
import type { BenchResult, Suite } from '../bench.ts';

const comparisons = 20;
/** One of twenty. */
const mostCalled = 1;

/** A load that is over in a second or two, and a query type: two kinds of figures. */
const plan: Plan = {
  version: 1,
  name: 'Unchanged',
  target: 'sandbox',
  steps: [
    {
      'tsbs.load': {
        ...{ scale: 20, timestampStart: '2016-01-01T00:00:00Z', timestampEnd: '2016-01-01T04:00:00Z' },
        ...{ seed: 123, batchSize: 1000, workers: 1 },
      },
    },
    { 'tsbs.queries': { types: ['lastpoint'], queries: 200, workers: 1 } },
  ],
  repeat: 1,
};

/**
 * Two sides that are the same: one plan on the unchanged sandbox, the runs of the sides in turn, twenty times over. `--pairs`:
 * runs of each side.
 */
export const unchangedSuite: Suite = {
  name: 'unchanged',
  about: `${comparisons} comparisons of a plan with itself on the sandbox: how many are called different`,
  async run(print, { pairs }) {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'benchberry-unchanged-'));
    const app = await createApp({ dataFolder: folder, secrets: memorySecrets() });
    try {
      // The first run makes the server's folder and fills its memory: it is of another kind than those after it.
      await runOnce(app.api);
      const found: Comparison[] = [];
      const singles: Comparison[] = [];
      for (let i = 0; i < comparisons; i += 1) {
        const sides = [{ runIds: [] as string[] }, { runIds: [] as string[] }];
        for (let run = 0; run < pairs; run += 1) {
          // A B, B A, A B …: whatever drifts meets both alike.
          for (const side of run % 2 === 0 ? sides : sides.toReversed())
            side.runIds.push(await runOnce(app.api));
        }
        const comparison = await app.api.call('comparisons.make', { sides });
        found.push(comparison);
        singles.push(
          await app.api.call('comparisons.make', {
            sides: sides.map(({ runIds }) => ({ runIds: runIds.slice(0, 1) })),
          }),
        );
        print(`${i + 1}: ${comparison.verdicts[1]?.sentence ?? 'no verdict'}`);
      }
      return resultOf(found, singles, pairs);
    } finally {
      await app.close();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    }
  },
};

function resultOf(found: readonly Comparison[], singles: readonly Comparison[], pairs: number): BenchResult {
  const called = (of: readonly Comparison[]) =>
    of.filter(({ verdicts }) => ['faster', 'slower'].includes(verdicts[1]?.kind ?? '')).length;
  const incomparable = found.filter(({ verdicts }) => verdicts[1]?.kind === 'not-comparable').length;
  const verdicts = found.flatMap(({ table }) => table.flatMap(({ cells }) => cells[1]?.verdict ?? []));
  const claimed = verdicts.filter(({ kind }) => kind === 'faster' || kind === 'slower').length;
  const of = `of ${comparisons}`;
  return {
    goals: [
      {
        ...{
          name: `${pairs} against ${pairs}, called different`,
          unit: of,
          must: 'at-most',
          limit: mostCalled,
        },
        value: called(found),
      },
      { ...{ name: 'not comparable with itself', unit: of, must: 'at-most', limit: 0 }, value: incomparable },
      {
        ...{ name: 'one run against one, called different', unit: of, must: 'at-most', limit: mostCalled },
        value: called(singles),
      },
    ],
    facts: [
      { name: 'of all verdicts of the tables, claimed', value: (100 * claimed) / verdicts.length, unit: '%' },
      { name: 'verdicts of the tables', value: verdicts.length, unit: '' },
    ],
    details: found.map(({ verdicts: [, verdict] }) => verdict?.sentence ?? null),
  };
}

/** @throws Error where the run does not come to its end */
async function runOnce(api: Api): Promise<string> {
  const over = Promise.withResolvers<{ id: string; status: string }>();
  const off = api.on('run.changed', ({ head, final }) => {
    if (final) over.resolve(head);
  });
  try {
    await api.call('runs.start', { plan, targetId: 'sandbox' });
    const { id, status } = await over.promise;
    if (status !== 'finished') throw new Error(`run ${id} is ${status}`);
    return id;
  } finally {
    off();
  }
}
