import { type Int64, wrapInt } from '../int64.ts';
import { Xoroshiro } from './xoroshiro.ts';

/** The generators of one pgbench run, seeded as pgbench seeds them: each from the base generator, in this order. */
export interface Seeds {
  /** One per client: what its scripts draw. */
  clients: readonly Xoroshiro[];
  /** `:default_seed`. */
  defaultSeed: Int64;
  /** Per thread. */
  threads: readonly ThreadSeeds[];
}
interface ThreadSeeds {
  /** Which script comes next. */
  choose: Xoroshiro;
  /** Which transactions a sampled log has. */
  sample: Xoroshiro;
}

/**
 * @param seed `--random-seed`
 * @param defaultSeedGiven `:default_seed` is defined by the plan, so that pgbench draws none: all that follows shifts by one
 */
export function seedsOf(seed: bigint, clients: number, threads: number, defaultSeedGiven: boolean): Seeds {
  const base = new Xoroshiro(seed);
  const next = () => new Xoroshiro(base.word());
  const clientSeeds = Array.from({ length: clients }, next);
  const defaultSeed = defaultSeedGiven ? 0 : wrapInt(base.word());
  return {
    clients: clientSeeds,
    defaultSeed,
    threads: Array.from({ length: threads }, () => {
      const choose = next();
      base.word(); // pgbench's generator for the gaps of the schedule
      return { choose, sample: next() };
    }),
  };
}
