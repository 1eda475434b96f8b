import { AppError } from '../../../src-shared/errors.ts';

/** A word of a command line, without its quotes. */
export interface Word {
  text: string;
  /** Where it begins in the text, and just behind it. */
  start: number;
  end: number;
  /** It had quotes or backslashes: `'-x'` is a value for sure. */
  quoted: boolean;
  /** Something that only a shell can work out is in it: `$USER`, `$(date)`, a backquote. */
  expands: boolean;
}

/** What stands between words: the end of a line, `;`, `|`, `&&`, `>` and so on. */
export interface Operator {
  operator: string;
  start: number;
  end: number;
}

/**
 * The words of one command as a POSIX shell separates them: blanks and lines' ends, single and double quotes, backslashes.
 * Nothing is expanded. It ends at an operator.
 * @throws AppError for a quote that is not closed
 */
export function splitWords(line: string): Word[] {
  const tokens = shellTokens(line).filter((token) => !('operator' in token) || token.operator !== '\n');
  const end = tokens.findIndex((token) => 'operator' in token);
  return tokens.slice(0, end < 0 ? undefined : end).filter((token) => 'text' in token);
}

/** All of a text, comments left out; a backslash before a line's end continues it. @throws AppError as `splitWords` */
export function shellTokens(text: string): (Word | Operator)[] {
  return new ShellScanner(text).scan();
}

class ShellScanner {
  readonly #text: string;
  readonly #tokens: (Word | Operator)[] = [];
  #word: Word | null = null;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  scan(): (Word | Operator)[] {
    while (this.#at < this.#text.length) this.#next(this.#text[this.#at] ?? '');
    this.#finish();
    return this.#tokens;
  }

  #next(char: string): void {
    if (char === '#' && this.#word === null) this.#at += this.#match(/[^\n]*/y).length;
    else if (/[;|&<>\n]/.test(char)) this.#operator();
    else if (/\s/.test(char)) {
      this.#finish();
      this.#at++;
    } else if (char === '\\') this.#escaped();
    else if (char === "'" || char === '"') this.#quoted(char);
    else this.#add(char, 1, false, char === '$' || char === '`');
  }

  #operator(): void {
    this.#finish();
    const operator = this.#match(/\n|;;?|\|\|?|&&|&>>?|&|>>|>&|>|<<?/y);
    this.#tokens.push({ operator, start: this.#at, end: this.#at + operator.length });
    this.#at += operator.length;
  }

  #escaped(): void {
    const next = this.#match(/\\(\r?\n|[\s\S]|$)/y);
    if (next.endsWith('\n')) this.#at += next.length;
    else this.#add(next.slice(1), next.length, true);
  }

  /** All up to the same quote, or with the backslashes that count within double ones. */
  #quoted(quote: string): void {
    const whole = this.#match(quote === "'" ? /'[^']*'/y : /"(?:\\[\s\S]|[^"\\])*"/y);
    if (whole === '') throw this.#notClosed(quote);
    const inner = whole.slice(1, -1);
    const text = quote === "'" ? inner : inner.replace(/\\\n|\\(["\\$`])/g, '$1');
    this.#add(text, whole.length, true, quote === '"' && /(?<!\\)[$`]/.test(inner));
  }

  #add(text: string, length: number, quoted: boolean, expands = false): void {
    this.#word ??= { text: '', start: this.#at, end: this.#at, quoted: false, expands: false };
    this.#word.text += text;
    this.#word.quoted ||= quoted;
    this.#word.expands ||= expands;
    this.#at += length;
  }
  #finish(): void {
    if (this.#word !== null) this.#tokens.push({ ...this.#word, end: this.#at });
    this.#word = null;
  }
  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    return pattern.exec(this.#text)?.[0] ?? '';
  }
  #notClosed(quote: string): AppError {
    const before = this.#text.slice(0, this.#at);
    return new AppError({
      code: 'bad-input',
      message: `The quote ${quote} is not closed`,
      place: { line: before.split('\n').length, column: this.#at - before.lastIndexOf('\n') },
      hint: 'Put the same quote at the end of the value.',
    });
  }
}
