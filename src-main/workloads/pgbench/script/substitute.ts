import { AppError } from '../../../../src-shared/errors.ts';

/** SQL cut at its `:name`s: text, name, text, name … text. */
export interface CutSql {
  texts: readonly string[];
  names: readonly string[];
}

/** Uses of variables in one statement that pgbench can send as parameters. */
const mostParameters = 255;

/**
 * Finds the variables of a statement. Quotes are not respected; runs of colons are left alone (`::type`), and so is a colon
 * before a digit.
 */
export function cutAtVariables(sql: string): CutSql {
  const texts: string[] = [];
  const names: string[] = [];
  let from = 0;
  for (const match of sql.matchAll(/:([A-Za-z_\u0080-\uffff][A-Za-z_\u0080-\uffff0-9]*)|:+/g)) {
    const [whole, name] = match;
    if (name === undefined) continue;
    texts.push(sql.slice(from, match.index));
    names.push(name);
    from = match.index + whole.length;
  }
  texts.push(sql.slice(from));
  return { texts, names };
}

/** With `$1`, `$2` … for each use of a variable, as the extended protocol has it. */
export function numbered(cut: CutSql): string {
  if (cut.names.length > mostParameters)
    throw new AppError({
      code: 'bad-input',
      message: `A statement uses variables ${cut.names.length} times; as parameters there can be ${mostParameters}`,
      hint: 'Use the simple protocol, or fewer variables.',
    });
  return cut.texts.map((text, index) => (index === 0 ? text : `$${index}${text}`)).join('');
}

/** With the values in the text; a variable without a value stays as it is. @param value by the index of the use */
export function replaced(cut: CutSql, value: (index: number) => string | null): string {
  let sql = cut.texts[0] ?? '';
  for (let i = 0; i < cut.names.length; i++)
    sql += (value(i) ?? `:${cut.names[i]}`) + (cut.texts[i + 1] ?? '');
  return sql;
}
