const l1 = 0.6666666666666735;
const l2 = 0.3999999999940942;
const l3 = 0.2857142874366239;
const l4 = 0.22222198432149784;
const l5 = 0.1818357216161805;
const l6 = 0.15313837699209373;
const l7 = 0.14798198605116586;
const ln2High = 0.6931471803691238;
const ln2Low = 1.9082149292705877e-10;

const double = new Float64Array(1);
const halves = new Uint32Array(double.buffer);
const high = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1 ? 1 : 0;

/**
 * Natural logarithm as Go computes it (FreeBSD's msun, no fused multiply-add): an engine's own `Math.log` differs in the
 * last bit for one argument in fifty, and the tail of `NormFloat64` puts logarithms straight into the data.
 * @param x zero, or a normal positive number
 */
export function goLog(x: number): number {
  if (x === 0) return Number.NEGATIVE_INFINITY;
  // x = f1·2^k with f1 in [√½, √2)
  double[0] = x;
  const bits = halves[high] ?? 0;
  let k = ((bits >>> 20) & 0x7ff) - 1022;
  halves[high] = (bits & 0x800fffff) | (1022 << 20);
  let f1 = double[0];
  if (f1 < Math.SQRT2 / 2) {
    f1 *= 2;
    k -= 1;
  }
  const f = f1 - 1;
  const s = f / (2 + f);
  const s2 = s * s;
  const s4 = s2 * s2;
  const t1 = s2 * (l1 + s4 * (l3 + s4 * (l5 + s4 * l7)));
  const t2 = s4 * (l2 + s4 * (l4 + s4 * l6));
  const r = t1 + t2;
  const h = 0.5 * f * f;
  return k * ln2High - (h - (s * (h + r) + k * ln2Low) - f);
}
