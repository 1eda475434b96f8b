import { entryOf } from '../../../../src-shared/entryOf.ts';
import { nearest } from '../../../../src-shared/nearest.ts';
import type { Command } from './commands.ts';
import { variableName } from './lexer.ts';
import { parseExpression } from './parseExpression.ts';
import { type ScriptText, syntaxError } from './syntaxError.ts';

/** A word of a meta command's line. */
interface Word {
  text: string;
  offset: number;
}

/** What follows SQL and belongs to it. */
export interface StoreCommand {
  kind: 'gset' | 'aset';
  prefix: string;
}

export interface MetaCommand {
  /** null where nothing stands behind the backslash. */
  command: Command | StoreCommand | null;
  /** The end of its line. */
  end: number;
}

const known = 'set sleep gset aset if elif else endif startpipeline syncpipeline endpipeline'.split(' ');

/** Parses the meta command whose backslash is at an offset, in this line. @throws AppError with its place */
export function parseMetaCommand(script: ScriptText, offset: number, line: number): MetaCommand {
  const name = nextWord(script.text, offset + 1);
  if (name === null) return { command: null, end: endOfLine(script.text, offset) };
  const kind = name.text.toLowerCase();
  const shown = `\\${name.text}`;
  const afterName = name.offset + name.text.length;
  const error = (message: string, at = name.offset - 1, hint?: string) =>
    syntaxError(script, at, message, shown, hint);
  const common = (end: number) => ({
    firstLine: script.text.slice(offset, end).replace(/[\r\n]+$/, ''),
    line,
  });

  if (kind === 'set' || kind === 'if' || kind === 'elif') {
    const variable = kind === 'set' ? nextWord(script.text, afterName) : null;
    if (kind === 'set' && variable === null) throw error('missing argument');
    if (variable && !variableName.test(variable.text))
      throw error(`invalid variable name: "${variable.text}"`, variable.offset);
    const from = variable ? variable.offset + variable.text.length : afterName;
    const { expression, end } = parseExpression(script, from, shown);
    return {
      command: variable
        ? { kind: 'set', variable: variable.text, expression, ...common(end) }
        : { kind: kind === 'elif' ? 'elif' : 'if', expression, ...common(end) },
      end,
    };
  }

  const { words, end } = restOfLine(script.text, afterName);
  switch (kind) {
    case 'sleep':
      return { command: { ...sleep(words, error), ...common(end) }, end };
    case 'gset':
    case 'aset':
      if (words.length > 1) throw error('too many arguments', words[1]?.offset);
      return { command: { kind, prefix: words[0]?.text ?? '' }, end };
    case 'else':
    case 'endif':
    case 'startpipeline':
    case 'syncpipeline':
    case 'endpipeline':
      if (words[0]) throw error('unexpected argument', words[0].offset);
      return { command: { kind, ...common(end) }, end };
    case 'shell':
    case 'setshell':
      throw error(
        `\\${kind} is not run: a script taken from somewhere could run any program on this machine with it`,
        undefined,
        'Take the line out, or give its value with a variable of the plan.',
      );
    default: {
      const guess = nearest(kind, known);
      throw error('invalid command', undefined, guess ? `Did you mean \\${guess}?` : undefined);
    }
  }
}

const unitsUs: Readonly<Record<string, number>> = { us: 1, ms: 1_000, s: 1_000_000 };

function sleep(words: readonly Word[], error: (message: string, at?: number) => Error) {
  const [amount, second, third] = words;
  if (amount === undefined) throw error('missing argument');
  if (third) throw error('too many arguments', third.offset);
  const isVariable = amount.text.startsWith(':');
  const [, digits, attached] = isVariable ? [] : (/^([-+]?\d*)(.*)$/s.exec(amount.text) ?? []);
  if (attached && (second || !/\d/.test(digits ?? '')))
    throw error(`invalid sleep time, must be an integer (${amount.text})`, amount.offset);
  const unit = attached ? { text: attached, offset: amount.offset } : second;
  const unitUs = unit ? entryOf(unitsUs, unit.text.toLowerCase()) : unitsUs.s;
  if (unitUs === undefined)
    throw error(`unrecognized time unit, must be us, ms or s (${unit?.text})`, unit?.offset);
  return {
    kind: 'sleep' as const,
    amount: isVariable ? { variable: amount.text.slice(1) } : Number(digits) || 0,
    unitUs,
  };
}

/** The next word of the line; a backslash before the line's end continues it and is no part of a word. */
function nextWord(text: string, from: number): Word | null {
  const pattern = /(?:[ \t\r\f\v]|\\\r?\n)*((?:[^ \t\r\f\v\n\\]+|\\(?!\r?\n))+)/y;
  pattern.lastIndex = from;
  const [whole, word] = pattern.exec(text) ?? [];
  return whole === undefined || word === undefined
    ? null
    : { text: word, offset: from + whole.length - word.length };
}

function restOfLine(text: string, from: number): { words: Word[]; end: number } {
  const words: Word[] = [];
  let at = from;
  for (let word = nextWord(text, at); word !== null; word = nextWord(text, at)) {
    words.push(word);
    at = word.offset + word.text.length;
  }
  return { words, end: endOfLine(text, at) };
}

/** The line feed that no backslash goes before, or the end of the text. */
function endOfLine(text: string, from: number): number {
  let end = text.indexOf('\n', from);
  while (end >= 0 && /\\\r?$/.test(text.slice(Math.max(from, end - 2), end)))
    end = text.indexOf('\n', end + 1);
  return end < 0 ? text.length : end;
}
