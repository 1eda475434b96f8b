import { spawn } from 'node:child_process';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';

export const root = join(import.meta.dirname, '..');

/** `renderer`: what `serve` needs; `desktop`: everything. */
export type BuildPart = 'renderer' | 'desktop';

const sources: Record<BuildPart, string[]> = {
  renderer: ['src-renderer', 'src-shared', 'assets/icon.svg', 'vite.renderer.config.ts', 'package-lock.json'],
  desktop: [
    'src-renderer',
    'src-shared',
    'src-main',
    'assets',
    'electron.vite.config.ts',
    'vite.renderer.config.ts',
    'package-lock.json',
  ],
};
const results: Record<BuildPart, string[]> = {
  renderer: ['out/renderer/index.html'],
  desktop: [
    'out/main/main.js',
    'out/main/core.js',
    'out/main/load-thread.js',
    'out/preload/preload.cjs',
    'out/renderer/index.html',
  ],
};

/** Whether something is missing or older than the newest of its sources (tests left out). */
export async function isStale(part: BuildPart, folder = root): Promise<boolean> {
  const built = await Promise.all(results[part].map((path) => changedAt(join(folder, path))));
  const written = await Promise.all(sources[part].map((path) => newest(join(folder, path))));
  const oldest = Math.min(...built);
  return oldest === 0 || oldest < Math.max(...written);
}

/** Builds what is stale, saying so. Rejects where the build fails. */
export async function buildIfStale(part: BuildPart): Promise<void> {
  if (!(await isStale(part))) return;
  process.stderr.write('Building the workbench; this takes some seconds and is done once.\n');
  const [tool, args] =
    part === 'desktop'
      ? ['electron-vite/bin/electron-vite.js', ['build', '--logLevel', 'warn']]
      : ['vite/bin/vite.js', ['build', '--config', 'vite.renderer.config.ts', '--logLevel', 'warn']];
  const child = spawn(process.execPath, [join(root, 'node_modules', ...tool.split('/')), ...args], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    // A test runner's own value would make a build for developers, which does everything twice.
    env: { ...process.env, NODE_ENV: 'production' },
  });
  const code = await new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', resolve);
  });
  if (code !== 0) throw new Error('The workbench could not be built; the reason stands above.');
}

/** Milliseconds; 0 where there is no such file. */
async function changedAt(path: string): Promise<number> {
  const info = await stat(path).catch(() => null);
  return info?.mtimeMs ?? 0;
}

async function newest(path: string): Promise<number> {
  const info = await stat(path).catch(() => null);
  if (!info) return 0;
  if (!info.isDirectory()) return info.mtimeMs;
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name));
  return Math.max(
    0,
    ...(await Promise.all(files.map((file) => changedAt(join(file.parentPath, file.name))))),
  );
}
