import { AppError } from '../../../../src-shared/errors.ts';

/** A script's text with the name that messages give it. */
export interface ScriptText {
  /** The file's name, or a built-in script's description. */
  name: string;
  text: string;
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
