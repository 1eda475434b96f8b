import { z } from 'zod';

export const verdictCodes = [
  'valid',
  'client-bound', // the loader, not the server, was the limit
  'rate-not-held', // open loop: the schedule was not kept
  'errors', // operations failed
  'rows-missing', // rows counted in the database differ from rows acknowledged
  'host-rebooted', // the host was started anew while the run was on
  'throttled', // the host's firmware held its processor back
  'under-voltage', // the host's supply was too low
  'swapping', // the host was short of memory
  'disk-full', // nearly, or quite
  'threshold-missed', // a threshold that the plan sets was not kept
  'too-short', // not enough seconds or operations for a figure
  'interrupted', // the app died or the connection was lost before the end
  'cancelled', // stopped by the user: the figures cover a part
  'failed',
  'imported', // read from another program's report: what speaks against its figures is not known
  'published', // the figures of an article
] as const;
export type VerdictCode = (typeof verdictCodes)[number];

export const verdictSchema = z.object({
  code: z.enum(verdictCodes),
  /** One paragraph: what was seen, with the figures and the limit it is held against. */
  reason: z.string(),
  /** What to do about it. Empty for `valid`. */
  advice: z.string(),
});
export type Verdict = z.infer<typeof verdictSchema>;

/** Icon-free words for a badge; colour and icon are the renderer's. */
export const verdictLabels: Record<VerdictCode, string> = {
  valid: 'Valid',
  'client-bound': 'Client-bound',
  'rate-not-held': 'Rate not held',
  errors: 'Errors',
  'rows-missing': 'Rows missing',
  'host-rebooted': 'Host rebooted',
  throttled: 'Throttled',
  'under-voltage': 'Under-voltage',
  swapping: 'Swapping',
  'disk-full': 'Disk full',
  'threshold-missed': 'Threshold missed',
  'too-short': 'Too short',
  interrupted: 'Interrupted',
  cancelled: 'Stopped',
  failed: 'Failed',
  imported: 'Imported',
  published: 'Published',
};
