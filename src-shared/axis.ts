/** Axis ticks: round numbers that people would write. */

export interface Axis {
  domain: [number, number];
  ticks: number[];
}

/**
 * From zero to a round number not below `max`, about four steps of 1, 2 or 5 times a power of ten; `smallest` is the least
 * step, 1 where only whole numbers have a meaning.
 */
export function zeroBasedAxis(max: number, smallest = 0): Axis {
  if (!(max > 0)) return { domain: [0, 1], ticks: [0, 1] };
  const rough = Math.max(max / 4, smallest);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5, 10].find((factor) => factor * power >= rough * 0.999) ?? 10) * power;
  const steps = Math.ceil(max / step - 1e-9);
  // Products instead of running sums: no 0.30000000000000004.
  return { domain: [0, steps * step], ticks: Array.from({ length: steps + 1 }, (_, i) => i * step) };
}

/** Bounds of 1, 2 or 5 times a power of ten around the values; every decade a tick, with 2 and 5 where there are few. */
export function logAxis(min: number, max: number): Axis {
  if (!(min > 0) || !(max > 0)) return { domain: [1, 10], ticks: [1, 10] };
  const all: number[] = [];
  for (let power = Math.floor(Math.log10(min)) - 1; power <= Math.ceil(Math.log10(max)) + 1; power += 1) {
    for (const factor of [1, 2, 5]) all.push(power < 0 ? factor / 10 ** -power : factor * 10 ** power);
  }
  let first = 0;
  while ((all[first + 1] ?? Infinity) <= min) first += 1;
  let last = all.findIndex((value) => value >= max);
  if (last <= first) last = first + 1;
  const inside = all.slice(first, last + 1);
  const decades = inside.filter((value) => Number.isInteger(Math.round(Math.log10(value) * 1e6) / 1e6));
  return {
    domain: [inside[0] ?? 1, inside.at(-1) ?? 10],
    ticks: inside.length <= 6 || decades.length < 2 ? inside : decades,
  };
}

/** Whole seconds, minutes or hours within a window of elapsed time, ms; at most `count` of them. */
export function timeTicks(from: number, to: number, count: number): number[] {
  const seconds = [
    0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 43_200, 86_400,
  ];
  const wanted = (to - from) / Math.max(1, count);
  const step = (seconds.find((s) => s * 1000 >= wanted) ?? Math.ceil(wanted / 86_400_000) * 86_400) * 1000;
  const ticks: number[] = [];
  for (let i = Math.ceil(from / step); i * step <= to; i += 1) ticks.push(i * step);
  return ticks;
}

/** An elapsed time on the axis: `0:05`, `2:14`, `1:02:14`; tenths where the window is that narrow. */
export function formatAxisTime(ms: number, windowMs: number): string {
  if (windowMs < 5000) return `${(ms / 1000).toFixed(1)} s`;
  const s = Math.round(ms / 1000);
  const two = (n: number) => String(n).padStart(2, '0');
  const h = Math.floor(s / 3600);
  const m = Math.floor(s / 60) % 60;
  return h > 0 ? `${h}:${two(m)}:${two(s % 60)}` : `${m}:${two(s % 60)}`;
}

/** Around values that need not reach down to 0: round numbers on both sides, about four steps. */
export function valueAxis(min: number, max: number): Axis {
  const span = max > min ? max - min : Math.max(Math.abs(max) / 10, 1e-9);
  const { ticks } = zeroBasedAxis(span);
  const step = ticks[1] ?? span;
  const first = Math.floor(min / step + 1e-9);
  const last = Math.max(first + 1, Math.ceil(max / step - 1e-9));
  return {
    domain: [first * step, last * step],
    ticks: Array.from({ length: last - first + 1 }, (_, i) => (first + i) * step),
  };
}
