import type { Xoroshiro } from '../random/xoroshiro.ts';

/** Draws numbers of scripts by their weights, as pgbench does; a single script is not drawn. */
export function chooser(weights: readonly number[], random: Xoroshiro): () => number {
  if (weights.length === 1) return () => 0;
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return () => {
    let left = random.upTo(total - 1);
    let script = 0;
    for (; script < weights.length; script++) {
      left -= weights[script] ?? 0;
      if (left < 0) break;
    }
    return script;
  };
}
