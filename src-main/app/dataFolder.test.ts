import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { dataFolder } from './dataFolder.ts';

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
