import { AppError } from '../../src-shared/errors.ts';
import type { Remote } from '../hosts/remote.ts';

/** A look takes a second or two, on a slow card some more; what takes longer waits for something that never comes. */
const lookMs = 120_000;

/**
 * Runs a reading script as root and returns what it printed as `key=value` lines; a key that is printed several times has
 * its values joined with newlines.
 * @throws AppError `server-error` where the script itself fails, `connection-timeout` where it does not end
 */
export async function readFacts(
  remote: Remote,
  script: string,
  signal: AbortSignal,
): Promise<Map<string, string>> {
  const { code, stdout, stderr } = await remote.script(script, { root: true, signal, timeoutMs: lookMs });
  if (code !== 0) {
    throw new AppError({
      code: 'server-error',
      message: 'The host could not be looked at',
      detail: stderr.trim() || `exit code ${code}`,
    });
  }
  const facts = new Map<string, string>();
  for (const line of stdout.split('\n')) {
    const at = line.indexOf('=');
    if (at < 0) continue;
    const key = line.slice(0, at);
    const before = facts.get(key);
    facts.set(key, (before === undefined ? '' : `${before}\n`) + line.slice(at + 1));
  }
  return facts;
}

/** The values of a key that may be printed several times. */
export function factList(facts: ReadonlyMap<string, string>, key: string): string[] {
  return (facts.get(key) ?? '').split('\n').filter((value) => value !== '');
}
