import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { dataFolder, makeDataFolder } from './dataFolder.ts';

test('BENCHBERRY_DATA wins; otherwise the folder that the system has for it', () => {
  expect(dataFolder({ BENCHBERRY_DATA: 'here' }, 'linux', '/home/u')).toBe(resolve('here'));
  expect(dataFolder({}, 'linux', '/home/u')).toBe(join('/home/u', '.local', 'share', 'benchberry'));
  expect(dataFolder({ XDG_DATA_HOME: '/data' }, 'linux', '/home/u')).toBe(join('/data', 'benchberry'));
  expect(dataFolder({}, 'darwin', '/Users/u')).toBe(
    join('/Users/u', 'Library', 'Application Support', 'benchberry'),
  );
  expect(dataFolder({ APPDATA: '/roaming' }, 'win32', '/u')).toBe(join('/roaming', 'benchberry'));
  expect(dataFolder({ BENCHBERRY_DATA: '' }, 'win32', '/u')).toBe(
    join('/u', 'AppData', 'Roaming', 'benchberry'),
  );
});

test('the folder is made with its parents; one that cannot be is said, with another way', () => {
  const base = mkdtempSync(join(tmpdir(), 'benchberry-folder-'));
  const folder = join(base, 'a', 'b');
  makeDataFolder(folder);
  makeDataFolder(folder);
  expect(existsSync(folder)).toBe(true);
  writeFileSync(join(base, 'file'), '');
  expect(() => makeDataFolder(join(base, 'file', 'x'))).toThrow(
    expect.objectContaining({
      code: 'no-permission',
      place: { file: join(base, 'file', 'x') },
      hint: expect.stringContaining('BENCHBERRY_DATA'),
    }),
  );
  rmSync(base, { recursive: true });
});

test.runIf(process.platform === 'linux')(
  'a folder that the system will never have is said and not waited for',
  () => {
    expect(() => makeDataFolder('/proc/benchberry/data')).toThrow(
      expect.objectContaining({ code: 'no-permission', place: { file: '/proc/benchberry/data' } }),
    );
  },
);
