export const KiB = 1024;
export const MiB = 1024 * KiB;
export const GiB = 1024 * MiB;
const TiB = 1024 * GiB;

const units = [
  { name: 'TB', bytes: TiB },
  { name: 'GB', bytes: GiB },
  { name: 'MB', bytes: MiB },
  { name: 'kB', bytes: KiB },
] as const;

/**
 * Bytes as timescaledb-tune prints them (its `BytesToPGFormat`): the largest unit not above the value; in kB rounded, in the
 * others cut off, after one step down to the next smaller unit where more than a thousandth would be lost.
 */
export function formatPgBytes(bytes: number): string {
  const at = units.findIndex((unit) => bytes >= unit.bytes);
  const unit = units[at];
  if (unit === undefined) return '1kB';
  const amount = bytes / unit.bytes;
  const smaller = units[at + 1];
  if (smaller === undefined) return `${Math.round(amount)}kB`;
  const lost = amount - Math.floor(amount) > 0.001;
  return lost ? `${Math.floor(amount * 1024)}${smaller.name}` : `${Math.floor(amount)}${unit.name}`;
}
