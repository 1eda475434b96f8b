import { z } from 'zod';
import type { Throttle } from '../../../src-shared/model/host.ts';
import { parseThrottled, parseVcgencmdClock } from '../inventory/firmware.ts';

/** What the sampler says once, at its start. */
export interface Header {
  kind: 'header';
  bootId: string;
  pageBytes: number;
  disk: string | null;
  network: string | null;
}

/** One line of raw counters; null where the host does not tell. */
export interface Reading {
  kind: 'reading';
  /** Seconds since boot: the host's monotonic clock. */
  uptime: number;
  load1: number;
  /** Clock ticks of all cores. Time of guests is inside user's. */
  cpu: Readonly<Record<'user' | 'system' | 'idle' | 'wait' | 'irq' | 'steal', number>>;
  memory: { totalBytes: number; availableBytes: number; swapTotalBytes: number; swapFreeBytes: number };
  /** Pages since boot. */
  swapped: { in: number; out: number };
  disk: { reads: number; readSectors: number; writes: number; writeSectors: number; busyMs: number } | null;
  network: { received: number; sent: number } | null;
  /** Microseconds since boot in which some task waited. */
  pressure: { cpu: number; io: number; memory: number } | null;
  temperatureC: number | null;
  requestedMhz: number | null;
  alarm: boolean | null;
  throttle: Throttle | null;
  actualMhz: number | null;
  freeBytes: number | null;
}

const count = z
  .string()
  .regex(/^\d{1,20}$/)
  .transform(Number);
const decimal = z
  .string()
  .regex(/^\d{1,12}(\.\d{1,6})?$/)
  .transform(Number);
const words = (text: string | undefined) => text?.trim().split(/\s+/);

const first = z.tuple([decimal], z.unknown());
const cpuLine = z.tuple(
  [z.literal('cpu'), count, count, count, count, count, count, count, count],
  z.unknown(),
);
const memoryKb = z.tuple([count, count, count, count]);
const two = z.tuple([count, count]);
// https://docs.kernel.org/block/stat.html: the tenth is the time with requests under way; a sector has 512 bytes.
const diskStat = z.tuple([count, count, count, count, count, count, count, count, count, count], z.unknown());
const pressure = z
  .string()
  .regex(/^some .*\btotal=\d{1,20}$/)
  .transform((text) => Number(text.slice(text.lastIndexOf('=') + 1)));
const pressures = z.tuple([pressure, pressure, pressure]);
const milliDegrees = z
  .string()
  .regex(/^-?\d{1,6}$/)
  .transform((text) => Number(text) / 1000);
const flag = z.enum(['0', '1']).transform((text) => text === '1');

/** Understands a line of the sampler (`script.ts` has the form); null for any other text, e.g. a greeting of the host. */
export function parseLine(line: string): Header | Reading | null {
  const [form, ...fields] = line.trimEnd().split('|');
  if (form === 'H1') return header(fields);
  return form === 'S1' && fields.length === 14 ? reading(fields) : null;
}

function header([bootId, page, disk, network]: readonly string[]): Header | null {
  if (bootId === undefined || bootId === '-' || bootId === '') return null;
  // A host without getconf has the page size that all have but the Pi 5 with its own kernel.
  return {
    kind: 'header',
    bootId,
    pageBytes: value(count, page) ?? 4096,
    disk: named(disk),
    network: named(network),
  };
}

function reading(fields: readonly string[]): Reading | null {
  const [uptimes, loads, cpus, memory, swapPages, stat, bytes, milli, khz, alarm, throttled] = fields;
  const [clock, freeKb, stalls] = fields.slice(11);
  const up = value(first, words(uptimes));
  const load = value(first, words(loads));
  const cpu = value(cpuLine, words(cpus));
  const kb = value(memoryKb, memory?.split(','));
  if (up === null || load === null || cpu === null || kb === null) return null;
  const pages = value(two, swapPages?.split(','));
  // A kernel without swap does not count these pages: there are none.
  if (pages === null && kb[2] > 0) return null;
  const [, user, nice, system, idle, wait, irq, softIrq, steal] = cpu;
  const free = value(count, freeKb);
  const requested = value(count, khz);
  return {
    kind: 'reading',
    uptime: up[0],
    load1: load[0],
    cpu: { user: user + nice, system, idle, wait, irq: irq + softIrq, steal },
    memory: {
      totalBytes: kb[0] * 1024,
      availableBytes: kb[1] * 1024,
      swapTotalBytes: kb[2] * 1024,
      swapFreeBytes: kb[3] * 1024,
    },
    swapped: { in: pages?.[0] ?? 0, out: pages?.[1] ?? 0 },
    disk: diskOf(stat),
    network: networkOf(bytes),
    pressure: pressureOf(stalls),
    temperatureC: value(milliDegrees, milli),
    requestedMhz: requested === null ? null : requested / 1000,
    alarm: value(flag, alarm),
    throttle: parseThrottled(throttled ?? ''),
    actualMhz: parseVcgencmdClock(clock ?? ''),
    freeBytes: free === null ? null : free * 1024,
  };
}

function diskOf(text: string | undefined): Reading['disk'] {
  const stat = value(diskStat, words(text));
  if (stat === null) return null;
  return { reads: stat[0], readSectors: stat[2], writes: stat[4], writeSectors: stat[6], busyMs: stat[9] };
}

function networkOf(text: string | undefined): Reading['network'] {
  const bytes = value(two, text?.split(','));
  return bytes === null ? null : { received: bytes[0], sent: bytes[1] };
}

function pressureOf(text: string | undefined): Reading['pressure'] {
  const stalls = value(pressures, text?.split(';'));
  return stalls === null ? null : { cpu: stalls[0], io: stalls[1], memory: stalls[2] };
}

function named(text: string | undefined): string | null {
  return text === undefined || text === '' || text === '-' ? null : text;
}

function value<T>(schema: z.ZodType<T>, input: unknown): T | null {
  const parsed = schema.safeParse(input);
  return parsed.success ? parsed.data : null;
}
