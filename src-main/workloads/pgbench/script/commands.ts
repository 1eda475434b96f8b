import type { Expression } from './parseExpression.ts';

interface Common {
  /** What reports call it: its first line. */
  firstLine: string;
  /** 1-based. */
  line: number;
}

export interface SqlCommand extends Common {
  kind: 'sql';
  /** As in the script, its semicolon included; `:name` not replaced. */
  sql: string;
  /** `\gset` or `\aset` behind it: columns become variables with this prefix. */
  store: { how: 'gset' | 'aset'; prefix: string } | null;
}
export interface SetCommand extends Common {
  kind: 'set';
  variable: string;
  expression: Expression;
}
export interface SleepCommand extends Common {
  kind: 'sleep';
  /** A number, or the variable that holds it. */
  amount: number | { variable: string };
  /** Microseconds that one of the amount is. */
  unitUs: number;
}
export interface ConditionCommand extends Common {
  kind: 'if' | 'elif';
  expression: Expression;
}
export interface BareCommand extends Common {
  kind: 'else' | 'endif' | 'startpipeline' | 'syncpipeline' | 'endpipeline';
}

/** One command of a script: SQL, or a meta command. `\gset` and `\aset` belong to the SQL before them. */
export type Command = SqlCommand | SetCommand | SleepCommand | ConditionCommand | BareCommand;
