import { randomBytes } from 'node:crypto';
import { AppError } from '../../../src-shared/errors.ts';
import type { Remote, RemoteOptions } from '../remote.ts';
import { clean } from './text.ts';

/** A name and the shell text that answers it. */
export type SurveyItem = readonly [name: string, text: string];

/** A word that no output can imitate. */
export const newMark = () => `benchberry-${randomBytes(8).toString('hex')}`;

/** What one item of the survey printed, errors included, and how it ended. */
export interface Section {
  text: string;
  code: number;
}

/** Answers by name. An item that the host did not get to is an empty one that failed. */
export class Survey {
  readonly #sections: ReadonlyMap<string, Section>;

  constructor(sections: ReadonlyMap<string, Section>) {
    this.#sections = sections;
  }

  text(name: string): string {
    return this.#sections.get(name)?.text ?? '';
  }

  succeeded(name: string): boolean {
    return this.#sections.get(name)?.code === 0;
  }

  /** The text where the command succeeded, else nothing: for commands whose errors could be taken for answers. */
  output(name: string): string {
    return this.succeeded(name) ? this.text(name) : '';
  }
}

/**
 * One shell script that reads and changes nothing. Each item has its own shell, no input, ten seconds, and stands
 * between two marks that no output can imitate, since `mark` is random.
 */
export function surveyScript(mark: string, asked: readonly SurveyItem[]): string {
  const items = asked.map(([name, text]) => `item ${name} <<'${mark}'\n${text}\n${mark}`);
  return `${prelude(mark)}\n${items.join('\n')}\n`;
}

const prelude = (mark: string) => `# Reads what this host is. Changes nothing.
export LC_ALL=C PATH="$PATH:/usr/local/sbin:/usr/sbin:/sbin"
set -- $SSH_CONNECTION
export client="\${1:-}" client_port="\${2:-}"
export dev="$(ip -o route get "\${client:-1.1.1.1}" 2>/dev/null | sed -n 's/.* dev \\([^ ]*\\).*/\\1/p')"
export as_root=
[ "$(id -u)" = 0 ] || { command -v sudo >/dev/null && sudo -n true >/dev/null 2>&1 </dev/null && as_root='sudo -n'; }
limit=
command -v timeout >/dev/null && limit='timeout -k 1 10'
item() {
  printf '\\n${mark} begin %s\\n' "$1"
  text=$(cat)
  $limit sh -c "$text" </dev/null 2>&1 & child=$!
  wait "$child"
  printf '\\n${mark} end %s %d\\n' "$1" "$?"
}
# Whoever is told to end takes the item under way with him.
trap 'kill "$child" 2>/dev/null; exit 143' HUP INT TERM PIPE`;

/**
 * Asks a host. Which of the items it could answer is another matter, but a host that answers none is not one.
 * @throws AppError what `Remote.script` throws; `unsupported` where the far end has no POSIX shell
 */
export async function askSurvey(
  remote: Remote,
  items: readonly SurveyItem[],
  options: RemoteOptions,
): Promise<Survey> {
  const mark = newMark();
  const { stdout, stderr } = await remote.script(surveyScript(mark, items), options);
  if (stdout.includes(mark)) return readSurvey(stdout, mark);
  throw new AppError({
    code: 'unsupported',
    message: 'The host did not answer as a Linux system does',
    place: { host: remote.address },
    detail: (stderr || stdout).trim().slice(0, 500) || undefined,
    hint: 'Sign in by hand and see whether a shell answers; some systems run a setup at the first login.',
  });
}

/** Takes the answers out of what the script printed; noise around them (banners, warnings of the shell) is left out. */
export function readSurvey(output: string, mark: string): Survey {
  const sections = new Map<string, Section>();
  let name: string | null = null;
  let lines: string[] = [];
  for (const line of output.split('\n')) {
    const [word, kind, item, code] = line.trim().split(' ');
    if (word === mark && kind === 'begin' && item !== undefined) {
      name = item;
      lines = [];
    } else if (word === mark && kind === 'end' && item === name && item !== undefined) {
      // The newline before the mark is ours.
      const text = lines.at(-1) === '' ? lines.slice(0, -1).join('\n') : lines.join('\n');
      sections.set(item, { text: clean(text), code: Number(code) });
      name = null;
    } else lines.push(line);
  }
  return new Survey(sections);
}
