import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const node = join(root, 'node_modules', '.bin', process.platform === 'win32' ? 'node.exe' : 'node');
const main = join(root, 'src-main', 'cli', 'main.ts');

/**
 * Runs a plan on the built-in PostgreSQL by the command line, into the data folder.
 * @param plan its YAML from the third line on: the steps, and what else there is
 * @returns what `--json` printed
 */
export async function runPlan(dataFolder: string, name: string, plan: string): Promise<unknown> {
  const file = join(dataFolder, `${name}.yaml`);
  await writeFile(file, `version: 1\nname: ${name}\ntarget: sandbox\n${plan}`);
  const child = spawn(node, [main, 'run', file, '--json', '--quiet'], {
    env: { ...process.env, BENCHBERRY_DATA: dataFolder },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return JSON.parse(await text(child.stdout));
}
