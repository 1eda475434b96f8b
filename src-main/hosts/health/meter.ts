import type { HealthSample } from '../../../src-shared/model/host.ts';
import type { Header, Reading } from './parse.ts';

/** How old a figure that is not read every time may be to stand for now, in seconds: two missed readings. */
const freshSeconds = { throttle: 12, freeBytes: 32 };
const sectorBytes = 512;

/** Turns the readings of one sampler into samples; each needs the reading before it. */
export interface Meter {
  /** null for the first one, and where the clock has not moved. `atMs` is set by who knows the time axis. */
  add(reading: Reading): Omit<HealthSample, 'atMs'> | null;
}

export function createMeter(header: Header): Meter {
  let before: Reading | null = null;
  const held = {
    throttle: holder<Reading['throttle']>(freshSeconds.throttle),
    actualMhz: holder<Reading['actualMhz']>(freshSeconds.throttle),
    freeBytes: holder<Reading['freeBytes']>(freshSeconds.freeBytes),
  };
  return {
    add(now) {
      const throttle = held.throttle(now.throttle, now.uptime);
      const actualMhz = held.actualMhz(now.actualMhz, now.uptime);
      const freeBytes = held.freeBytes(now.freeBytes, now.uptime);
      const last = before;
      before = now;
      if (last === null || now.uptime <= last.uptime) return null;
      // The clock tells hundredths.
      const seconds = Math.round((now.uptime - last.uptime) * 100) / 100;
      const pageRate = (from: number, to: number) => (Math.max(0, to - from) * header.pageBytes) / seconds;
      return {
        intervalMs: Math.round(seconds * 1000),
        cpu: shares(last.cpu, now.cpu),
        load1: now.load1,
        memory: {
          totalBytes: now.memory.totalBytes,
          availableBytes: now.memory.availableBytes,
          swapUsedBytes: Math.max(0, now.memory.swapTotalBytes - now.memory.swapFreeBytes),
          swapInBytesPerSecond: pageRate(last.swapped.in, now.swapped.in),
          swapOutBytesPerSecond: pageRate(last.swapped.out, now.swapped.out),
        },
        disk: header.disk === null ? null : diskRates(header.disk, last, now, seconds),
        freeBytes,
        network: networkRates(last, now, seconds),
        pressure: pressureShares(last, now, seconds),
        temperatureC: now.temperatureC,
        clockMhz: actualMhz ?? now.requestedMhz,
        underVoltage:
          now.alarm === null && throttle === null
            ? null
            : now.alarm === true || throttle?.underVoltage === true,
        throttle,
        bootId: header.bootId,
      };
    },
  };
}

/** The last figure that was read, for as long as it may stand for now. */
function holder<T>(seconds: number): (read: T | null, uptime: number) => T | null {
  let kept: { value: T; at: number } | null = null;
  return (read, uptime) => {
    if (read !== null) kept = { value: read, at: uptime };
    return kept !== null && uptime - kept.at <= seconds ? kept.value : null;
  };
}

/**
 * Shares of the ticks that passed. iowait and idle may go back a little on a kernel that stops its tick; what went back
 * passed not at all.
 */
function shares(from: Reading['cpu'], to: Reading['cpu']): HealthSample['cpu'] {
  const passed = {
    user: Math.max(0, to.user - from.user),
    system: Math.max(0, to.system - from.system),
    wait: Math.max(0, to.wait - from.wait),
    irq: Math.max(0, to.irq - from.irq),
    steal: Math.max(0, to.steal - from.steal),
    idle: Math.max(0, to.idle - from.idle),
  };
  const all = Object.values(passed).reduce((sum, ticks) => sum + ticks, 0);
  const share = (ticks: number) => (all === 0 ? 0 : ticks / all);
  return {
    user: share(passed.user),
    system: share(passed.system),
    wait: share(passed.wait),
    irq: share(passed.irq),
    steal: share(passed.steal),
    // Not one tick passed: nothing ran.
    idle: all === 0 ? 1 : share(passed.idle),
  };
}

/** null where a counter went back: it ran over, or the device is another one. */
function rates<K extends string>(
  from: Record<K, number>,
  to: Record<K, number>,
  keys: readonly K[],
  seconds: number,
): ((key: K) => number) | null {
  return keys.some((key) => to[key] < from[key]) ? null : (key) => (to[key] - from[key]) / seconds;
}

function diskRates(name: string, last: Reading, now: Reading, seconds: number): HealthSample['disk'] {
  if (last.disk === null || now.disk === null) return null;
  const keys = ['reads', 'readSectors', 'writes', 'writeSectors', 'busyMs'] as const;
  const rate = rates(last.disk, now.disk, keys, seconds);
  if (rate === null) return null;
  return {
    name,
    readBytesPerSecond: rate('readSectors') * sectorBytes,
    writeBytesPerSecond: rate('writeSectors') * sectorBytes,
    readsPerSecond: rate('reads'),
    writesPerSecond: rate('writes'),
    // Counted when a request ends, so that an interval may get some of the one before.
    busy: Math.min(1, rate('busyMs') / 1000),
  };
}

function networkRates(last: Reading, now: Reading, seconds: number): HealthSample['network'] {
  if (last.network === null || now.network === null) return null;
  const rate = rates(last.network, now.network, ['received', 'sent'], seconds);
  return rate && { receivedBytesPerSecond: rate('received'), sentBytesPerSecond: rate('sent') };
}

function pressureShares(last: Reading, now: Reading, seconds: number): HealthSample['pressure'] {
  if (last.pressure === null || now.pressure === null) return null;
  const rate = rates(last.pressure, now.pressure, ['cpu', 'io', 'memory'], seconds);
  if (rate === null) return null;
  const share = (key: 'cpu' | 'io' | 'memory') => Math.min(1, rate(key) / 1e6);
  return { cpu: share('cpu'), io: share('io'), memory: share('memory') };
}
