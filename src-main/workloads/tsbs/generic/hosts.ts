import { GoRandom } from '../random/goRandom.ts';
import { Zipf } from '../random/zipf.ts';

/** TSBS draws what hosts differ in from a stream of its own, whatever the seed. */
const ownSeed = 1234;
const exponent = 1.01;

/** Numbers from 1 to `most`, small ones far more often. */
function draws(count: number, most: number): number[] {
  const zipf = new Zipf(new GoRandom(ownSeed), exponent, 1, most);
  return Array.from({ length: count }, () => {
    const drawn = zipf.next();
    return drawn < most ? drawn + 1 : drawn;
  });
}

/** How many metrics each host has: the last one has all of them. */
export function metricCounts(scale: number, most: number): Int32Array {
  return Int32Array.from([...draws(scale - 1, most), most]);
}

/** For how many epochs each host is there; 0 for ever. One half stays, the others are gone the sooner the higher their number. */
export function lifetimes(scale: number, epochs: number): Int32Array {
  const staying = Math.ceil(scale / 2);
  const lives = Int32Array.from(draws(scale - staying, epochs))
    .sort()
    .reverse();
  const all = new Int32Array(scale);
  all.set(lives, staying);
  return all;
}
