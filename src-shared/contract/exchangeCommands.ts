import { z } from 'zod';
import {
  exportedFileSchema,
  exportFormatSchema,
  galleryReferenceSchema,
  importedRunSchema,
} from '../model/exchange.ts';
import { maxRequestBytes } from './bridge.ts';

/** Runs as files; part of the one table in `commands.ts`. */
export const exchangeCommands = {
  /** What runs can be exported as. */
  'exchange.formats': { input: z.null(), output: z.array(exportFormatSchema) },
  /**
   * Runs as one file. Unless `withNames`, the user name of this machine, its name and paths below a home folder are taken
   * out; passwords always are. Errors: `not-found` for a run or format, `bad-input` for more runs than the format holds,
   * `unsupported` where a run has nothing of it, `run-active`.
   */
  'exchange.export': {
    input: z.object({
      /** Each a run, or a group of runs as `SERIES.CELL.TARGET`; several are compared where the format does that. */
      sides: z.array(z.string().min(1).max(120)).min(1).max(1000),
      /** The side that a comparison counts from. */
      base: z.int().nonnegative().default(0),
      format: z.string().max(40),
      withNames: z.boolean().default(false),
      /** Of formats that write latencies down: only of this operation. */
      operation: z.string().max(500).nullable().default(null),
    }),
    output: exportedFileSchema,
  },
  /**
   * Takes in what a text holds: runs exported as JSON, references, TSBS's results, reports of pgbench or sysbench. The same
   * text again makes no second run. Error: `bad-input` that says what the text is not.
   */
  'exchange.import': {
    input: z.object({ text: z.string().max(maxRequestBytes), fileName: z.string().max(1000).nullable() }),
    output: z.array(importedRunSchema),
  },
  /** The published figures that ship with Benchberry; `runs.get` and `exchange.export` know their ids too. */
  'exchange.references': { input: z.null(), output: z.array(galleryReferenceSchema) },
} as const satisfies Record<string, { input: z.ZodType; output: z.ZodType }>;
