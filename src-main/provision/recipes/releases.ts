import { entryOf } from '../../../src-shared/entryOf.ts';
import type { Inventory } from '../../../src-shared/model/host.ts';

/** What a release of Debian or Ubuntu has in its own archive. */
export interface Release {
  /** Whose packages fit it. */
  family: 'debian' | 'ubuntu';
  /** Major version of its PostgreSQL. */
  postgres: number;
  /** Package of the TimescaleDB extension; null where it has none. */
  timescaledb: string | null;
}

/** Read in the package indexes; Raspberry Pi OS takes these packages from Debian. */
const releases: Record<string, Release> = {
  bookworm: { family: 'debian', postgres: 15, timescaledb: null },
  trixie: { family: 'debian', postgres: 17, timescaledb: 'postgresql-17-timescaledb' },
  jammy: { family: 'ubuntu', postgres: 14, timescaledb: null },
  noble: { family: 'ubuntu', postgres: 16, timescaledb: null },
};

export const knownReleases = Object.keys(releases).join(', ');

/** null: a release that nobody has looked at. */
export function releaseOf(host: Inventory): Release | null {
  return entryOf(releases, host.codename.value ?? '') ?? null;
}

/** Of the packages, not of the kernel: a 32-bit system may run on a 64-bit kernel. */
export function is64Bit(host: Inventory): boolean {
  return ['arm64', 'amd64'].includes(host.userlandArch.value ?? '');
}
