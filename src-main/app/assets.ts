import { join } from 'node:path';
import packageJson from '../../package.json' with { type: 'json' };

/** Sample plans, icons. Two folders up both from this source file and from the bundle's `out/main`, packed (asar) or not. */
export const assetsFolder = join(import.meta.dirname, '..', '..', 'assets');

export const toolVersion = packageJson.version;
