/** Timestamps to the nanosecond, as RFC 3339 texts and as nanoseconds since 1970. */

const rfc3339 =
  /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9})\d*)?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/;

/** @returns nanoseconds since 1970, or null where the text is not RFC 3339 with a zone (`Z` or `±hh:mm`) */
export function parseTimestamp(text: string): bigint | null {
  const match = rfc3339.exec(text);
  if (!match) return null;
  const [, year, month, day, hour, minute, second, fraction = '', sign, zoneHours, zoneMinutes] = match;
  const civil = `${year}-${month}-${day}T${hour}:${minute}:${second}`;
  const ms = Date.parse(`${civil}Z`);
  // Date.parse lets 31 February pass as a day in March, and 24:00:00 as the next day.
  if (Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 19) !== civil) return null;
  if (Number(zoneHours ?? 0) > 23 || Number(zoneMinutes ?? 0) > 59) return null;
  const zone = Number(zoneHours ?? 0) * 60 + Number(zoneMinutes ?? 0);
  const utc = ms - (sign === '-' ? -zone : zone) * 60_000;
  return BigInt(utc) * 1_000_000n + BigInt(fraction.padEnd(9, '0'));
}

const nanosPerSecond = 1_000_000_000n;

/** Whole seconds (rounded down) and the nanoseconds above them. */
function split(nanos: bigint): { seconds: bigint; rest: bigint } {
  const rest = ((nanos % nanosPerSecond) + nanosPerSecond) % nanosPerSecond;
  return { seconds: (nanos - rest) / nanosPerSecond, rest };
}
function civilTime(seconds: bigint): string {
  return new Date(Number(seconds) * 1000).toISOString().slice(0, 19);
}

/** `2016-01-01T00:00:00Z`: whole seconds, the fraction cut off. */
export function formatSeconds(nanos: bigint): string {
  return `${civilTime(split(nanos).seconds)}Z`;
}

/** `2016-01-01T00:00:00.5Z`: as many decimals as are needed. */
export function formatTimestamp(nanos: bigint): string {
  const { seconds, rest } = split(nanos);
  const fraction = rest.toString().padStart(9, '0').replace(/0+$/, '');
  return `${civilTime(seconds)}${fraction && `.${fraction}`}Z`;
}

/** `2016-01-01 00:00:00.646325 +0000`: microseconds, the rest cut off, without trailing zeros. */
export function formatMicros(nanos: bigint): string {
  const { seconds, rest } = split(nanos);
  const fraction = (rest / 1000n).toString().padStart(6, '0').replace(/0+$/, '');
  return `${civilTime(seconds).replace('T', ' ')}${fraction && `.${fraction}`} +0000`;
}
