import { AppError } from '../../../src-shared/errors.ts';

/** A word of a command line, without its quotes. */
export interface Word {
  text: string;
  /** Where it begins in the line, and just behind it. */
  start: number;
  end: number;
  /** It had quotes or backslashes: `'-x'` is a value for sure. */
  quoted: boolean;
  /** Something that only a shell can work out is in it: `$USER`, `$(date)`, a backquote. */
  expands: boolean;
}

/**
 * The words of a command line as a POSIX shell separates them: blanks, single and double quotes, backslashes, a backslash
 * before the line's end continues it. Nothing is expanded. It ends at an unquoted `;`, `|`, `&`, `<`, `>` or `#`.
 * @throws AppError for a quote that is not closed
 */
export function splitWords(line: string): Word[] {
  const words: Word[] = [];
  let word: Word | null = null;
  const add = (text: string, at: number, quoted: boolean, expands = false): void => {
    word ??= { text: '', start: at, end: at, quoted: false, expands: false };
    word.text += text;
    word.quoted ||= quoted;
    word.expands ||= expands;
  };
  const finish = (end: number): void => {
    if (word !== null) words.push({ ...word, end });
    word = null;
  };
  let at = 0;
  while (at < line.length) {
    const char = line[at] ?? '';
    if (/[;|&<>]/.test(char) || (char === '#' && word === null)) break;
    if (/\s/.test(char)) {
      finish(at);
      at++;
    } else if (char === '\\') {
      const next = line.slice(at + 1).match(/^(\r?\n|[\s\S])?/)?.[0] ?? '';
      if (!next.endsWith('\n')) add(next, at, true);
      at += 1 + next.length;
    } else if (char === "'" || char === '"') {
      const { text, end, expands } = quotedPart(line, at);
      add(text, at, true, expands);
      at = end;
    } else {
      add(char, at, false, char === '$' || char === '`');
      at++;
    }
  }
  finish(at);
  return words;
}

/** What is between quotes: all of it, or with the backslashes that count within double ones. */
function quotedPart(line: string, from: number): { text: string; end: number; expands: boolean } {
  const quote = line[from] ?? '';
  let text = '';
  let expands = false;
  for (let at = from + 1; at < line.length; at++) {
    const char = line[at] ?? '';
    if (char === quote) return { text, end: at + 1, expands };
    const next = line[at + 1] ?? '';
    if (quote === '"' && char === '\\' && /["\\$`\n]/.test(next)) {
      text += next === '\n' ? '' : next;
      at++;
    } else {
      text += char;
      expands ||= quote === '"' && (char === '$' || char === '`');
    }
  }
  throw new AppError({
    code: 'bad-input',
    message: `The quote ${quote} is not closed`,
    place: { line: 1 + line.slice(0, from).split('\n').length - 1, column: from + 1 },
    hint: 'Put the same quote at the end of the value.',
  });
}
