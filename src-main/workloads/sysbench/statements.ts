import type { SqlClient, SqlOutcome, SqlStatement, SqlType, SqlValue } from '../../databases/sqlClient.ts';

/** A statement with `?` for its values, as it goes to the server: prepared, or as text with its values in it. */
export interface Statement {
  /** For messages: with its values' places. */
  readonly text: string;
  run(values: readonly SqlValue[]): Promise<SqlOutcome>;
  /** To be prepared; null where it goes as text. */
  readonly prepared: SqlStatement | null;
}

/** Parameter types as sysbench declares them: 8-byte integers although the columns have 4, and strings as varchar. */
export function prepared(client: SqlClient, template: string, types: readonly SqlType[]): Statement {
  let n = 0;
  const text = template.replaceAll('?', () => {
    n += 1;
    return `$${n}`;
  });
  const statement = client.declare(text, {
    mode: 'prepared',
    parameters: n,
    types,
    binaryResults: true,
  });
  return { text, prepared: statement, run: (values) => client.execute(statement, values) };
}

/** Values are numbers and texts of digits, letters, blanks and `-`: nothing in them needs an escape. */
export function literal(client: SqlClient, template: string): Statement {
  const parts = template.split('?');
  return {
    text: template,
    prepared: null,
    run(values) {
      let text = parts[0] ?? '';
      for (let i = 1; i < parts.length; i += 1) {
        const value = values[i - 1];
        text += (typeof value === 'string' ? `'${value}'` : String(value)) + (parts[i] ?? '');
      }
      return client.query(text);
    },
  };
}
