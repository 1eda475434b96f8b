import type { Command, SqlCommand } from './commands.ts';
import { parseMetaCommand } from './metaCommand.ts';
import { scanSql } from './sqlScanner.ts';
import { Lines, type ScriptText, syntaxError } from './syntaxError.ts';

/** Bytes of a command's first line that reports show. */
const shownLength = 127;

/**
 * A script's commands. SQL ends with a semicolon, at the next meta command or at the end; what it says is not looked at.
 * @throws AppError with file, line, column and command
 */
export function parseScript(script: ScriptText): Command[] {
  const commands: Command[] = [];
  const lines = new Lines(script.text);
  for (let at = 0; ; ) {
    const { sql, start, end, stop } = scanSql(script.text, at);
    if (sql !== '') commands.push(sqlCommand(sql, lines.at(start)));
    at = end;
    if (stop === 'end') break;
    if (stop === 'backslash') at = takeMetaCommand(script, end, lines.at(end), commands);
  }
  if (commands.length === 0)
    throw syntaxError(script, 0, 'empty command list: there is neither SQL nor a meta command');
  checkConditions(script, commands);
  return commands;
}

function sqlCommand(sql: string, line: number): SqlCommand {
  const firstLine = /^[^\n\r]*/.exec(sql)?.[0] ?? '';
  return {
    kind: 'sql',
    sql,
    firstLine: Buffer.from(firstLine).subarray(0, shownLength).toString(),
    line,
    store: null,
  };
}

/** @returns where its line ends */
function takeMetaCommand(script: ScriptText, offset: number, line: number, commands: Command[]): number {
  const { command, end } = parseMetaCommand(script, offset, line);
  if (command === null) return end;
  if (!('prefix' in command)) {
    commands.push(command);
    return end;
  }
  const last = commands.at(-1);
  const shown = `\\${command.kind}`;
  if (last?.kind !== 'sql' || last.store !== null)
    throw syntaxError(script, offset, `${shown} must follow an SQL command`, shown);
  last.store = { how: command.kind, prefix: command.prefix };
  return end;
}

/** Every \if has its \endif, and \else is the last of its branches. */
function checkConditions(script: ScriptText, commands: readonly Command[]): void {
  const open: { line: number; elseSeen: boolean }[] = [];
  const error = (line: number, message: string, command: string) =>
    syntaxError(script, offsetOfLine(script.text, line), message, command);
  for (const { kind, line } of commands) {
    const inner = open.at(-1);
    if (kind === 'if') open.push({ line, elseSeen: false });
    if (kind !== 'elif' && kind !== 'else' && kind !== 'endif') continue;
    const shown = `\\${kind}`;
    if (!inner) throw error(line, `${shown} without matching \\if`, shown);
    if (kind === 'endif') open.pop();
    else if (inner.elseSeen) throw error(line, `${shown} after \\else`, shown);
    else if (kind === 'else') inner.elseSeen = true;
  }
  const left = open.at(-1);
  if (left) throw error(left.line, '\\if without matching \\endif', '\\if');
}

function offsetOfLine(text: string, line: number): number {
  return (
    text
      .split('\n')
      .slice(0, line - 1)
      .join('\n').length + (line > 1 ? 1 : 0)
  );
}
