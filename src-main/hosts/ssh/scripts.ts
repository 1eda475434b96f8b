import { randomBytes } from 'node:crypto';
import { commandLine } from '../quote.ts';

/** Words that are parsed are English everywhere, text stays UTF-8, and programs of root are found by all. */
const environment =
  'export LC_ALL=C.UTF-8 LANGUAGE=C PATH="$PATH:/usr/local/sbin:/usr/sbin:/sbin:/usr/local/bin:/usr/bin:/bin"';

/** A program with its arguments in place of the shell, so that a signal reaches it. */
export function commandScript(command: readonly [string, ...string[]]): string {
  return `${environment}; exec ${commandLine(command)}`;
}

/**
 * A shell that reads its script from the first bytes of standard input, so that no part of it is in a command line; what
 * follows is the script's own input, and no program in it can swallow a part of the script. A script that a broken
 * connection has cut short is not run.
 */
export function scriptFromInput(text: string, input: string): { script: string; input: string } {
  const end = `#${randomBytes(12).toString('hex')}`;
  const sent = `${text}\n${end}`;
  // Byte by byte, the one way to read from a pipe not more than is wanted that every dd has.
  const read = `s=$(dd bs=1 count=${Buffer.byteLength(sent)} 2>/dev/null)`;
  const guard = `case $s in *${end}) ;; *) echo "the script arrived cut short" >&2; exit 75 ;; esac`;
  return { script: `${environment}; ${read}; ${guard}; eval "$s"`, input: sent + input };
}
