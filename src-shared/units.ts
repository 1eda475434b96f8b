/** Branded units and the one way to print each of them: charts, tables, CLI and reports all call these. */

declare const unit: unique symbol;
type Unit<Name extends string> = number & { readonly [unit]?: Name };
/** Microseconds. */
export type Micros = Unit<'us'>;
/** Milliseconds. */
export type Millis = Unit<'ms'>;
export type Bytes = Unit<'bytes'>;
/** Per second. */
export type PerSecond = Unit<'perSecond'>;

const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });

/** Full digits with thousands separators: `1,000,000`. */
export function formatCount(n: number): string {
  return whole.format(n);
}

/** So many of something: `1 batch`, `1,000 batches`. @param plural where it is more than an s at the end */
export function formatCounted(n: number, one: string, plural = `${one}s`): string {
  return `${formatCount(n)} ${n === 1 ? one : plural}`;
}

/** A rate with full digits: from 100 up whole, below with up to two decimals. No unit. */
export function formatRate(n: PerSecond): string {
  if (!Number.isFinite(n)) return '–';
  if (Math.abs(n) >= 100) return whole.format(n);
  return n.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
}

function significant(n: number, digits = 3): string {
  if (n === 0) return '0';
  const decimals = Math.max(0, digits - 1 - Math.floor(Math.log10(Math.abs(n))));
  return n.toLocaleString('en-US', { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
}

/** A latency with three significant digits and the unit that fits: `850 µs`, `18.4 ms`, `1.20 s`. */
export function formatLatency(us: Micros): string {
  if (!Number.isFinite(us)) return '–';
  if (us < 999.5) return `${significant(us)} µs`;
  if (us < 999_500) return `${significant(us / 1000)} ms`;
  return `${significant(us / 1e6)} s`;
}

/** Binary units, three significant digits: `133 MB` is printed as `127 MiB`. */
export function formatBytes(bytes: Bytes): string {
  if (!Number.isFinite(bytes)) return '–';
  const names = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let n = bytes;
  let i = 0;
  while (Math.abs(n) >= 1023.5 && i < names.length - 1) {
    n /= 1024;
    i += 1;
  }
  return i === 0 ? `${whole.format(n)} B` : `${significant(n)} ${names[i]}`;
}

/** Elapsed time: `2:14`, `1:02:14`, below a minute `14.2 s`. */
export function formatElapsed(ms: Millis): string {
  if (!Number.isFinite(ms)) return '–';
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  const s = Math.floor(ms / 1000);
  const two = (n: number) => String(n).padStart(2, '0');
  const h = Math.floor(s / 3600);
  return h > 0
    ? `${h}:${two(Math.floor(s / 60) % 60)}:${two(s % 60)}`
    : `${Math.floor(s / 60)}:${two(s % 60)}`;
}

/** A signed change in percent with one decimal: `+18.4 %`, `−2.1 %`. */
export function formatDelta(fraction: number): string {
  if (!Number.isFinite(fraction)) return '–';
  const p = fraction * 100;
  const sign = p > 0.05 ? '+' : p < -0.05 ? '−' : '±';
  return `${sign}${Math.abs(p).toFixed(1)} %`;
}
