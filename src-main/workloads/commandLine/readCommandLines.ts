import { AppError } from '../../../src-shared/errors.ts';
import type { PlanStep } from '../../../src-shared/model/plan.ts';
import { expanded } from './expand.ts';
import { carries, inputOf, outputOf, pipelinesOf, type ShellCommand } from './pipelines.ts';
import type { CommandLineTool, LeftOut, ReadLine } from './tool.ts';
import type { Word } from './words.ts';

/** What a pasted text says, as a plan in the making. */
export interface ReadText {
  name: string;
  target: string | null;
  steps: PlanStep[];
  leftOut: LeftOut[];
  missingFiles: string[];
}

/** A command, and the program in it that is one of a tool's. */
interface Part {
  command: ShellCommand;
  own: ReadonlyMap<string, string>;
  /** Without the variables before it. */
  rest: Word[];
  /** null where it is no program of a tool. */
  program: { tool: CommandLineTool; name: string; at: number } | null;
}

const assignment = /^([A-Za-z_][A-Za-z0-9_]*)=([\s\S]*)$/;
const mostLines = 100;
const printed = 'what is printed is kept with the run';
/** Commands that name programs without starting them. */
const namesOnly = ['cd', 'which', 'type', 'go', 'git', 'ls', 'mkdir', 'rm', 'chmod', 'make', 'echo'];

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
  const lines: { tool: CommandLineTool; line: ReadLine }[] = [];
  for (const pipeline of pipelinesOf(text)) {
    const parts = pipeline.map((command) => partOf(expandedWords(command, exported), tools));
    parts.forEach((part, at) => {
      leftOut.push(...redirectionsLeftOut(part, parts));
      const { own, rest, program } = part;
      if (program === null) {
        for (const [name, value] of exports(own, rest)) exported.set(name, value);
        if (rest.length > 0 && rest[0]?.text !== 'export')
          leftOut.push({ option: shown(text, part), reason: reasonFor(part, parts, tools) });
        return;
      }
      const before = leadingAssignments(rest.slice(0, program.at), true);
      if (before.rest.length > 0)
        leftOut.push({
          option: programOf(text, before.rest),
          reason: 'the workbench starts the load by itself',
        });
      const environment = new Map([...exported, ...own, ...before.own]);
      const given = { program: program.name, environment, files, ...flowOf(parts, at) };
      lines.push({ tool: program.tool, line: program.tool.read(rest.slice(program.at + 1), given) });
      if (lines.length > mostLines)
        throw new AppError({
          code: 'bad-input',
          message: `There are more than ${mostLines} command lines in this text`,
          hint: 'Paste fewer at a time: each becomes a step of one plan.',
        });
    });
  }
  return merged(joined(lines), leftOut, tools);
}

/** Lines of one tool that follow one another are joined, where the tool does that. */
function joined(lines: readonly { tool: CommandLineTool; line: ReadLine }[]): ReadLine[] {
  const groups: { tool: CommandLineTool; lines: ReadLine[] }[] = [];
  for (const { tool, line } of lines) {
    const last = groups.at(-1);
    if (last?.tool === tool) last.lines.push(line);
    else groups.push({ tool, lines: [line] });
  }
  return groups.flatMap((group) => group.tool.join?.(group.lines) ?? group.lines);
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
      message: `There is no command line of ${namesOf(tools)} in this text`,
      hint: 'For example: pgbench -c 10 -j 2 -T 3600 -P 60 bench_test',
    });
  if (lines.every(({ steps }) => steps.length === 0))
    throw new AppError({
      code: 'bad-input',
      message: 'Nothing in this text loads data or runs anything',
      detail: lines
        .flatMap(({ leftOut }) => leftOut.map(({ option, reason }) => `${option}: ${reason}`))
        .join('; '),
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

function expandedWords(command: ShellCommand, variables: ReadonlyMap<string, string>): ShellCommand {
  return { ...command, words: command.words.map((word) => expanded(word, variables)) };
}

function partOf(command: ShellCommand, tools: readonly CommandLineTool[]): Part {
  const { own, rest } = leadingAssignments(command.words);
  const none = { command, own, rest, program: null };
  if (namesOnly.includes(rest[0]?.text ?? '')) return none;
  for (const [at, word] of rest.entries()) {
    const name = baseOf(word);
    const tool = tools.find(({ runs }) => runs(name));
    if (tool) return { ...none, program: { tool, name, at } };
  }
  return none;
}

function baseOf({ text }: Word): string {
  return (text.split(/[/\\]/).at(-1) ?? text).replace(/\.exe$/i, '');
}

/** What the part at `at` reads and writes: files, or the program of a tool on its other end of the pipe. */
function flowOf(parts: readonly Part[], at: number): { input: string | null; output: string | null } {
  const from = parts.slice(0, at).findLast(({ program }) => program !== null);
  const to = parts.slice(at + 1).find(({ program }) => program !== null);
  const commands = parts.map(({ command }) => command);
  return {
    input: from ? pipeName(from) : inputOf(commands.slice(0, at + 1)),
    output: to ? pipeName(parts[at]) : outputOf(commands.slice(at)),
  };
}

/** A name that no file has. */
const pipeName = (part: Part | undefined) => `| ${part?.rest[0]?.start}`;

function redirectionsLeftOut(part: Part, parts: readonly Part[]): LeftOut[] {
  const writer = parts.slice(0, parts.indexOf(part) + 1).findLast(({ program }) => program !== null);
  const written = writer?.program?.tool.output?.(writer.program.name) ?? printed;
  const read = carriersReason(parts) ?? 'nothing is read from standard input';
  return part.command.redirections.map(({ option, isInput }) => ({
    option,
    reason: isInput ? read : written,
  }));
}

/** Of the tool that a pipeline is about. */
function carriersReason(parts: readonly Part[]): string | null {
  return parts.find(({ program }) => program !== null)?.program?.tool.carriers ?? null;
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

function shown(text: string, { command, rest }: Part): string {
  return command.before === '|' ? `| ${programOf(text, rest)}` : programOf(text, rest);
}

/** The program alone: whatever stands before it and behind it, a password may be among it (`sshpass -p`, `echo … > ~/.pgpass`). */
function programOf(text: string, words: readonly Word[]): string {
  const [program, ...more] = words;
  const own = text.slice(program?.start, program?.end);
  return more.length > 0 ? `${own} …` : own;
}

function reasonFor(
  { command, rest }: Part,
  parts: readonly Part[],
  tools: readonly CommandLineTool[],
): string {
  const carried = carries(rest[0]?.text ?? '') ? carriersReason(parts) : null;
  if (carried !== null) return carried;
  return command.before === '|' ? printed : `it is no command line of ${namesOf(tools)}`;
}

function namesOf(tools: readonly CommandLineTool[]): string {
  const names = tools.map(({ name }) => name);
  return [names.slice(0, -1).join(', '), names.at(-1)].filter(Boolean).join(' or ');
}
