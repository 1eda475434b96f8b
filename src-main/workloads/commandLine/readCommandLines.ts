import { AppError } from '../../../src-shared/errors.ts';
import type { PlanStep } from '../../../src-shared/model/plan.ts';
import type { CommandLineTool, LeftOut, ReadLine } from './tool.ts';
import { type Operator, shellTokens, type Word } from './words.ts';

/** What a pasted text says, as a plan in the making. */
export interface ReadText {
  name: string;
  target: string | null;
  steps: PlanStep[];
  leftOut: LeftOut[];
  missingFiles: string[];
}

/** One command of the text: its words, and the operator before it. */
interface ShellCommand {
  before: string;
  words: Word[];
}

const assignment = /^([A-Za-z_][A-Za-z0-9_]*)=([\s\S]*)$/;
const mostLines = 100;
const printed = 'what is printed is kept with the run';

/**
 * Reads a text as it was typed into a shell: command lines of the tools one after the other, variables before them. All that
 * is not taken over is named.
 * @param files texts of files that command lines name
 * @throws AppError `bad-input` where there is no command line of these tools, or one that cannot be run here
 */
export function readCommandLines(
  text: string,
  tools: readonly CommandLineTool[],
  files: ReadonlyMap<string, string>,
): ReadText {
  const leftOut: LeftOut[] = [];
  const exported = new Map<string, string>();
  const lines: ReadLine[] = [];
  for (const command of commandsOf(text, leftOut)) {
    const { own, rest } = leadingAssignments(command.words);
    const start = rest.findIndex((word) => toolOf(word, tools));
    const tool = rest[start] && toolOf(rest[start], tools);
    if (tool === undefined) {
      for (const [name, value] of exports(own, rest)) exported.set(name, value);
      if (rest.length > 0 && rest[0]?.text !== 'export')
        leftOut.push({ option: shown(text, command, rest), reason: reasonFor(command, tools) });
      continue;
    }
    const before = leadingAssignments(rest.slice(0, start), true);
    if (before.rest.length > 0)
      leftOut.push({
        option: programOf(text, before.rest),
        reason: 'the workbench starts the load by itself',
      });
    const environment = new Map([...exported, ...own, ...before.own]);
    lines.push(tool.read(rest.slice(start + 1), { environment, files }));
    if (lines.length > mostLines)
      throw new AppError({
        code: 'bad-input',
        message: `There are more than ${mostLines} command lines in this text`,
        hint: 'Paste fewer at a time: each becomes a step of one plan.',
      });
  }
  return merged(lines, leftOut, tools);
}

function merged(
  lines: readonly ReadLine[],
  others: readonly LeftOut[],
  tools: readonly CommandLineTool[],
): ReadText {
  const last = lines.at(-1);
  if (last === undefined)
    throw new AppError({
      code: 'bad-input',
      message: `There is no command line of ${tools.map(({ program }) => program).join(' or ')} in this text`,
      hint: 'For example: pgbench -c 10 -j 2 -T 3600 -P 60 bench_test',
    });
  const targets = [...new Set(lines.map(({ target }) => target).filter((target) => target !== null))];
  const [target = null, ...more] = targets;
  return {
    name: last.name,
    target,
    steps: lines.flatMap(({ steps }) => steps),
    leftOut: once([
      ...lines.flatMap(({ leftOut }) => leftOut),
      ...more.map((other) => ({ option: other, reason: 'a plan has one target: the first one is taken' })),
      ...others,
    ]),
    missingFiles: lines.flatMap(({ missingFiles }) => missingFiles ?? []),
  };
}

/** A variable that is set for all lines is left out of each. */
function once(leftOut: readonly LeftOut[]): LeftOut[] {
  return [...new Map(leftOut.map((item) => [JSON.stringify([item.option, item.reason]), item])).values()];
}

/** Cuts a text into commands; where their output goes is left out. */
function commandsOf(text: string, leftOut: LeftOut[]): ShellCommand[] {
  const commands: ShellCommand[] = [{ before: '', words: [] }];
  const tokens = shellTokens(text);
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at];
    const words = commands.at(-1)?.words;
    if (token === undefined || words === undefined) break;
    if ('text' in token) words.push(token);
    else if (!/[<>]/.test(token.operator)) commands.push({ before: token.operator, words: [] });
    else {
      const from = descriptor(words, token) ?? token;
      const file = tokens[at + 1];
      const end = file && 'text' in file ? file.end : token.end;
      leftOut.push({
        ...(token.operator.includes('<')
          ? { option: `${token.operator} …`, reason: 'nothing is read from standard input' }
          : { option: text.slice(from.start, end), reason: printed }),
      });
      if (end > token.end) at++;
    }
  }
  return commands.filter(({ words }) => words.length > 0);
}

/** The number just before a redirection, as in `2>&1`; no longer among the words. */
function descriptor(words: Word[], { start }: Operator): Word | null {
  const last = words.at(-1);
  if (!last || last.end !== start || last.quoted || !/^\d$/.test(last.text)) return null;
  words.pop();
  return last;
}

/** Variables that are set before the first other word; with `anywhere`, between the others too (`sudo -u x A=1`). */
function leadingAssignments(
  words: readonly Word[],
  anywhere = false,
): { own: Map<string, string>; rest: Word[] } {
  const own = new Map<string, string>();
  const rest: Word[] = [];
  for (const word of words) {
    const [, name, value] = assignment.exec(word.text) ?? [];
    if (name !== undefined && value !== undefined && (anywhere || rest.length === 0)) own.set(name, value);
    else rest.push(word);
  }
  return { own, rest };
}

/** Variables that a line without a program sets for those after it: `export PGHOST=db`, `PGHOST=db`. */
function exports(own: ReadonlyMap<string, string>, rest: readonly Word[]): [string, string][] {
  if (rest.length === 0) return [...own];
  if (rest[0]?.text !== 'export') return [];
  return [...leadingAssignments(rest.slice(1)).own];
}

function toolOf(word: Word, tools: readonly CommandLineTool[]): CommandLineTool | undefined {
  const base = word.text
    .split(/[/\\]/)
    .at(-1)
    ?.replace(/\.exe$/i, '');
  return tools.find(({ program }) => program === base);
}

function shown(text: string, { before }: ShellCommand, rest: readonly Word[]): string {
  return before === '|' ? `| ${programOf(text, rest)}` : programOf(text, rest);
}

/** The program alone: whatever stands before it and behind it, a password may be among it (`sshpass -p`, `echo … > ~/.pgpass`). */
function programOf(text: string, words: readonly Word[]): string {
  const [program, ...more] = words;
  const own = text.slice(program?.start, program?.end);
  return more.length > 0 ? `${own} …` : own;
}

function reasonFor({ before }: ShellCommand, tools: readonly CommandLineTool[]): string {
  if (before === '|') return printed;
  return `it is no command line of ${tools.map(({ program }) => program).join(' or ')}`;
}
