import { spawn } from 'node:child_process';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { installedElectron } from '../src-main/cli/programs.ts';
import { root } from './build.ts';

const electronPackage = join(root, 'node_modules', 'electron');

/** Electron's executable, or why there is none, in words that go on from "because". */
export type ElectronBinary = { path: string } | { lack: string };

/**
 * Finds Electron and, where it was never started, lets its package download it. A download that brings nothing for
 * `stallMs` is given up: the machine may be without a network.
 */
export async function electronBinary({
  folder = electronPackage,
  stallMs = 15_000,
} = {}): Promise<ElectronBinary> {
  const found = await installedElectron(process.env, folder);
  if (found) return { path: found };
  const lack = await download(folder, stallMs);
  const path = lack === null ? await installedElectron(process.env, folder) : null;
  return path ? { path } : { lack: lack ?? 'its package has no executable for this system' };
}

/** null when the package's own installer has ended well, else what happened. */
async function download(folder: string, stallMs: number): Promise<string | null> {
  const temporary = await mkdtemp(join(tmpdir(), 'benchberry-electron-'));
  const child = spawn(process.execPath, [join(folder, 'install.js')], {
    stdio: 'ignore',
    env: { ...process.env, TMPDIR: temporary, TEMP: temporary, TMP: temporary },
  });
  let size = 0;
  let grownAt = Date.now();
  let stalled = false;
  const watch = setInterval(async () => {
    const now = await sizeOf(temporary, join(folder, 'dist'));
    if (now > size) {
      size = now;
      grownAt = Date.now();
    }
    progress(`Downloading Electron, once: ${Math.round(size / 1e6)} MB`);
    if (Date.now() - grownAt < stallMs) return;
    stalled = true;
    child.kill();
  }, 500);
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.on('error', reject);
      child.on('exit', resolve);
    });
    if (stalled) return 'its download brings nothing';
    return code === 0 ? null : 'it cannot be downloaded here';
  } finally {
    clearInterval(watch);
    progress('');
    await rm(temporary, { recursive: true, force: true });
  }
}

/** A line that is replaced by the next; only where somebody looks at it. */
function progress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[2K${text}`);
}

/** Bytes of all files below the folders. Files may vanish meanwhile. */
async function sizeOf(...folders: string[]): Promise<number> {
  const sizes = await Promise.all(
    folders.map(async (path) => {
      const entries = await readdir(path, { recursive: true, withFileTypes: true }).catch(() => []);
      const files = entries.filter((entry) => entry.isFile());
      const each = await Promise.all(
        files.map((file) =>
          stat(join(file.parentPath, file.name)).then(
            (info) => info.size,
            () => 0,
          ),
        ),
      );
      return each.reduce((sum, bytes) => sum + bytes, 0);
    }),
  );
  return sizes.reduce((sum, bytes) => sum + bytes, 0);
}
