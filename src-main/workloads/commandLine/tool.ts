import type { PlanStep } from '../../../src-shared/model/plan.ts';
import type { Word } from './words.ts';

/** A program whose command lines can become plans. */
export interface CommandLineTool {
  /** What the command begins with, without its folder. */
  program: string;
  read: CommandLineReader;
}

/**
 * @param words what stands behind the program's name
 * @param given what else it looks at
 * @throws AppError `bad-input` where the program would do nothing, or nothing that can be run here
 */
export type CommandLineReader = (words: readonly Word[], given: Given) => ReadLine;

export interface Given {
  /** Variables set before the command. */
  environment: ReadonlyMap<string, string>;
  /** Texts of files that are known, by the name that the command line has for them. */
  files: ReadonlyMap<string, string>;
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
}

export interface LeftOut {
  option: string;
  reason: string;
}
