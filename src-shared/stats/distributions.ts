/** Normal and Student's t distributions, to about ten digits: what p values and quantiles are read from. */

/**
 * P(Z ≤ z) of a standard normal variable, from the regularized incomplete gamma function: erfc(x) = Q(1/2, x²).
 * Series below, continued fraction above (Abramowitz & Stegun 6.5.29 and 6.5.31, Lentz's method).
 */
export function normalCdf(z: number): number {
  const x = (z * z) / 2;
  const upper = x < 1.5 ? 1 - lowerGammaHalf(x) : upperGammaHalf(x);
  return z < 0 ? upper / 2 : 1 - upper / 2;
}

/** P(1/2, x) by its series. */
function lowerGammaHalf(x: number): number {
  if (x === 0) return 0;
  let term = 2; // 1 / a
  let sum = term;
  for (let n = 1; n < 200 && term > sum * 1e-17; n += 1) {
    term *= x / (n + 0.5);
    sum += term;
  }
  return (sum * Math.exp(-x) * Math.sqrt(x)) / Math.sqrt(Math.PI);
}

/** Q(1/2, x) by its continued fraction. */
function upperGammaHalf(x: number): number {
  let b = x + 0.5;
  let c = 1e300;
  let d = 1 / b;
  let h = d;
  for (let i = 1; i < 500; i += 1) {
    const a = -i * (i - 0.5);
    b += 2;
    d = 1 / (a * d + b);
    c = b + a / c;
    const change = c * d;
    h *= change;
    if (Math.abs(change - 1) < 1e-16) break;
  }
  return (h * Math.exp(-x) * Math.sqrt(x)) / Math.sqrt(Math.PI);
}

/** log Γ(x), x > 0: Lanczos (1964) with g = 7 and nine coefficients (Godfrey 2001). */
function logGamma(x: number): number {
  const y = x - 1;
  const sum = lanczos.reduce((all, coefficient, i) => all + coefficient / (y + i + 1), 0.99999999999980993);
  const t = y + 7.5;
  return 0.5 * Math.log(2 * Math.PI) + (y + 0.5) * Math.log(t) - t + Math.log(sum);
}
const lanczos = [
  676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059, 12.507343278686905,
  -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
];

/** Regularized incomplete beta function I_x(a, b): continued fraction of Abramowitz & Stegun 26.5.8, Lentz's method. */
function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  // The fraction converges fast on this side of the mean only.
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(1 - x, b, a);
  const tiny = 1e-300;
  const keep = (value: number) => (Math.abs(value) < tiny ? tiny : value);
  let c = 1;
  let d = 1 / keep(1 - ((a + b) * x) / (a + 1));
  let h = d;
  for (let m = 1; m < 500; m += 1) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / keep(1 + even * d);
    c = keep(1 + even / c);
    h *= c * d;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / keep(1 + odd * d);
    c = keep(1 + odd / c);
    const change = c * d;
    h *= change;
    if (Math.abs(change - 1) < 1e-15) break;
  }
  const front = a * Math.log(x) + b * Math.log1p(-x) - logGamma(a) - logGamma(b) + logGamma(a + b);
  return (Math.exp(front) * h) / a;
}

/** Two-sided p of Student's t: P(|T| ≥ |t|) with `df` degrees of freedom (Abramowitz & Stegun 26.7.1). */
export function studentP(t: number, df: number): number {
  if (!Number.isFinite(t)) return 0;
  return incompleteBeta(df / (df + t * t), df / 2, 0.5);
}

/** The t that |T| exceeds with probability `p`: bisection of `studentP`. @param p above 0, below 1 */
export function studentQuantile(p: number, df: number): number {
  let low = 0;
  let high = 1;
  while (studentP(high, df) > p) high *= 2;
  for (let i = 0; i < 100 && high - low > 1e-12 * high; i += 1) {
    const middle = (low + high) / 2;
    if (studentP(middle, df) > p) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
