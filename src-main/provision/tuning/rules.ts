import { entryOf } from '../../../src-shared/entryOf.ts';
import { inBaseUnit, type ServerSetting } from './serverSettings.ts';
import type { Setting } from './setting.ts';

/** What the server has in its own defaults, for as long as no server can be asked. */
const defaults: Record<string, string> = {
  wal_level: 'replica',
  max_wal_senders: '10',
  archive_mode: 'off',
  summarize_wal: 'off',
  max_connections: '100',
  superuser_reserved_connections: '3',
  reserved_connections: '0',
  shared_buffers: '128MB',
};

/**
 * What would keep the server from starting, seen before it is written: `postgres -C` does not notice these.
 * @param server rows of pg_settings; empty where there is no server yet
 */
export function conflicts(
  wanted: readonly Setting[],
  server: readonly ServerSetting[],
  memoryBytes: number | null,
): string[] {
  const value = (name: string): string => {
    const asked = wanted.find((setting) => setting.name === name)?.value;
    return (
      asked ??
      server.find((row) => row.name === name)?.setting ??
      entryOf(defaults, name) ??
      ''
    ).toLowerCase();
  };
  const found: string[] = [];
  if (value('wal_level') === 'minimal') {
    if (Number(value('max_wal_senders')) !== 0) {
      found.push('wal_level minimal needs max_wal_senders 0: the server does not start otherwise');
    }
    if (!isOff(value('archive_mode'))) found.push('wal_level minimal needs archive_mode off');
    if (!isOff(value('summarize_wal'))) found.push('wal_level minimal needs summarize_wal off');
  }
  const reserved = Number(value('superuser_reserved_connections')) + Number(value('reserved_connections'));
  if (reserved >= Number(value('max_connections'))) {
    found.push(`max_connections has to be more than the ${reserved} that are reserved for superusers`);
  }
  const buffers = wanted.find(({ name }) => name === 'shared_buffers');
  const unit = server.find(({ name }) => name === 'shared_buffers')?.unit ?? '8kB';
  const pages = buffers === undefined ? null : inBaseUnit(buffers.value, unit);
  const pageBytes = 1024 * Number(/^\d+/.exec(unit)?.[0] ?? 8);
  if (buffers && pages !== null && memoryBytes !== null && pages * pageBytes > memoryBytes * 0.6) {
    found.push(
      `shared_buffers ${buffers.value} is more than 60 % of the ${Math.floor(memoryBytes / 1024 ** 2)} MB that the host has`,
    );
  }
  return found;
}

const isOff = (value: string) => ['off', 'false', 'no', '0', ''].includes(value);
