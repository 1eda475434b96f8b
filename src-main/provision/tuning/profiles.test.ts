import { describe, expect, it } from 'vitest';
import { reservedFor } from './piSafe.ts';
import { profileIds, profileSettings } from './profiles.ts';
import { mergeSettings, settingLine } from './setting.ts';
import { timescaledbTune } from './timescaledbTune.ts';

const pi3 = {
  memoryBytes: 892_376 * 1024,
  cores: 4,
  postgres: 12,
  reservedBytes: reservedFor.headless,
  disk: 'card' as const,
};
const valuesOf = (settings: readonly { name: string; value: string }[]) =>
  Object.fromEntries(settings.map(({ name, value }) => [name, value]));

describe('profiles', () => {
  it('give each setting once, with a reason', () => {
    for (const id of profileIds) {
      const settings = profileSettings(id, pi3, '0.19.0');
      expect(new Set(settings.map(({ name }) => name)).size).toBe(settings.length);
      for (const { reason } of settings) expect(reason).toMatch(/^[A-Z].*\.$/);
    }
  });

  it('of the first article agree with the old formulas, but for max_wal_size, which was as it should be', () => {
    const { max_wal_size, ...formulas } = valuesOf(timescaledbTune(pi3, { formulas: '0.11.0' }));
    expect(max_wal_size).toBe('1GB');
    expect(valuesOf(profileSettings('article-p1', pi3, '0.19.0'))).toEqual(formulas);
  });

  it('of the second article bring what wal_level minimal asks for', () => {
    expect(valuesOf(profileSettings('article-p2', pi3, '0.19.0'))).toEqual({
      wal_level: 'minimal',
      max_wal_senders: '0',
      archive_mode: 'off',
      checkpoint_timeout: '30min',
      checkpoint_completion_target: '0.8',
      max_parallel_workers_per_gather: '2',
    });
    expect(valuesOf(profileSettings('article-p2', { ...pi3, postgres: 17 }, '0.19.0'))).toMatchObject({
      summarize_wal: 'off',
    });
  });

  it('durable loses nothing that was acknowledged', () => {
    expect(valuesOf(profileSettings('durable', pi3, '0.19.0'))).toMatchObject({
      fsync: 'on',
      synchronous_commit: 'on',
      full_page_writes: 'on',
    });
  });

  it('made for a Pi leave room for the system and spare the card', () => {
    const values = valuesOf(profileSettings('pi-safe', { ...pi3, postgres: 17 }, '0.19.0'));
    // (892,376 − 204,800) / 4 kB
    expect(values).toMatchObject({
      shared_buffers: '171894kB',
      'timescaledb.max_background_workers': '8',
      max_worker_processes: '15',
      max_parallel_workers_per_gather: '0',
      autovacuum_max_workers: '3',
      autovacuum_work_mem: '32MB',
      random_page_cost: '2',
      effective_io_concurrency: '4',
      jit: 'off',
    });
    // Three vacuum workers fit beside the cache, which ten with maintenance_work_mem each did not.
    expect(3 * 32 * 1024 + 171_894).toBeLessThan(892_376 - 204_800);
    const ssd = valuesOf(profileSettings('pi-safe', { ...pi3, postgres: 17, disk: 'ssd' }, '0.19.0'));
    expect(ssd).toMatchObject({ random_page_cost: '1.1', effective_io_concurrency: '256' });
  });
});

describe('lists of settings', () => {
  it('are merged, the later one wins', () => {
    const merged = mergeSettings(
      [
        { name: 'jit', value: 'off', reason: 'a' },
        { name: 'work_mem', value: '4MB', reason: 'b' },
      ],
      [{ name: 'jit', value: 'on', reason: 'c' }],
    );
    expect(merged).toEqual([
      { name: 'jit', value: 'on', reason: 'c' },
      { name: 'work_mem', value: '4MB', reason: 'b' },
    ]);
  });

  it('are written with quotes that no value can end', () => {
    expect(settingLine({ name: 'search_path', value: "a', b" })).toBe("search_path = 'a'', b'");
  });
});
