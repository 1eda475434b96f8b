import { firstMatch, linesOf, numberOf } from './text.ts';

/** The network device in `ip -o route get`. */
export function parseRouteDevice(text: string): string | null {
  return firstMatch(text, /\sdev\s+(\S+)/);
}

/** Mbit/s of a cable: /sys/class/net/…/speed, or ethtool's `Speed`. −1, `Unknown!` and errors are null. */
export function parseSpeed(text: string): number | null {
  const speed = numberOf(firstMatch(text, /^(?:Speed:\s*)?(\d+)(?:Mb\/s)?$/));
  // 4294967295 is how old kernels print −1.
  return speed !== null && speed > 0 && speed < 1e6 ? speed : null;
}

/** Mbit/s of Wi-Fi, as agreed with the access point: `iw … link`, else `iwconfig`. */
export function parseWifiRate(text: string): number | null {
  return numberOf(
    firstMatch(text, /^tx bitrate:\s*(\d+(?:\.\d+)?) MBit\/s/) ??
      firstMatch(text, /Bit Rate[=:](\d+(?:\.\d+)?) Mb\/s/),
  );
}

/** `iw … get power_save`, else `iwconfig`. */
export function parsePowerSaving(text: string): boolean | null {
  const word =
    firstMatch(text, /^Power save:\s*(on|off)$/) ?? firstMatch(text, /Power Management:\s*(on|off)/);
  return word === null ? null : word === 'on';
}

/** Round trips of `ping` in µs, the shortest first. */
export function parsePings(text: string): number[] {
  return linesOf(text)
    .flatMap((line) => numberOf(/\btime[=<](\d+(?:\.\d+)?) ?ms/.exec(line)?.[1] ?? null) ?? [])
    .map((ms) => Math.round(ms * 1000))
    .sort((a, b) => a - b);
}

/** Median round trip of `ping` in µs; null where nothing came back. */
export function parsePing(text: string): number | null {
  const times = parsePings(text);
  return times[Math.floor((times.length - 1) / 2)] ?? null;
}

/** Least round trip that the kernel has seen on a TCP connection, in µs, from `ss -ti`. */
export function parseTcpRoundTrip(text: string): number | null {
  const ms = numberOf(
    firstMatch(text, /\bminrtt:(\d+(?:\.\d+)?)/) ?? firstMatch(text, /\brtt:(\d+(?:\.\d+)?)/),
  );
  return ms === null || ms === 0 ? null : Math.round(ms * 1000);
}

export interface ListeningPort {
  port: number;
  process: string | null;
}

/** `ss -Hltnp`: each port once, with its process where the line names it. Ports given by name are left out. */
export function parsePorts(text: string): ListeningPort[] {
  const ports = new Map<number, string | null>();
  for (const line of linesOf(text)) {
    const port = Number(/^LISTEN\s+\d+\s+\d+\s+\S*:(\d+)\s/.exec(`${line} `)?.[1] ?? 0);
    if (port < 1 || port > 65_535) continue;
    ports.set(port, ports.get(port) ?? /users:\(\("([^"]*)"/.exec(line)?.[1] ?? null);
  }
  return [...ports].map(([port, process]) => ({ port, process })).sort((a, b) => a.port - b.port);
}
