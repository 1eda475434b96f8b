import { z } from 'zod';
import { planSchema } from '../model/plan.ts';
import { rackResultSchema, rackRunSchema } from '../model/rack.ts';

const id = z.string().min(1).max(100);

/** The same plan on the hosts of a rack; part of the one table in `commands.ts`. */
export const rackCommands = {
  /**
   * Starts a run on each member's target, all at once or one after the other in their order, and answers when it is under
   * way. A run that fails or is stopped does not keep the others from running. `overrideGate` as with `runs.start`.
   */
  'racks.start': {
    input: z.object({
      rack: z.string().min(1),
      plan: planSchema,
      atOnce: z.boolean(),
      members: z
        .array(z.object({ hostId: id, targetId: id }))
        .min(1, 'Choose at least one host')
        .max(200),
      overrideGate: z.string().trim().min(1).max(500).nullable().default(null),
    }),
    output: rackRunSchema,
  },
  /** Stops its active runs, and those that would come. */
  'racks.stop': { input: z.object({ id }), output: rackRunSchema },
  /** Newest first; without a rack those of all. */
  'racks.list': {
    input: z.object({ rack: z.string().nullable().default(null) }),
    output: z.array(rackRunSchema),
  },
  'racks.get': { input: z.object({ id }), output: rackRunSchema },
  /** The figures of each host, who stands out and why, and what they come to together. */
  'racks.result': { input: z.object({ id }), output: rackResultSchema },
  /** Leaves a host out of what the rack's figures come to, with the reason that is shown beside them; null takes it in again. */
  'racks.leaveOut': {
    input: z.object({ id, hostId: id, reason: z.string().trim().min(1, 'Say why').max(200).nullable() }),
    output: rackRunSchema,
  },
} as const satisfies Record<string, { input: z.ZodType; output: z.ZodType }>;

export const rackEvents = {
  /** It began, a run of it began, it ended, or a host was left out. */
  'rack.changed': rackRunSchema,
} as const satisfies Record<string, z.ZodType>;
