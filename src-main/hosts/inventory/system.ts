import { firstMatch, linesOf } from './text.ts';

/** /etc/os-release: values quoted or bare. */
export function parseOsRelease(text: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const line of linesOf(text)) {
    const [, key, value] = /^([A-Z][A-Z0-9_]*)=(.*)$/.exec(line) ?? [];
    if (key === undefined || value === undefined || values.has(key)) continue;
    const [, quote, inner] = /^(["'])(.*)\1$/.exec(value) ?? [];
    values.set(key, quote === '"' ? (inner ?? '').replace(/\\(["\\$`])/g, '$1') : (inner ?? value));
  }
  return values;
}

/** e.g. `trixie`; old releases and excerpts have it in brackets in `VERSION` only. */
export function codenameOf(os: ReadonlyMap<string, string>): string | null {
  const told = os.get('VERSION_CODENAME') ?? os.get('UBUNTU_CODENAME');
  const named = told || /\(([^)]+)\)/.exec(os.get('VERSION') ?? os.get('PRETTY_NAME') ?? '')?.[1];
  // Ubuntu: `20.04.2 LTS (Focal Fossa)`.
  return named?.split(/[\s/]/)[0]?.toLowerCase() || null;
}

/** What tells the Debians apart; each text is empty where the host has no such thing. */
export interface DistributionHints {
  rpiIssue: string;
  aptRaspberry: string;
  dietpi: string;
  armbian: string;
  ubuntuMate: string;
}

/**
 * `raspberry-pi-os`, `raspbian` (its 32-bit form), `ubuntu`, `ubuntu-mate`, `dietpi`, `armbian`, `debian`, else the
 * system's own ID. 64-bit Raspberry Pi OS says of itself that it is Debian: only files beside os-release tell.
 */
export function distributionOf(os: ReadonlyMap<string, string>, hints: DistributionHints): string | null {
  const name = `${os.get('NAME') ?? ''} ${os.get('PRETTY_NAME') ?? ''}`;
  const id =
    (os.get('ID') ?? '').toLowerCase() || /\b(Raspbian|Ubuntu|Debian)\b/.exec(name)?.[1]?.toLowerCase();
  if (hints.dietpi.trim() !== '' || /DietPi/i.test(name)) return 'dietpi';
  if (hints.armbian.trim() !== '' || /Armbian/i.test(name)) return 'armbian';
  if (id === 'ubuntu' && hints.ubuntuMate.trim() !== '') return 'ubuntu-mate';
  if (id === 'debian' && (/Raspberry Pi/i.test(hints.rpiIssue) || hints.aptRaspberry.trim() !== ''))
    return 'raspberry-pi-os';
  return id || null;
}

/** Release and machine of `uname -a`. */
export function parseUname(text: string): { release: string | null; machine: string | null } {
  const line = firstMatch(text, /^(Linux\s.*)$/);
  const words = line?.split(/\s+/) ?? [];
  const machine = words
    .filter((word) => /^(aarch64|armv\w+|x86_64|i[3-6]86|riscv64|ppc64le)$/.test(word))
    .at(-1);
  return { release: words[2] ?? null, machine: machine ?? null };
}

/** The packages' architecture as dpkg says it: what decides, whatever the kernel is. */
export function parseArchitecture(text: string): string | null {
  return firstMatch(text, /^(arm64|armhf|armel|amd64|i386|riscv64|ppc64el)$/);
}

/** Bytes of `getconf PAGESIZE`. */
export function parsePageSize(text: string): number | null {
  const value = Number(firstMatch(text, /^(\d{4,6})$/));
  return value > 0 ? value : null;
}

/** `timedatectl`, or its `show -p NTPSynchronized`. */
export function parseClockSynchronized(text: string): boolean | null {
  const word = firstMatch(text, /^(?:NTPSynchronized=|(?:System clock|NTP) synchronized:\s*)(yes|no)$/);
  return word === null ? null : word === 'yes';
}

/** Seconds since 1970 that `date +%s.%N` printed. */
export function parseDate(text: string): number | null {
  const seconds = Number(firstMatch(text, /^(\d{1,11}(?:\.\d{1,9})?)(?:\.?%?N)?$/) ?? Number.NaN);
  return Number.isFinite(seconds) ? seconds : null;
}
