import type { Throttle } from '../../../src-shared/model/host.ts';
import { firstMatch, linesOf, numberOf } from './text.ts';

/**
 * `vcgencmd get_throttled`: the first `throttled=0x…` in it, whatever stands around. vcgencmd writes its errors to
 * standard output and may end with 0 all the same, so only the figure counts. Bits: Raspberry Pi documentation.
 */
export function parseThrottled(text: string): Throttle | null {
  const hex = firstMatch(text, /\bthrottled=0x([0-9a-f]{1,8})\b/i);
  if (hex === null) return null;
  const bits = Number.parseInt(hex, 16);
  const bit = (n: number) => Math.floor(bits / 2 ** n) % 2 === 1;
  return {
    underVoltage: bit(0),
    frequencyCapped: bit(1),
    throttled: bit(2),
    softTemperatureLimit: bit(3),
    underVoltageOccurred: bit(16),
    frequencyCappedOccurred: bit(17),
    throttledOccurred: bit(18),
    softTemperatureLimitOccurred: bit(19),
  };
}

/** `vcgencmd measure_temp`, °C. */
export function parseVcgencmdTemperature(text: string): number | null {
  return numberOf(firstMatch(text, /\btemp=(-?\d+(?:\.\d+)?)'C/));
}

/** Lines `type milli°C` of the kernel's thermal zones: the processor's, °C. */
export function parseThermalZones(text: string): number | null {
  for (const line of linesOf(text)) {
    const [, type, milli] = /^(\S+) (-?\d+)$/.exec(line) ?? [];
    const value = numberOf(milli ?? null);
    if (type !== undefined && /^(cpu|soc|bcm2835)[-_]?thermal/.test(type) && value !== null)
      return value / 1000;
  }
  return null;
}

/** `vcgencmd measure_clock arm`, MHz. Index 48 up to Pi 4, 0 on a Pi 5. */
export function parseVcgencmdClock(text: string): number | null {
  const hertz = numberOf(firstMatch(text, /\bfrequency\((?:48|0)\)=(\d+)/));
  return hertz === null || hertz === 0 ? null : Math.round(hertz / 1e6);
}
