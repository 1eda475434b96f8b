import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { openDoor } from './doors.ts';
import { test as base } from './fixtures.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const node = join(root, 'node_modules', '.bin', process.platform === 'win32' ? 'node.exe' : 'node');
const resultSchema = z.object({ id: z.string(), status: z.literal('finished') });

/** Name of a run → rows a batch. */
export type Recordings = Readonly<Record<string, number>>;

/** A flow that starts with runs in the list: real ones, made by the command line on the null target. */
export const test = base.extend<{ recordings: Recordings; recorded: readonly string[] }>({
  recordings: [{ 'First look': 5000 }, { option: true }],
  /** Their ids, in order. */
  recorded: async ({ dataFolder, recordings }, use) => {
    const ids: string[] = [];
    for (const [name, batchSize] of Object.entries(recordings)) {
      ids.push(await record(dataFolder, name, batchSize));
    }
    await use(ids);
  },
  // The runs are there before the workbench opens.
  door: async ({ frontDoor, dataFolder, recorded }, use) => {
    if (recorded.length === 0) throw new Error('no run was recorded');
    const door = await openDoor(frontDoor, dataFolder);
    await use(door);
    await door.close();
  },
});

export { expect } from './fixtures.ts';

/** Thirty batches, a tenth of a second apart on any machine: three seconds of load. The null target answers no queries. */
async function record(dataFolder: string, name: string, batchSize: number): Promise<string> {
  const plan = join(dataFolder, `${name}.yaml`);
  const load = `{ scale: 400, batchSize: ${batchSize}, limit: ${30 * batchSize}, insertIntervals: "0.1" }`;
  await writeFile(plan, `version: 1\nname: ${name}\ntarget: "null"\nsteps:\n  - tsbs.load: ${load}\n`);
  const child = spawn(node, [join(root, 'src-main', 'cli', 'main.ts'), 'run', plan, '--json', '--quiet'], {
    env: { ...process.env, BENCHBERRY_DATA: dataFolder },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return resultSchema.parse(JSON.parse(await text(child.stdout))).id;
}
