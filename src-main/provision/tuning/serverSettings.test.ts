import { describe, expect, it } from 'vitest';
import { conflicts } from './rules.ts';
import { inBaseUnit, problemWith, readable, type ServerSetting, sameValue } from './serverSettings.ts';

const row = (name: string, setting: string, rest: Partial<ServerSetting> = {}): ServerSetting => ({
  name,
  setting,
  unit: null,
  vartype: 'integer',
  context: 'user',
  min_val: null,
  max_val: null,
  enumvals: null,
  sourcefile: null,
  pending_restart: false,
  ...rest,
});
const set = (name: string, value: string) => ({ name, value, reason: 'A test.' });

describe('values read back', () => {
  // Rounded by a real server: 223094kB are 27886.75 pages, 6692kB 836.5.
  it.each([
    ['27887', '8kB', '223094kB', true],
    ['836', '8kB', '6692kB', true],
    ['837', '8kB', '6692kB', true],
    ['27885', '8kB', '223094kB', false],
    ['16384', '8kB', '223094kB', false],
    ['512', 'MB', '512MB', true],
    ['1800', 's', '30min', true],
    ['300', 's', '30min', false],
    ['10', 's', '10', true],
    ['11', 's', '10', false],
    ['100', null, '100', true],
    ['100', null, '101', false],
    ['2048', 'kB', '2mb', false], // PostgreSQL wants MB
  ])('%s × %s for %s: %s', (setting, unit, wanted, same) => {
    expect(sameValue(row('x', setting, { unit }), wanted)).toBe(same);
  });

  it('are compared as what they are', () => {
    expect(sameValue(row('random_page_cost', '1.1', { vartype: 'real' }), '1.10')).toBe(true);
    expect(sameValue(row('random_page_cost', '4', { vartype: 'real' }), '1.1')).toBe(false);
    expect(sameValue(row('jit', 'off', { vartype: 'bool' }), 'FALSE')).toBe(true);
    expect(sameValue(row('jit', 'on', { vartype: 'bool' }), 'off')).toBe(false);
    expect(sameValue(row('wal_level', 'replica', { vartype: 'enum' }), 'minimal')).toBe(false);
    expect(sameValue(row('search_path', 'A', { vartype: 'string' }), 'a')).toBe(false);
  });

  it('are shown with the largest unit that says them exactly', () => {
    expect(readable(row('shared_buffers', '16384', { unit: '8kB' }))).toBe('128MB');
    expect(readable(row('shared_buffers', '27887', { unit: '8kB' }))).toBe('223096kB');
    expect(readable(row('checkpoint_timeout', '300', { unit: 's' }))).toBe('5min');
    expect(readable(row('wal_buffers', '-1', { unit: '8kB' }))).toBe('-1');
    expect(readable(row('max_connections', '100'))).toBe('100');
    expect(readable(row('archive_command', '', { vartype: 'string' }))).toBe('(empty)');
  });

  it('take the units of their kind only', () => {
    expect(inBaseUnit('1GB', '8kB')).toBe(131_072);
    expect(inBaseUnit('5min', '8kB')).toBeNull();
    expect(inBaseUnit('5min', null)).toBeNull();
    expect(inBaseUnit('many', 'kB')).toBeNull();
  });
});

describe('values that a server would not take', () => {
  const workMem = row('work_mem', '4096', { unit: 'kB', min_val: '64', max_val: '2147483647' });
  it.each([
    [workMem, '8MB', null],
    [workMem, '63kB', 'work_mem is 64 kB to 2147483647 kB, not 63kB'],
    [workMem, '8 apples', 'work_mem is a number with a unit such as B, kB, MB, GB, TB, not 8 apples'],
    [row('jit', 'on', { vartype: 'bool' }), 'maybe', 'jit is on or off, not maybe'],
    [
      row('wal_level', 'replica', { vartype: 'enum', enumvals: ['minimal', 'replica', 'logical'] }),
      'maximal',
      'wal_level is one of minimal, replica, logical, not maximal',
    ],
    [row('block_size', '8192', { context: 'internal' }), '4096', /cannot be set/],
  ])('%o', (server, value, problem) => {
    const found = problemWith(server, set(server.name, value));
    if (problem instanceof RegExp) expect(found).toMatch(problem);
    else expect(found).toBe(problem);
  });
});

describe('settings that do not go together', () => {
  const minimal = set('wal_level', 'minimal');
  it('wal_level minimal wants no senders, no archive, no summaries', () => {
    expect(conflicts([minimal], [], null)).toHaveLength(1); // senders are 10 by default
    expect(conflicts([minimal, set('max_wal_senders', '0')], [], null)).toEqual([]);
    const server = [
      row('max_wal_senders', '0'),
      row('archive_mode', 'on', { vartype: 'enum' }),
      row('summarize_wal', 'on', { vartype: 'bool' }),
    ];
    expect(conflicts([minimal], server, null)).toEqual([
      'wal_level minimal needs archive_mode off',
      'wal_level minimal needs summarize_wal off',
    ]);
    expect(
      conflicts([minimal, set('archive_mode', 'off'), set('summarize_wal', 'off')], server, null),
    ).toEqual([]);
  });

  it('senders set while the server is minimal', () => {
    expect(conflicts([set('max_wal_senders', '5')], [row('wal_level', 'minimal')], null)).toHaveLength(1);
  });

  it('connections, and memory', () => {
    expect(conflicts([set('max_connections', '3')], [], null)).toHaveLength(1);
    const host = 892_376 * 1024;
    expect(conflicts([set('shared_buffers', '223094kB')], [], host)).toEqual([]);
    expect(conflicts([set('shared_buffers', '800MB')], [], host)).toHaveLength(1);
    expect(conflicts([set('shared_buffers', '102400')], [], host)).toHaveLength(1); // pages of 8 kB: 800 MB
  });
});
