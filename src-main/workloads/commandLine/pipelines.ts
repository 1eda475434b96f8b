import { type Operator, shellTokens, type Word } from './words.ts';

/** One command of a text: its words, and the operator before it. */
export interface ShellCommand {
  before: string;
  words: Word[];
  redirections: Redirection[];
}

export interface Redirection {
  /** As it was written. */
  option: string;
  isInput: boolean;
  /** null where no word follows. */
  file: string | null;
}

/** Programs that hand files on, packed or unpacked. */
const carriers = [
  'cat',
  'gzip',
  'gunzip',
  'zcat',
  'gzcat',
  'pigz',
  'unpigz',
  'zstd',
  'unzstd',
  'zstdcat',
  'pv',
];

/** Cuts a text into commands, and these into those that are joined by pipes. @throws AppError as `shellTokens` */
export function pipelinesOf(text: string): ShellCommand[][] {
  const pipelines: ShellCommand[][] = [];
  for (const command of commandsOf(text)) {
    const last = pipelines.at(-1);
    if (command.before === '|' && last) last.push(command);
    else pipelines.push([command]);
  }
  return pipelines;
}

export function carries(program: string): boolean {
  return carriers.includes(program);
}

/** The file that a pipeline begins with: `cat data.gz | gunzip | …`, `… < data`. */
export function inputOf(commands: readonly ShellCommand[]): string | null {
  const redirected = commands.flatMap(({ redirections }) => redirections.filter(({ isInput }) => isInput));
  const [first] = commands;
  const carried = first && carries(first.words[0]?.text ?? '') ? first.words.slice(1) : [];
  const named = carried.findLast(({ text }) => !text.startsWith('-'));
  return named?.text ?? redirected[0]?.file ?? null;
}

/** The file that a pipeline ends in: `… | gzip > data.gz`. */
export function outputOf(commands: readonly ShellCommand[]): string | null {
  const redirected = commands.flatMap(({ redirections }) => redirections.filter(({ isInput }) => !isInput));
  return redirected.at(-1)?.file ?? null;
}

function commandsOf(text: string): ShellCommand[] {
  const commands: ShellCommand[] = [{ before: '', words: [], redirections: [] }];
  const tokens = shellTokens(text);
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at];
    const command = commands.at(-1);
    if (token === undefined || command === undefined) break;
    if ('text' in token) command.words.push(token);
    else if (!/[<>]/.test(token.operator))
      commands.push({ before: token.operator, words: [], redirections: [] });
    else {
      const from = descriptor(command.words, token) ?? token;
      const next = tokens[at + 1];
      const file = next && 'text' in next ? next : null;
      const isInput = token.operator.includes('<');
      command.redirections.push({
        option: isInput ? `${token.operator} …` : text.slice(from.start, file?.end ?? token.end),
        isInput,
        file: file?.text ?? null,
      });
      if (file !== null) at++;
    }
  }
  return commands.filter(({ words, redirections }) => words.length > 0 || redirections.length > 0);
}

/** The number just before a redirection, as in `2>&1`; no longer among the words. */
function descriptor(words: Word[], { start }: Operator): Word | null {
  const last = words.at(-1);
  if (!last || last.end !== start || last.quoted || !/^\d$/.test(last.text)) return null;
  words.pop();
  return last;
}
