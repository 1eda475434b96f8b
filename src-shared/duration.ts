/** Durations as Go writes them: `10s`, `1h30m`, `500ms`, `1.5h`. Nanoseconds inside. */

const nanosPerUnit: Record<string, bigint> = {
  ns: 1n,
  us: 1_000n,
  µs: 1_000n,
  μs: 1_000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
};
const part = /(\d+(?:\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h)/g;
const whole = /^[+-]?(?:0|(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)$/;

/** @returns nanoseconds (a fraction of one is cut off), or null where the text is no duration */
export function parseDuration(text: string): bigint | null {
  if (!whole.test(text)) return null;
  let nanos = 0n;
  for (const [, number = '', unit = ''] of text.matchAll(part)) {
    const [integer = '', fraction = ''] = number.split('.');
    const size = nanosPerUnit[unit] ?? 0n;
    nanos += BigInt(integer || '0') * size;
    nanos += (BigInt(fraction || '0') * size) / 10n ** BigInt(fraction.length);
  }
  if (nanos >= 2n ** 63n) return null;
  return text.startsWith('-') ? -nanos : nanos;
}

/** Milliseconds of a duration that a plan has, which was checked before; 0 for a text that is none. */
export function durationMs(text: string): number {
  return Number(parseDuration(text) ?? 0n) / 1e6;
}

/** As Go prints it: `12h0m0s`, `1m0s`, `10s`, `1.5s`, `500ms`, `0s`. */
export function formatDuration(nanos: bigint): string {
  const sign = nanos < 0n ? '-' : '';
  const n = nanos < 0n ? -nanos : nanos;
  if (n === 0n) return '0s';
  const decimal = (unit: bigint) => {
    const fraction = (n % unit)
      .toString()
      .padStart(unit.toString().length - 1, '0')
      .replace(/0+$/, '');
    return `${n / unit}${fraction && `.${fraction}`}`;
  };
  if (n < 1_000n) return `${sign}${n}ns`;
  if (n < 1_000_000n) return `${sign}${decimal(1_000n)}µs`;
  if (n < 1_000_000_000n) return `${sign}${decimal(1_000_000n)}ms`;
  const minutes = n / 60_000_000_000n;
  const seconds = n % 60_000_000_000n;
  const fraction = (seconds % 1_000_000_000n).toString().padStart(9, '0').replace(/0+$/, '');
  const s = `${seconds / 1_000_000_000n}${fraction && `.${fraction}`}s`;
  if (minutes === 0n) return sign + s;
  return `${sign}${minutes >= 60n ? `${minutes / 60n}h` : ''}${minutes % 60n}m${s}`;
}
