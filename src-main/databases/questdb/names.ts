import { AppError } from '../../../src-shared/errors.ts';

/** Of a table; a column may have neither a dot nor a minus either. */
const refused = /[\p{Cc}\ufeff?,"'\\/:)(+*%~]/u;
const mostBytes = 127;

/**
 * A name as an identifier in SQL.
 * @throws AppError `bad-input` for a name that QuestDB takes for no table or column
 */
export function quoteName(name: string, of: 'table' | 'column' = 'column'): string {
  const bytes = Buffer.byteLength(name, 'utf8');
  const bad =
    bytes === 0 ||
    bytes > mostBytes ||
    refused.test(name) ||
    (of === 'column' ? /[.-]/.test(name) : /^\.|\.$/.test(name));
  if (!bad) return `"${name}"`;
  throw new AppError({
    code: 'bad-input',
    message: `QuestDB takes no ${of} of the name ${JSON.stringify(name.slice(0, 80))}`,
    hint: `Names have 1 to ${mostBytes} bytes and none of ? , " ' \\ / : ( ) + * % ~${of === 'column' ? ' . -' : ''}`,
  });
}

export function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
