import { AppError } from '../../../../src-shared/errors.ts';

/** A script's text with the name that messages give it. */
export interface ScriptText {
  /** The file's name, or a built-in script's description. */
  name: string;
  text: string;
}

/** Finds the line of an offset without counting from the text's beginning each time: scripts can have very many commands. */
export class Lines {
  readonly #ends: number[] = [];

  constructor(text: string) {
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', end + 1)) this.#ends.push(end);
  }

  /** From 1. */
  at(offset: number): number {
    let low = 0;
    let high = this.#ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#ends[middle] ?? 0) < offset) low = middle + 1;
      else high = middle;
    }
    return low + 1;
  }
}

/**
 * An error in a script, where it is.
 * @param offset of the place in the text, characters
 * @param command the meta command that it is in, `\set`
 */
export function syntaxError(
  script: ScriptText,
  offset: number,
  message: string,
  command?: string,
  hint?: string,
): AppError {
  const before = script.text.slice(0, offset);
  const line = before.split('\n').length;
  return new AppError({
    code: 'bad-input',
    message: `${script.name}, line ${line}: ${message}`,
    place: {
      file: script.name,
      line,
      column: offset - (before.lastIndexOf('\n') + 1) + 1,
      statement: command,
    },
    hint,
  });
}
