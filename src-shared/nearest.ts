/**
 * The name that a mistyped one most likely meant: the fewest inserted, left out, changed or swapped characters, case
 * aside. Null where even the nearest needs more than a third of the characters changed (two for short names).
 */
export function nearest(text: string, names: readonly string[]): string | null {
  let best: string | null = null;
  let least = Math.max(2, Math.floor(text.length / 3)) + 1;
  for (const name of names) {
    if (Math.abs(text.length - name.length) >= least) continue;
    const distance = editDistance(text.toLowerCase(), name.toLowerCase());
    if (distance < least) {
      least = distance;
      best = name;
    }
  }
  return best;
}

/** Optimal string alignment distance. */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i += 1) {
    const current = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const change = a[i - 1] === b[j - 1] ? 0 : 1;
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      current[j] = Math.min(
        at(previous, j) + 1,
        at(current, j - 1) + 1,
        at(previous, j - 1) + change,
        swapped ? at(before, j - 2) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    before = previous;
    previous = current;
  }
  return at(previous, b.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}
