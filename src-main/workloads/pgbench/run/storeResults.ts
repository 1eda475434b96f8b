import type { SqlOutcome } from '../../../databases/sqlClient.ts';
import { variableName } from '../script/lexer.ts';
import type { Names, Variables } from '../script/variables.ts';
import { commandError } from './errors.ts';
import type { Program, SqlOperation } from './program.ts';

/**
 * What \gset and \aset do: columns become variables. \gset takes the last statement's one row; \aset takes the last row of
 * every statement that gave one. NULL becomes the empty text.
 */
export function storeResults(
  program: Program,
  operation: SqlOperation,
  outcome: SqlOutcome,
  variables: Variables,
  names: Names,
): void {
  const { store } = operation;
  if (store === null) return;
  const last = outcome.command === 'select' ? outcome.results.at(-1) : undefined;
  const rows = last?.rows.length ?? 0;
  if (store.how === 'gset' && rows !== 1)
    throw commandError(program, operation, `expected one row, got ${rows}`);
  for (const result of store.how === 'gset' ? outcome.results.slice(-1) : outcome.results) {
    const row = result.rows.at(-1);
    if (row === undefined) continue;
    for (const [index, column] of result.columns.entries()) {
      const name = store.prefix + column;
      if (!variableName.test(name))
        throw commandError(program, operation, `error storing into variable ${name}: no name of a variable`);
      variables.setText(names.slot(name), row[index] ?? '');
    }
  }
}
