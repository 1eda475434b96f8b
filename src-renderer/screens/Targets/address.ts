import type { Target } from '../../../src-shared/model/target.ts';

/** Where a target's connection goes, in one line: `db.local:5432`, `/run/postgresql`; null where it names no host. */
export function address(connection: Target['connection']): string | null {
  const { host, port } = connection;
  if (typeof host !== 'string' || host === '') return null;
  if (host.startsWith('/') || typeof port !== 'number') return host;
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}
