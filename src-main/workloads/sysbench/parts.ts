import type { SqlClient, SqlOutcome, SqlValue } from '../../databases/sqlClient.ts';
import { type Kind, type Numbers, plannedParts } from './kinds.ts';
import { literal, prepared, type Statement } from './statements.ts';
import { tableNames } from './tables.ts';

/** One client on one connection. */
interface Session extends Numbers {
  client: SqlClient;
}

/** A part of an event: its steps in order, `times` over. */
export interface Part {
  readonly times: number;
  /** Draws the table, once for the whole part. */
  begin(): void;
  readonly steps: readonly PartStep[];
}

export interface PartStep {
  /** Draws the values and runs the statement. */
  run(): Promise<SqlOutcome>;
  /** One for each table. */
  readonly statements: readonly Statement[];
}

/** What one event of the script does, in order. The statements are declared, each for every table. */
export function openParts(session: Session): Part[] {
  return plannedParts(session)
    .filter(([times]) => times > 0)
    .map(([times, ...kinds]) => openPart(session, times, kinds));
}

function openPart(session: Session, times: number, kinds: readonly Kind[]): Part {
  const { client, options, random } = session;
  const names = tableNames(options);
  let table = 0;
  return {
    times,
    begin() {
      if (names.length > 1) table = random.between(0, names.length - 1);
    },
    steps: kinds.map(({ template, types, fill, asText }) => {
      const literally = asText || options.dbPsMode === 'disable';
      const statements = (template.includes('#') ? names : ['']).map((name) => {
        const text = template.replace('#', name);
        return literally ? literal(client, text) : prepared(client, text, types);
      });
      // One array for all executions: the client reads it before its call returns.
      const values = new Array<SqlValue>(template.split('?').length - 1).fill(null);
      return {
        statements,
        run() {
          fill(values);
          const statement = statements[table] ?? statements[0];
          if (statement === undefined) throw new Error('a plan without tables');
          return statement.run(values);
        },
      };
    }),
  };
}
