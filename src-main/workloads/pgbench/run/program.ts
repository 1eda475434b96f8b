import type { Command } from '../script/commands.ts';
import { compileExpression, type Evaluator } from '../script/evaluate.ts';
import { parseScript } from '../script/parseScript.ts';
import { type CutSql, cutAtVariables, numbered } from '../script/substitute.ts';
import type { ScriptText } from '../script/syntaxError.ts';
import type { Names } from '../script/variables.ts';

export type Protocol = 'simple' | 'extended' | 'prepared';

/** A script as it is executed: its commands one after the other, variables as slots, conditions as jumps. */
export interface Program {
  name: string;
  operations: readonly Operation[];
}

interface Common {
  /** Its place in the list of all scripts' commands. */
  statement: number;
  /** What messages and reports call it. */
  firstLine: string;
  line: number;
}
export interface SqlOperation extends Common {
  kind: 'sql';
  /** Cut for the simple protocol, numbered for the others. */
  cut: CutSql;
  text: string;
  slots: readonly number[];
  store: { how: 'gset' | 'aset'; prefix: string } | null;
}
interface SetOperation extends Common {
  kind: 'set';
  slot: number;
  value: Evaluator;
}
interface SleepOperation extends Common {
  kind: 'sleep';
  /** A number, or the slot of the variable that holds it. */
  amount: number | { slot: number; name: string };
  unitUs: number;
}
export interface BranchOperation extends Common {
  kind: 'if' | 'elif';
  condition: Evaluator;
  /** The next branch of the same \if, or its \endif. */
  otherwise: number;
  /** Its \endif. */
  endif: number;
}
interface ElseOperation extends Common {
  kind: 'else';
  endif: number;
}
export interface StartPipelineOperation extends Common {
  kind: 'startpipeline';
  /** SQL up to the next \endpipeline, to be prepared before the pipeline begins. */
  statements: readonly number[];
}
interface BareOperation extends Common {
  kind: 'endif' | 'syncpipeline' | 'endpipeline';
}
export type Operation =
  | SqlOperation
  | SetOperation
  | SleepOperation
  | BranchOperation
  | ElseOperation
  | StartPipelineOperation
  | BareOperation;

/**
 * @param firstStatement number of the script's first command among those of all scripts
 * @throws AppError with the place of what is wrong
 */
export function compileScript(
  script: ScriptText,
  protocol: Protocol,
  firstStatement: number,
  names: Names,
): Program {
  const commands = parseScript(script);
  const operations = commands.map((command, index): Operation => {
    const { firstLine, line } = command;
    const common = { statement: firstStatement + index, firstLine, line };
    switch (command.kind) {
      case 'sql': {
        const cut = cutAtVariables(command.sql);
        const text = protocol === 'simple' ? command.sql : numbered(cut);
        const slots = cut.names.map((name) => names.slot(name));
        return { kind: 'sql', cut, text, slots, store: command.store, ...common };
      }
      case 'set': {
        const value = compileExpression(command.expression, names);
        return { kind: 'set', slot: names.slot(command.variable), value, ...common };
      }
      case 'sleep': {
        const { amount, unitUs } = command;
        const from =
          typeof amount === 'number' ? amount : { slot: names.slot(amount.variable), name: amount.variable };
        return { kind: 'sleep', amount: from, unitUs, ...common };
      }
      case 'if':
      case 'elif': {
        const condition = compileExpression(command.expression, names);
        const otherwise = nextOfSameIf(commands, index, true);
        return {
          ...{ kind: command.kind, condition, otherwise, ...common },
          endif: nextOfSameIf(commands, index, false),
        };
      }
      case 'else':
        return { kind: 'else', endif: nextOfSameIf(commands, index, false), ...common };
      case 'startpipeline':
        return { kind: 'startpipeline', statements: pipelined(commands, index), ...common };
      default:
        return { kind: command.kind, ...common };
    }
  });
  return { name: script.name, operations };
}

/** Index of the \endif of the branch at an index; with `branches`, of the next \elif or \else before it if there is one. */
function nextOfSameIf(commands: readonly Command[], from: number, branches: boolean): number {
  let depth = 0;
  return commands.findIndex(({ kind }, index) => {
    if (index <= from) return false;
    if (kind === 'if') depth++;
    if (depth > 0) {
      if (kind === 'endif') depth--;
      return false;
    }
    return kind === 'endif' || (branches && (kind === 'elif' || kind === 'else'));
  });
}

/** Indexes of the SQL from a \startpipeline to the next \endpipeline. */
function pipelined(commands: readonly Command[], from: number): number[] {
  const length = commands.slice(from).findIndex(({ kind }) => kind === 'endpipeline');
  const end = length < 0 ? commands.length : from + length;
  return commands.flatMap(({ kind }, index) =>
    kind === 'sql' && index > from && index < end ? [index] : [],
  );
}
