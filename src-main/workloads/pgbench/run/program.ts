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
  /** SQL up to the next \endpipeline or \startpipeline, to be prepared before the pipeline begins. */
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
  const jumps = jumpsOf(commands);
  const operations = commands.map((command, index): Operation => {
    const jump = jumps[index] ?? { otherwise: -1, endif: -1 };
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
        return { kind: command.kind, condition, ...jump, ...common };
      }
      case 'else':
        return { kind: 'else', endif: jump.endif, ...common };
      case 'startpipeline':
        return { kind: 'startpipeline', statements: pipelined(commands, index), ...common };
      default:
        return { kind: command.kind, ...common };
    }
  });
  return { name: script.name, operations };
}

/** Where the branches of each \if go on: in one pass, since scripts can have very many. */
function jumpsOf(commands: readonly Command[]): { otherwise: number; endif: number }[] {
  const jumps = commands.map(() => ({ otherwise: -1, endif: -1 }));
  /** Branches of each open \if, the innermost last. */
  const open: { otherwise: number; endif: number }[][] = [];
  for (const [index, { kind }] of commands.entries()) {
    const branches = open.at(-1);
    const previous = branches?.at(-1);
    const own = jumps[index];
    if (own === undefined) break;
    if (kind === 'if') open.push([own]);
    if (kind !== 'elif' && kind !== 'else' && kind !== 'endif') continue;
    if (previous) previous.otherwise = index;
    branches?.push(own);
    if (kind === 'endif') for (const branch of open.pop() ?? []) branch.endif = index;
  }
  return jumps;
}

/** Indexes of the SQL from a \startpipeline to the \endpipeline, or to another \startpipeline. */
function pipelined(commands: readonly Command[], from: number): number[] {
  const statements: number[] = [];
  for (let index = from + 1; index < commands.length; index++) {
    const kind = commands[index]?.kind;
    if (kind === 'endpipeline' || kind === 'startpipeline') break;
    if (kind === 'sql') statements.push(index);
  }
  return statements;
}
