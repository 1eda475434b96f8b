import { AppError } from '../../../../src-shared/errors.ts';
import { splitWords } from '../../commandLine/words.ts';
import { variableName } from '../script/lexer.ts';

/** `name=value` words as variables, a later one over an earlier one. @throws AppError for what is none */
export function parseDefinitions(text: string): Map<string, string> {
  return new Map(
    splitWords(text).map(({ text: word }) => {
      const equals = word.indexOf('=');
      const name = word.slice(0, equals);
      const value = word.slice(equals + 1);
      if (equals > 0 && value !== '' && variableName.test(name)) return [name, value];
      throw new AppError({
        code: 'bad-input',
        message: `invalid variable definition: "${word}"`,
        hint: 'A definition is name=value; a name begins with a letter or an underscore.',
      });
    }),
  );
}
