import { z } from 'zod';

/** The room that runs take; part of the one table in `commands.ts`. */
export const storageCommands = {
  /** What the file of runs takes, and what could be thinned of runs that are older than so many days. */
  'storage.get': {
    input: z.object({ olderThanDays: z.int().min(0).max(36_500) }),
    output: z.object({
      fileBytes: z.number().nonnegative(),
      /** All that are kept, archived ones too. */
      runs: z.int().nonnegative(),
      thinnable: z.object({
        /** The oldest first. */
        ids: z.array(z.string()),
        /** Their single seconds. */
        seconds: z.int().nonnegative(),
        bytes: z.number().nonnegative(),
      }),
    }),
  },
  /**
   * Joins the single seconds of a run to tens of them: counts added up, histograms merged. Totals stay; this cannot be taken
   * back. Answers whether there was anything to join. @throws `not-found`, `run-active`
   */
  'storage.thin': { input: z.object({ id: z.string().min(1).max(100) }), output: z.boolean() },
  /** Gives the room that became free back to the disk; answers the size of the file then. @throws `run-active` */
  'storage.compact': { input: z.null(), output: z.number().nonnegative() },
} as const satisfies Record<string, { input: z.ZodType; output: z.ZodType }>;
