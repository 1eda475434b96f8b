import { z } from 'zod';
import { planSchema } from './plan.ts';
import { errorDataSchema } from './run.ts';

/** A host of a rack in one benchmark of the rack. */
export const rackMemberSchema = z.object({
  hostId: z.string(),
  /** As it was called when the benchmark began. */
  hostName: z.string(),
  targetName: z.string(),
  /** One for each repeat of the plan; empty before its turn, and where there was none. */
  runIds: z.array(z.string()),
  /** Why no run could be recorded. */
  error: errorDataSchema.nullable(),
  /** Why it does not count in what the rack's figures come to; null: it counts. */
  leftOut: z.object({ reason: z.string(), at: z.iso.datetime() }).nullable(),
});
export type RackMember = z.infer<typeof rackMemberSchema>;

/** The same plan on every host of a rack: its runs share the id as their group. */
export const rackRunSchema = z.object({
  id: z.string(),
  /** The hosts' group. */
  rack: z.string(),
  plan: planSchema,
  /** All at once, sharing the loader's machine; else one after the other. */
  atOnce: z.boolean(),
  startedAt: z.iso.datetime(),
  /** null while runs of it are on or to come. */
  endedAt: z.iso.datetime().nullable(),
  members: z.array(rackMemberSchema),
});
export type RackRun = z.infer<typeof rackRunSchema>;

/** What came out on one host, and what may explain it. null: not known. */
export const rackFiguresSchema = z.object({
  /** Of the first load; over all repeats rows ÷ seconds. */
  rowsPerSecond: z.number().nullable(),
  /** Of the first phase of queries; over all repeats queries ÷ seconds. */
  queriesPerSecond: z.number().nullable(),
  /** Of the first phase of transactions; over all repeats transactions ÷ seconds. */
  transactionsPerSecond: z.number().nullable(),
  /** p99 of the run's first operation, µs; null where there are repeats, as percentiles cannot be joined. */
  p99Us: z.number().nullable(),
  /** Highest while the runs were on. */
  temperatureC: z.number().nullable(),
  /** Seconds in which the firmware held the processor back; null where its bits cannot be read. */
  throttledSeconds: z.number().nullable(),
  underVoltageSeconds: z.number().nullable(),
  /** Lowest while the runs were on. */
  clockMhz: z.number().nullable(),
  /** Of the checks of the machine, with their moment. */
  fsyncMs: z.number().nullable(),
  measuredAt: z.iso.datetime().nullable(),
  roundTripUs: z.number().nullable(),
  linkMbit: z.number().nullable(),
  wifi: z.boolean().nullable(),
});
export type RackFigures = z.infer<typeof rackFiguresSchema>;

/** Rates that hosts are told apart by. */
export const rackRates = ['rowsPerSecond', 'queriesPerSecond', 'transactionsPerSecond'] as const;
export type RackRate = (typeof rackRates)[number];

export const rackResultSchema = z.object({
  run: rackRunSchema,
  /** In the order of the members. */
  hosts: z.array(
    z.object({
      hostId: z.string(),
      hostName: z.string(),
      /** null without a run that has finished. */
      figures: rackFiguresSchema.nullable(),
      /** Against the median of the others that count: figure ÷ median − 1. */
      delta: z.record(z.enum(rackRates), z.number().nullable()),
    }),
  ),
  /** Hosts that are 20 % or more below the median of the others. */
  outliers: z.array(
    z.object({
      hostId: z.string(),
      rate: z.enum(rackRates),
      delta: z.number(),
      /** By how much, and the figures that explain it. */
      sentence: z.string(),
    }),
  ),
  /** What the hosts that count come to. */
  aggregates: z.array(
    z.object({
      rate: z.enum(rackRates),
      mean: z.number(),
      median: z.number(),
      /** How many hosts are in it. */
      hosts: z.int(),
      /** Which of the rack are not, and why: to be shown wherever the figures are. */
      without: z.string(),
    }),
  ),
});
export type RackResult = z.infer<typeof rackResultSchema>;
