import path from 'node:path';
import { assetsFolder } from '../app/assets.ts';
import { type Cli, exitCodes } from './cli.ts';
import { runFile } from './runFile.ts';
import type { RunOptions } from './runPlan.ts';

/** The demo plan on the built-in PostgreSQL, and what to type next. */
export async function runDemo(cli: Cli, options: RunOptions): Promise<number> {
  const plan = path.join(assetsFolder, 'plans', 'demo.yaml');
  const code = await runFile(cli, plan, options);
  if (code === exitCodes.ok) cli.terminal.err('\nThe run is saved. Open the workbench with: npm start');
  return code;
}
