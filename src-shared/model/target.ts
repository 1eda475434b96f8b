import { z } from 'zod';
import { serverSchema } from './server.ts';

const targetName = z
  .string()
  .trim()
  .min(1, 'A target needs a name')
  .max(80, 'A name has at most 80 characters');

/** A saved target. The secret (password) is never in it: see `hasSecret`. */
export const targetSchema = z.object({
  id: z.string(),
  name: targetName,
  /** Id in the driver registry. */
  engine: z.string(),
  builtIn: z.boolean(),
  /** Checked by the driver's own connection schema. */
  connection: z.record(z.string(), z.json()),
  /** A password is kept for it (OS key store, or memory for this session). */
  hasSecret: z.boolean(),
  /** The host (a Raspberry Pi in the workbench) it runs on, where that is known. */
  hostId: z.string().nullable(),
  /** What the last successful test said; null before. */
  lastSeen: serverSchema.nullable(),
  lastSeenAt: z.iso.datetime().nullable(),
  createdAt: z.iso.datetime(),
});
export type Target = z.infer<typeof targetSchema>;

/** What a form sends. `id: null` makes a new target; `secret: null` keeps what is stored, `''` forgets it. */
export const targetDraftSchema = z.object({
  id: z.string().nullable(),
  name: targetName,
  engine: z.string(),
  connection: z.record(z.string(), z.json()),
  secret: z.string().nullable(),
  /** Left out: stays as it is. */
  hostId: z.string().nullable().optional(),
});
export type TargetDraft = z.infer<typeof targetDraftSchema>;

/** Fixed ids and names of the built-in targets. */
export const builtInTargets = { sandbox: 'sandbox', null: 'null' } as const;
