import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hasDisplay } from '../src-main/serve/openInBrowser.ts';
import { isStale } from './build.ts';
import { electronBinary } from './electronBinary.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'benchberry-start-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function put(name: string, minute: number): Promise<void> {
  const path = join(folder, name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, '');
  const time = new Date(Date.UTC(2026, 0, 1, 0, minute));
  await utimes(path, time, time);
}

describe('a build', () => {
  test('is stale when it is missing or older than a source, tests left out', async () => {
    expect(await isStale('renderer', folder)).toBe(true);
    await put('src-renderer/main.tsx', 1);
    await put('src-shared/deep/er/units.ts', 2);
    expect(await isStale('renderer', folder)).toBe(true);
    await put('out/renderer/index.html', 3);
    expect(await isStale('renderer', folder)).toBe(false);
    await put('src-shared/deep/er/units.test.ts', 4);
    await put('src-main/app/createApp.ts', 4);
    expect(await isStale('renderer', folder)).toBe(false);
    await put('src-shared/deep/er/units.ts', 4);
    expect(await isStale('renderer', folder)).toBe(true);
  });

  test('of the desktop is stale when one of its bundles is', async () => {
    await put('src-main/app/createApp.ts', 1);
    const bundles = [
      'out/main/main.js',
      'out/main/core.js',
      'out/main/load-thread.js',
      'out/preload/preload.cjs',
    ];
    for (const name of [...bundles, 'out/renderer/index.html']) {
      expect(await isStale('desktop', folder)).toBe(true);
      await put(name, 2);
    }
    expect(await isStale('desktop', folder)).toBe(false);
    await put('out/main/core.js', 0);
    expect(await isStale('desktop', folder)).toBe(true);
  });
});

describe("Electron's executable", () => {
  const installer = (code: string) => writeFile(join(folder, 'install.js'), code);

  test('is the one that its package has', async () => {
    await put('dist/electron', 1);
    await writeFile(join(folder, 'path.txt'), 'electron');
    expect(await electronBinary({ folder })).toEqual({ path: join(folder, 'dist', 'electron') });
  });

  test('is downloaded by its package', async () => {
    await installer(`const fs = require('fs'); fs.mkdirSync(__dirname + '/dist');
      fs.writeFileSync(__dirname + '/dist/electron', ''); fs.writeFileSync(__dirname + '/path.txt', 'electron');`);
    expect(await electronBinary({ folder })).toEqual({ path: join(folder, 'dist', 'electron') });
  });

  test('cannot be had where the installer fails, brings nothing or does nothing', async () => {
    await installer('process.exit(1)');
    expect(await electronBinary({ folder })).toEqual({ lack: 'it cannot be downloaded here' });
    await installer('setInterval(() => undefined, 1000)');
    expect(await electronBinary({ folder, stallMs: 600 })).toEqual({ lack: 'its download brings nothing' });
    await installer('');
    expect(await electronBinary({ folder })).toEqual({
      lack: 'its package has no executable for this system',
    });
  });
});

test('a display is there on Windows and macOS, elsewhere by its variables', () => {
  expect(hasDisplay({}, 'win32')).toBe(true);
  expect(hasDisplay({}, 'darwin')).toBe(true);
  expect(hasDisplay({}, 'linux')).toBe(false);
  expect(hasDisplay({ DISPLAY: '' }, 'linux')).toBe(false);
  expect(hasDisplay({ DISPLAY: ':0' }, 'linux')).toBe(true);
  expect(hasDisplay({ WAYLAND_DISPLAY: 'wayland-0' }, 'linux')).toBe(true);
});
