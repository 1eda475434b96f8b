import type { Metric } from '../../../src-shared/model/comparison.ts';
import type { LatencyCells } from '../../../src-shared/model/latencies.ts';
import { judge, type Question } from '../../../src-shared/stats/judge.ts';
import { percentileOf } from '../../../src-shared/stats/latencies.ts';
import { mergedQuantileRatio } from '../../../src-shared/stats/latencyInterval.ts';
import { mulberry32 } from '../../../src-shared/stats/random.ts';
import { changeWithin } from '../../../src-shared/stats/within.ts';
import type { BenchResult, Fact, Goal, Suite } from '../bench.ts';
import { holds, intervalForms } from './intervals.ts';
import { autoregression, gaussOf, hidden, type Random, type Shape, saw, shapes } from './noise.ts';

/** How often a comparison may claim a difference that there is not. */
const mostFalse = 5;
const runsEach = 5;

const rate: Metric = {
  ...{ key: 'rows', label: 'Rows per second', kind: 'rate', unit: 'rows/s', better: 'higher' },
};
const latency: Metric = {
  ...{ key: 'p99', label: 'Latency p99', kind: 'latency', unit: 'µs', better: 'lower' },
};

/** Simulated comparisons: how often a difference is claimed where there is none, and how often one of 10 % is found. */
export const statisticsSuite: Suite = {
  name: 'statistics',
  about:
    'Verdicts of simulated comparisons, five runs against five: false claims, power, what intervals hold',
  async run(print) {
    const goals: Goal[] = [];
    const facts: Fact[] = [];
    const parts = [noDifference, power, coverage, families, mergedPercentiles, within];
    for (const [i, part] of parts.entries()) {
      // A seed for each: one can be changed without the figures of the others.
      const random = mulberry32(20_261_130 + i);
      for (const { figure, limit } of part(random, gaussOf(random))) {
        print(`${figure.name}: ${figure.value.toFixed(2)} ${figure.unit}`);
        if (limit === undefined) facts.push(figure);
        else goals.push({ ...figure, must: 'at-most', limit });
      }
    }
    return { goals, facts } satisfies BenchResult;
  },
};

type Figures = Iterable<{ figure: Fact; limit?: number }>;

/** What the runs of one side come to. */
function draw(shape: Shape, random: Random, gauss: Random): number[] {
  return Array.from({ length: runsEach }, () => 10_000 * shape.draw(random, gauss));
}

const percent = (name: string, count: number, of: number): Fact => ({
  name,
  value: (100 * count) / of,
  unit: '%',
});
const claims = (kind: string | undefined) => kind === 'faster' || kind === 'slower';
const ask = (base: readonly number[], side: readonly number[]): Question => ({
  metric: rate,
  base,
  side,
  broken: null,
});

/** 10,000 pairs without a true difference, as many of each shape of noise. */
function* noDifference(random: Random, gauss: Random): Figures {
  const pairs = 10_000;
  let claimed = 0;
  for (let pair = 0; pair < pairs; pair += 1) {
    const shape = shapes[pair % shapes.length] ?? shapes[0];
    if (shape === undefined) continue;
    const [verdict] = judge([ask(draw(shape, random, gauss), draw(shape, random, gauss))]);
    if (claims(verdict?.kind)) claimed += 1;
  }
  yield { figure: percent('claimed without a difference, 10,000 pairs', claimed, pairs), limit: mostFalse };
}

/** A true difference of 10 %, by how much runs vary and how many there are. */
function* power(random: Random, gauss: Random): Figures {
  const pairs = 1000;
  for (const n of [4, 5, 10]) {
    for (const cv of [0.02, 0.03, 0.05, 0.1]) {
      const runs = (factor: number) => Array.from({ length: n }, () => factor * (1 + cv * gauss()));
      let found = 0;
      for (let pair = 0; pair < pairs; pair += 1) {
        const [verdict] = judge([ask(runs(1), runs(random() < 0.5 ? 1.1 : 1 / 1.1))]);
        if (claims(verdict?.kind)) found += 1;
      }
      yield { figure: percent(`10 % found, ${n} against ${n}, CV ${100 * cv} %`, found, pairs) };
    }
  }
}

