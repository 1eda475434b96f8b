/** Noise of benchmarks, made by a generator with a seed: the same each time. */

export type Random = () => number;

/** Standard normal numbers (Box & Muller 1958). */
export function gaussOf(random: Random): Random {
  return () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/** What one run of a set-up comes to, around 1. */
export interface Shape {
  name: string;
  draw(random: Random, gauss: Random): number;
}

export const shapes: readonly Shape[] = [
  { name: 'normal, CV 3 %', draw: (_, gauss) => 1 + 0.03 * gauss() },
  { name: 'lognormal, CV 10 %', draw: (_, gauss) => Math.exp(0.1 * gauss()) },
  {
    name: 'CV 2 %, one run of seven 15 % slower',
    draw: (random, gauss) => (1 + 0.02 * gauss()) * (random() < 1 / 7 ? 0.85 : 1),
  },
  {
    name: 'skewed: fast as can be, less an exponential 5 %',
    draw: (random) => 1 + 0.05 * Math.log(1 - random()),
  },
];

/** The rate of each second of a run in which a second takes over the share `phi` from the one before; CV 10 %. */
export function autoregression(phi: number, n: number, gauss: Random): number[] {
  let x = gauss() / Math.sqrt(1 - phi * phi);
  return Array.from({ length: n }, () => {
    x = phi * x + gauss();
    return Math.max(0.05, 1 + 0.1 * x * Math.sqrt(1 - phi * phi));
  });
}

/** Checkpoints every minute: the rate falls by a fifth and climbs back; each run meets them at another moment. */
export function saw(n: number, random: Random, gauss: Random): number[] {
  const phase = random() * 60;
  return Array.from({ length: n }, (_, i) => 0.9 + (0.2 * ((i + phase) % 60)) / 60 + 0.03 * gauss());
}

/** A slow swing of 5 % under fast noise of 10 %: what is hardest to see within a run. */
export function hidden(n: number, gauss: Random): number[] {
  const slow = autoregression(0.95, n, gauss);
  return slow.map((value) => 1 + (value - 1) / 2 + 0.1 * gauss());
}
