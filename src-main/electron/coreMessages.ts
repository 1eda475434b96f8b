import { z } from 'zod';
import { errorDataSchema } from '../../src-shared/model/run.ts';

/** What main tells the core's process. `start` and `client` bring a port. */
export const toCoreSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('start'),
    dataFolder: z.string(),
    secrets: z.object({ kind: z.enum(['os-key-store', 'memory']), detail: z.string() }),
  }),
  z.object({ kind: z.literal('client') }),
  /** End all work, then the process. */
  z.object({ kind: z.literal('close') }),
]);
export type ToCore = z.infer<typeof toCoreSchema>;

/** What the core's process tells main. */
export const fromCoreSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('failed'), error: errorDataSchema }),
]);
export type FromCore = z.infer<typeof fromCoreSchema>;
