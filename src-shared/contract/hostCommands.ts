import { z } from 'zod';
import {
  healthSampleSchema,
  hostDraftSchema,
  hostKeySchema,
  hostSchema,
  inventorySchema,
  machineCheckSchema,
} from '../model/host.ts';
import { provisioningSchema, provisionPlanSchema, recipeInfoSchema } from '../model/provision.ts';

const nothing = z.null();
const id = z.string().min(1).max(100);

/** Hosts and their provisioning; part of the one table in `commands.ts`. */
export const hostCommands = {
  'hosts.list': { input: nothing, output: z.array(hostSchema) },
  'hosts.save': { input: hostDraftSchema, output: hostSchema },
  'hosts.remove': { input: z.object({ id }), output: nothing },
  'hosts.restore': { input: z.object({ id }), output: hostSchema },
  /** Keeps a secret for this session (and in the OS key store where there is one); `''` forgets it. */
  'hosts.setSecret': {
    input: z.object({ id, kind: z.enum(['login', 'sudo']), secret: z.string() }),
    output: nothing,
  },

  'provision.recipes': { input: nothing, output: z.array(recipeInfoSchema) },
  'provision.get': { input: z.object({ id }), output: provisioningSchema },
  'provision.list': { input: z.object({ hostId: id }), output: z.array(provisioningSchema) },

  /** Asks for the host's key without signing in. */
  'hosts.key': {
    input: z.object({ id }),
    output: z.object({
      key: hostKeySchema,
      /** `changed` is a hard stop: the expected one is the pinned or known_hosts one. */
      standing: z.enum(['pinned', 'known-hosts', 'new', 'changed']),
      expected: hostKeySchema.nullable(),
    }),
  },
  /** Pins the key the user has just been shown; refused if the host now shows another. */
  'hosts.trust': { input: z.object({ id, key: hostKeySchema }), output: hostSchema },
  /** Signs in, reads, stores. */
  'hosts.inventory': { input: z.object({ id }), output: inventorySchema },
  /** `host.health` events until the call is cancelled. */
  'hosts.watch': { input: z.object({ id }), output: nothing },
  /** Looks at every step, changes nothing. */
  'provision.plan': { input: provisionPlanSchema, output: provisioningSchema },
  /** Answers when it is under way; the rest is `provision.changed`. Also resumes one that failed or was cut off. */
  'provision.apply': { input: z.object({ id }), output: provisioningSchema },
  /**
   * A plan's own password, where it is kept no longer (`password-needed` of kind `recipe`): `field` is the place that the
   * error names.
   */
  'provision.setSecret': { input: z.object({ id, field: z.string(), secret: z.string() }), output: nothing },
  /** The passwords that Benchberry made up for a plan, as long as they are kept: `field` is the path in the plan. */
  'provision.generated': {
    input: z.object({ id }),
    output: z.array(z.object({ field: z.string(), secret: z.string() })),
  },
  'provision.cancel': { input: z.object({ id }), output: nothing },
  'provision.undo': { input: z.object({ id }), output: provisioningSchema },
  /** The whole plan as one readable shell script. */
  'provision.script': { input: z.object({ id }), output: z.string() },
  /** Browses the network for a few seconds. Nothing found is an empty list. */
  'hosts.discover': {
    input: nothing,
    output: z.array(
      z.object({
        name: z.string(),
        address: z.string(),
        port: z.int(),
        looksLikePi: z.boolean(),
        how: z.string(),
      }),
    ),
  },
  /** Disk, fsync, network, clock: takes up to a minute; changes nothing that stays. */
  'hosts.checks': { input: z.object({ id }), output: z.array(machineCheckSchema) },
  /** May a run begin? */
  'hosts.gate': { input: z.object({ id }), output: z.array(machineCheckSchema) },
  /** Timers and services that are on and would be stopped for the length of a run with `quietHost`. */
  'hosts.disturbers': { input: z.object({ id }), output: z.array(z.string()) },
} as const satisfies Record<string, { input: z.ZodType; output: z.ZodType }>;

export const hostEvents = {
  'host.health': z.object({ hostId: z.string(), sample: healthSampleSchema }),
  'provision.changed': provisioningSchema,
} as const satisfies Record<string, z.ZodType>;
