/**
 * p values adjusted so that among all of them together at most 5 % of families without any true difference show one below
 * 0.05: Holm (1979), Scandinavian Journal of Statistics 6, 65–70. The smallest times how many there are, the next times one
 * less, and so on, never less than one before it, 1 at most. In the order given.
 */
export function holm(ps: readonly number[]): number[] {
  const order = ps.map((p, index) => ({ p, index })).sort((a, b) => a.p - b.p);
  const adjusted = new Array<number>(ps.length).fill(1);
  let least = 0;
  for (const [rank, { p, index }] of order.entries()) {
    least = Math.min(1, Math.max(least, p * (ps.length - rank)));
    adjusted[index] = least;
  }
  return adjusted;
}
