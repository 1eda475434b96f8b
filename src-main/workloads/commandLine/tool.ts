import type { PlanStep } from '../../../src-shared/model/plan.ts';
import type { Word } from './words.ts';

/** A program, or a family of them, whose command lines can become plans. */
export interface CommandLineTool {
  /** What people call it. */
  name: string;
  /** Whether this is one of its programs; without its folder. */
  runs(program: string): boolean;
  read: CommandLineReader;
  /** What several of its lines say together, where one makes what the next one takes; without it each is for itself. */
  join?(lines: readonly ReadLine[]): ReadLine[];
  /** Why programs that hand on and unpack files for its own are left out, and what is read from a file. */
  carriers?: string;
  /** Why the file is left out that a program writes; null for one that writes a report. Without it all of them do. */
  output?(program: string): string | null;
}

/** The tool of a program that is called by this name alone. */
export function toolOf(program: string, read: CommandLineReader): CommandLineTool {
  return { name: program, runs: (candidate) => candidate === program, read };
}

/**
 * @param words what stands behind the program's name
 * @param given what else it looks at
 * @throws AppError `bad-input` where the program would do nothing, or nothing that can be run here
 */
export type CommandLineReader = (words: readonly Word[], given: Given) => ReadLine;

export interface Given {
  /** The program's name as it was written, without its folder. */
  program: string;
  /** Variables set before the command. */
  environment: ReadonlyMap<string, string>;
  /** Texts of files that are known, by the name that the command line has for them. */
  files: ReadonlyMap<string, string>;
  /** Name of the file that it reads from standard input, unpacked on the way or not; null where none is named. */
  input: string | null;
  /** The file that its standard output goes to. Between two programs of a tool it is a name that no file has. */
  output: string | null;
}

/** What a command line says, as parts of a plan. */
export interface ReadLine {
  /** A plan's name: `sysbench oltp_read_write`. */
  name: string;
  /** Connection URL of the server that it names, without a password; null where it names none. */
  target: string | null;
  steps: PlanStep[];
  /** What could not be taken over, as it was written, and why. */
  leftOut: LeftOut[];
  /** Files whose text was asked for and not known. */
  missingFiles?: string[];
  /** Of which kind it is, and what it reads and writes, for the tool's `join`. */
  part?: { kind: string; input: string | null; output: string | null };
}

export interface LeftOut {
  option: string;
  reason: string;
  /** Where it stands in a file. Both count from 1. */
  place?: { line: number; column: number };
}