function* coverage(random: Random, gauss: Random): Figures {
  const pairs = 1000;
  for (const shape of shapes) {
    const held = Object.fromEntries(intervalForms.map((form) => [form, 0]));
    for (let pair = 0; pair < pairs; pair += 1) {
      const found = holds(draw(shape, random, gauss), draw(shape, random, gauss), 1, random);
      for (const form of intervalForms) if (found[form]) held[form] = (held[form] ?? 0) + 1;
    }
    for (const form of intervalForms)
      yield { figure: percent(`held by ${form}, ${shape.name}`, held[form] ?? 0, pairs) };
  }
}

/** Tables of fifteen operations without any difference: how many claim one anywhere. */
function* families(random: Random, gauss: Random): Figures {
  const [tables, operations] = [1000, 15];
  const [shape] = shapes;
  let claimed = 0;
  for (let table = 0; shape !== undefined && table < tables; table += 1) {
    const questions = Array.from({ length: operations }, () =>
      ask(draw(shape, random, gauss), draw(shape, random, gauss)),
    );
    if (judge(questions).some(({ kind }) => claims(kind))) claimed += 1;
  }
  yield {
    figure: percent('tables of 15 operations with any false claim', claimed, tables),
    limit: mostFalse,
  };
}

/** p99 of merged histograms: runs that differ among each other by 5 %, 2,000 exponential latencies each. */
function* mergedPercentiles(random: Random, gauss: Random): Figures {
  const pairs = 1000;
  for (const factor of [1, 1.2]) {
    let claimed = 0;
    for (let pair = 0; pair < pairs; pair += 1) {
      const side = (level: number) =>
        Array.from({ length: runsEach }, () => exponential(level * (1 + 0.05 * gauss()), 2000, random));
      const [under, over] = [side(10_000), side(10_000 * factor)];
      const own = (runs: readonly LatencyCells[]) => runs.map((run) => percentileOf(run, 0.99));
      const merged = mergedQuantileRatio(under, over, 0.99);
      const [verdict] = judge([{ metric: latency, base: own(under), side: own(over), broken: null, merged }]);
      if (claims(verdict?.kind)) claimed += 1;
    }
    const figure = percent(
      factor === 1 ? 'p99 claimed without a difference' : 'p99 that is 20 % higher found',
      claimed,
      pairs,
    );
    yield factor === 1 ? { figure, limit: mostFalse } : { figure };
  }
}

/** In cells of 1 %. */
function exponential(level: number, n: number, random: Random): LatencyCells {
  const counts = new Map<number, number>();
  for (let i = 0; i < n; i += 1) {
    const cell = Math.round(Math.log(1 - level * Math.log(1 - random())) / Math.log(1.01));
    counts.set(cell, (counts.get(cell) ?? 0) + 1);
  }
  const sorted = [...counts].sort(([a], [b]) => a - b);
  return { us: sorted.map(([cell]) => 1.01 ** cell), counts: sorted.map(([, count]) => count) };
}

/** One run against one, from their seconds alone: how often the interval leaves out 0 though nothing differs. */
function* within(random: Random, gauss: Random): Figures {
  const kinds: { name: string; make(n: number): number[]; limit?: number }[] = [
    ...[0, 0.3, 0.6, 0.8, 0.9].map((phi) => ({
      name: `a second takes over ${phi}`,
      make: (n: number) => autoregression(phi, n, gauss),
      // 5 %, and three standard errors of 500 pairs.
      limit: 8,
    })),
    { name: 'a checkpoint each minute', make: (n) => saw(n, random, gauss), limit: 8 },
    { name: 'a slow swing under fast noise', make: (n) => hidden(n, gauss) },
  ];
  const pairs = 500;
  for (const n of [300, 600]) {
    for (const { name, make, limit } of kinds) {
      let [told, claimed] = [0, 0];
      for (let pair = 0; pair < pairs; pair += 1) {
        const change = changeWithin(make(n), make(n));
        if (change === null) continue;
        told += 1;
        if (change.low > 0 || change.high < 0) claimed += 1;
      }
      const figure = percent(
        `within two runs of ${n} s, ${name} (${told} of ${pairs} told)`,
        claimed,
        Math.max(1, told),
      );
      yield limit === undefined ? { figure } : { figure, limit };
    }
  }
}
