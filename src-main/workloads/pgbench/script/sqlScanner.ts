/** A piece of SQL out of a script, as psql's scanner cuts it. */
export interface ScannedSql {
  /** Without white space and `--` comments before it; empty where there is nothing else. `\;` has become `;`. */
  sql: string;
  /** Where it begins in the text. */
  start: number;
  /** Just behind the semicolon, at the backslash, or at the end of the text. */
  end: number;
  stop: 'semicolon' | 'backslash' | 'end';
}

const identifierStart = /[A-Za-z_\u0080-\uffff]/;
const identifier = /[A-Za-z_\u0080-\uffff][A-Za-z_\u0080-\uffff0-9$]*/y;
const blank = /\s+|--[^\n\r]*/y;
const dollarQuote = /\$(?:[A-Za-z_\u0080-\uffff][A-Za-z_\u0080-\uffff0-9]*)?\$/y;

/** Scans from an offset to the next semicolon that ends a command, to the next meta command, or to the end. */
export function scanSql(text: string, from: number): ScannedSql {
  return new SqlScanner(text, from).scan();
}

class SqlScanner {
  readonly #text: string;
  #at: number;
  #sql = '';
  #parentheses = 0;
  readonly #body = new FunctionBody();

  constructor(text: string, from: number) {
    this.#text = text;
    this.#at = from;
  }

  scan(): ScannedSql {
    this.#skipBlank();
    const start = this.#at;
    const stop = this.#command();
    return { sql: this.#sql, start, end: this.#at, stop };
  }

  #skipBlank(): void {
    blank.lastIndex = this.#at;
    while (blank.test(this.#text)) this.#at = blank.lastIndex;
  }

  #command(): ScannedSql['stop'] {
    while (this.#at < this.#text.length) {
      const char = this.#text[this.#at] ?? '';
      const next = this.#text[this.#at + 1];
      if (char === '\\') {
        if (next !== ';' && next !== ':') return 'backslash';
        this.#at++;
        this.#take(1);
        if (next === ';') this.#body.restart();
      } else if (char === ';') {
        this.#take(1);
        if (this.#parentheses === 0 && this.#body.depth === 0) return 'semicolon';
      } else this.#piece(char, next);
    }
    return 'end';
  }

  /** Something that a semicolon may be inside of, or one character. */
  #piece(char: string, next: string | undefined): void {
    if (char === "'") this.#quoted("'", false);
    else if (char === '"') this.#quoted('"', false);
    else if (char === '-' && next === '-') this.#take(this.#until(/[\n\r]|$/g));
    else if (char === '/' && next === '*') this.#comment();
    else if (char === '$') this.#dollar();
    else if (identifierStart.test(char)) this.#identifier();
    else {
      if (char === '(') this.#parentheses++;
      if (char === ')' && this.#parentheses > 0) this.#parentheses--;
      this.#take(1);
    }
  }

  #take(count: number): void {
    this.#sql += this.#text.slice(this.#at, this.#at + count);
    this.#at += count;
  }
  /** Characters up to the start of the next match; to the end without one. */
  #until(pattern: RegExp): number {
    pattern.lastIndex = this.#at;
    return (pattern.exec(this.#text)?.index ?? this.#text.length) - this.#at;
  }

  /** A doubled quote within it ends it and begins the next one: the same. @param escapes backslashes escape, as in E'…' */
  #quoted(quote: string, escapes: boolean): void {
    let end = this.#at + 1;
    while (end < this.#text.length && this.#text[end] !== quote)
      end += escapes && this.#text[end] === '\\' ? 2 : 1;
    this.#take(Math.min(end + 1, this.#text.length) - this.#at);
  }

  /** Comments nest. */
  #comment(): void {
    let depth = 0;
    do {
      const opens = this.#text.startsWith('/*', this.#at);
      const closes = this.#text.startsWith('*/', this.#at);
      if (opens) depth++;
      if (closes) depth--;
      this.#take(opens || closes ? 2 : 1);
    } while (depth > 0 && this.#at < this.#text.length);
  }

  #dollar(): void {
    dollarQuote.lastIndex = this.#at;
    const [tag] = dollarQuote.exec(this.#text) ?? [];
    if (tag === undefined) {
      this.#take(1);
      return;
    }
    const close = this.#text.indexOf(tag, this.#at + tag.length);
    this.#take((close < 0 ? this.#text.length : close + tag.length) - this.#at);
  }

  #identifier(): void {
    identifier.lastIndex = this.#at;
    const [word = ''] = identifier.exec(this.#text) ?? [];
    this.#take(word.length);
    if (/^e$/i.test(word) && this.#text[this.#at] === "'") this.#quoted("'", true);
    else if (this.#parentheses === 0) this.#body.word(word.toLowerCase());
  }
}

/** How deep in BEGIN … END of a function's body in SQL, whose semicolons do not end the command. */
class FunctionBody {
  depth = 0;
  #words: string[] = [];

  restart(): void {
    this.#words = [];
  }
  word(word: string): void {
    if (this.#words.length < 4) this.#words.push(word);
    if (!/^create (or replace )?(function|procedure)\b/.test(this.#words.join(' '))) return;
    if (word === 'begin' || (word === 'case' && this.depth > 0)) this.depth++;
    if (word === 'end' && this.depth > 0) this.depth--;
  }
}
