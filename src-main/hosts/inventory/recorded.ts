import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';

const folder = join(import.meta.dirname, 'fixtures');

/** For tests: what a real board printed, e.g. `pi5-8gb-rpios-trixie-64/df.txt`. */
export function recorded(name: string): string {
  return readFileSync(join(folder, name), 'utf8');
}

/** For tests: names of all recorded outputs, or of those that match. */
export function recordedNames(pattern = /./): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => name.split(sep).join('/'))
    .filter((name) => name.endsWith('.txt') && pattern.test(name))
    .sort();
}

/** For tests: `parse` applied to every recorded output that matches, by name. */
export function parsedBy<T>(pattern: RegExp, parse: (text: string) => T): Record<string, T> {
  return Object.fromEntries(recordedNames(pattern).map((name) => [name, parse(recorded(name))]));
}
