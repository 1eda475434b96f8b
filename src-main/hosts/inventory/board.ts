import { fieldOf, firstMatch, linesOf, numberOf, sizeOf } from './text.ts';

/** What a board's revision code says. Source: Raspberry Pi documentation, "New-style revision codes". */
export interface Revision {
  /** e.g. `Raspberry Pi 4 Model B Rev 1.4`; null for a type that is not known yet. */
  model: string | null;
  memoryBytes: number | null;
  processor: string | null;
}

const types: Readonly<Record<number, string>> = {
  0: 'Raspberry Pi Model A',
  1: 'Raspberry Pi Model B',
  2: 'Raspberry Pi Model A Plus',
  3: 'Raspberry Pi Model B Plus',
  4: 'Raspberry Pi 2 Model B',
  6: 'Raspberry Pi Compute Module',
  8: 'Raspberry Pi 3 Model B',
  9: 'Raspberry Pi Zero',
  10: 'Raspberry Pi Compute Module 3',
  12: 'Raspberry Pi Zero W',
  13: 'Raspberry Pi 3 Model B Plus',
  14: 'Raspberry Pi 3 Model A Plus',
  16: 'Raspberry Pi Compute Module 3 Plus',
  17: 'Raspberry Pi 4 Model B',
  18: 'Raspberry Pi Zero 2 W',
  19: 'Raspberry Pi 400',
  20: 'Raspberry Pi Compute Module 4',
  21: 'Raspberry Pi Compute Module 4S',
  23: 'Raspberry Pi 5 Model B',
  24: 'Raspberry Pi Compute Module 5',
  25: 'Raspberry Pi 500',
  26: 'Raspberry Pi Compute Module 5 Lite',
  27: 'Raspberry Pi Compute Module 0',
};
const processors = ['BCM2835', 'BCM2836', 'BCM2837', 'BCM2711', 'BCM2712'];
const megabytes = [256, 512, 1024, 2048, 4096, 8192, 16_384];

/** Decodes a revision code; null where it is not of the new style (bit 23), or no code at all. */
export function decodeRevision(code: string): Revision | null {
  if (!/^[0-9a-f]{4,8}$/i.test(code)) return null;
  const bits = Number.parseInt(code, 16);
  if ((bits & (1 << 23)) === 0) return null;
  const type = types[(bits >> 4) & 0xff];
  const memory = megabytes[(bits >> 20) & 7];
  return {
    model: type === undefined ? null : `${type} Rev 1.${bits & 15}`,
    memoryBytes: memory === undefined ? null : memory * 1024 * 1024,
    processor: processors[(bits >> 12) & 15] ?? null,
  };
}

/** The revision code in /proc/cpuinfo; null where the kernel gives none (or `0000`). */
export function parseRevisionCode(cpuinfo: string): string | null {
  const code = fieldOf(cpuinfo, 'Revision');
  return code !== null && /^[0-9a-f]{4,8}$/i.test(code) && !/^0+$/.test(code) ? code.toLowerCase() : null;
}

/**
 * The board's name: of the device tree, else the `Model` line of /proc/cpuinfo, else by its revision code. `Hardware` is
 * never asked: it says BCM2835 on every board.
 */
export function parseModel(deviceTree: string, cpuinfo: string): string | null {
  const [name] = linesOf(deviceTree);
  if (name !== undefined && !/No such file|cannot open/i.test(name)) return name;
  const code = parseRevisionCode(cpuinfo);
  return fieldOf(cpuinfo, 'Model') ?? (code === null ? null : (decodeRevision(code)?.model ?? null));
}

/** Bytes that Linux sees, from /proc/meminfo: less than the board has. */
export function parseMemTotal(meminfo: string): number | null {
  const text = firstMatch(meminfo, /^MemTotal:\s+(\d+)\s*kB$/i);
  return text === null ? null : sizeOf(`${text}K`);
}

/** Cores: as `nproc` says, else `lscpu`, else counted in /proc/cpuinfo. */
export function parseCores(nproc: string, lscpu: string, cpuinfo: string): number | null {
  const told = numberOf(firstMatch(nproc, /^(\d+)$/)) ?? numberOf(fieldOf(lscpu, 'CPU(s)'));
  if (told !== null) return told > 0 ? told : null;
  const counted = linesOf(cpuinfo).filter((line) => /^processor\s*:\s*\d+$/.test(line)).length;
  return counted > 0 ? counted : null;
}

/** Highest clock in MHz: of cpufreq (kHz), else of `lscpu`. */
export function parseMaxClock(cpufreq: string, lscpu: string): number | null {
  const told = numberOf(fieldOf(lscpu, 'CPU max MHz'));
  return parseKilohertz(cpufreq) ?? (told !== null && told > 0 ? Math.round(told) : null);
}

/** MHz of a cpufreq file, which has kHz. */
export function parseKilohertz(text: string): number | null {
  const khz = numberOf(firstMatch(text, /^(\d{4,9})$/));
  return khz === null || khz === 0 ? null : Math.round(khz / 1000);
}
