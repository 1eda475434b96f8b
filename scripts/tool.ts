import { spawn } from 'node:child_process';
import path from 'node:path';
import process from 'node:process';
import { root } from './build.ts';

/** Runs one of the project's own tools, e.g. `vitest`; resolves with its exit code, 1 where a signal ended it. */
export function tool(
  name: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<number> {
  const windows = process.platform === 'win32';
  const executable = path.join(root, 'node_modules', '.bin', windows ? `${name}.cmd` : name);
  const child = spawn(executable, args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...env },
    shell: windows,
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code) => resolve(code ?? 1));
  });
}
