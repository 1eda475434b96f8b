/**
 * Tables of Marsaglia & Tsang's ziggurat for the normal distribution, 128 strips ("The Ziggurat Method for Generating
 * Random Variables", 2000), as Go's `NormFloat64` has them.
 */
const strips = 128;
/** Start of the tail. */
export const tailStart = 3.442619855899;
/** Area of a strip. */
const area = 9.91256303526217e-3;
const density = (x: number) => Math.exp(-0.5 * x * x);

/** |j| below `accept[i]` (an unsigned 32-bit number): j·`scale[i]` is the result. */
export const accept = new Float64Array(strips);
/** Single-precision numbers, widened. */
export const scale = new Float64Array(strips);
/** The density at the strip's edge, single precision. */
export const edge = new Float32Array(strips);

const range = 2 ** 31;
let d = tailStart;
const q = area / density(d);
accept[0] = Math.trunc((d / q) * range);
accept[1] = 0;
scale[0] = Math.fround(q / range);
scale[strips - 1] = Math.fround(d / range);
edge[0] = 1;
edge[strips - 1] = density(d);
for (let i = strips - 2; i >= 1; i--) {
  const outer = d;
  d = Math.sqrt(-2 * Math.log(area / outer + density(outer)));
  accept[i + 1] = Math.trunc((d / outer) * range);
  edge[i] = density(d);
  scale[i] = Math.fround(d / range);
}
