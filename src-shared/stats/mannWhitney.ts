import { normalCdf } from './distributions.ts';

/** Up to so many values together the distribution is counted out; beyond, it is next to normal. */
const exactUpTo = 60;

export interface RankTest {
  /** How many pairs have the value of `a` above that of `b`; ties count half. */
  u: number;
  /** Two-sided. */
  p: number;
}

/**
 * Whether values of one sample tend to be above those of another: the test of Mann and Whitney (1947). As benchstat does it,
 * p is twice the smaller tail, 1 at most, and for small samples exact: the rank sums of every choice of a's places are
 * counted out, tied values with their mean rank (conditional on the ties: Lehmann, Nonparametrics, 1975, section 1.4).
 * Larger samples: normal, with the variance corrected for ties and for continuity.
 * @param a,b not empty
 */
export function mannWhitney(a: readonly number[], b: readonly number[]): RankTest {
  const ranks = doubledRanks([...a, ...b]);
  const sum = ranks.slice(0, a.length).reduce((all, rank) => all + rank, 0);
  const u = (sum - a.length * (a.length + 1)) / 2;
  const tails =
    ranks.length <= exactUpTo ? exactTails(ranks, a.length, sum) : normalTails(ranks, a.length, u);
  return { u, p: Math.min(1, 2 * Math.min(...tails)) };
}

/** The least p that samples of these sizes can give, without ties: 2 ÷ the number of ways to choose the places. */
export function leastP(n: number, m: number): number {
  let ways = 1;
  for (let i = 1; i <= Math.min(n, m); i += 1) ways = (ways * (n + m - i + 1)) / i;
  return Math.min(1, 2 / ways);
}

/** Twice the rank of each value, from 1 on; tied values share the mean of their ranks, so that all are whole. */
function doubledRanks(values: readonly number[]): number[] {
  const order = values.map((value, index) => ({ value, index })).sort((x, y) => x.value - y.value);
  const ranks = new Array<number>(values.length).fill(0);
  for (let from = 0; from < order.length; ) {
    let to = from;
    while (to + 1 < order.length && order[to + 1]?.value === order[from]?.value) to += 1;
    for (let i = from; i <= to; i += 1) ranks[order[i]?.index ?? 0] = from + to + 2;
    from = to + 1;
  }
  return ranks;
}

/** P(sum ≤ s) and P(sum ≥ s) over all choices of `n` of the ranks: how many choices give each sum, rank by rank. */
function exactTails(ranks: readonly number[], n: number, s: number): [number, number] {
  const most = ranks.reduce((all, rank) => all + rank, 0);
  const ways = Array.from({ length: n + 1 }, () => new Float64Array(most + 1));
  const none = ways[0];
  if (none) none[0] = 1;
  for (const rank of ranks) {
    for (let k = n; k >= 1; k -= 1) {
      const [of, before] = [ways[k], ways[k - 1]];
      if (of === undefined || before === undefined) continue;
      for (let total = most; total >= rank; total -= 1)
        of[total] = (of[total] ?? 0) + (before[total - rank] ?? 0);
    }
  }
  let [all, lower, upper] = [0, 0, 0];
  ways[n]?.forEach((count, total) => {
    all += count;
    if (total <= s) lower += count;
    if (total >= s) upper += count;
  });
  return [lower / all, upper / all];
}

function normalTails(ranks: readonly number[], n: number, u: number): [number, number] {
  const total = ranks.length;
  const m = total - n;
  const counts = new Map<number, number>();
  for (const rank of ranks) counts.set(rank, (counts.get(rank) ?? 0) + 1);
  const ties = [...counts.values()].reduce((all, t) => all + t ** 3 - t, 0);
  const variance = ((n * m) / 12) * (total + 1 - ties / (total * (total - 1)));
  if (variance <= 0) return [1, 1];
  const middle = (n * m) / 2;
  const sd = Math.sqrt(variance);
  return [normalCdf((u - middle + 0.5) / sd), 1 - normalCdf((u - middle - 0.5) / sd)];
}
