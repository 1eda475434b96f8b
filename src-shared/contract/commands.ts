import { z } from 'zod';
import { dataFileSchema } from '../model/dataFile.ts';
import { engineInfoSchema, workloadInfoSchema } from '../model/engine.ts';
import { healthSampleSchema, machineCheckSchema } from '../model/host.ts';
import { runLatenciesSchema } from '../model/latencies.ts';
import { planSchema, savedPlanSchema } from '../model/plan.ts';
import {
  errorDataSchema,
  progressSchema,
  runEventSchema,
  runFacetSchema,
  runHeadSchema,
  runSchema,
} from '../model/run.ts';
import { serverSchema } from '../model/server.ts';
import { targetDraftSchema, targetSchema } from '../model/target.ts';
import { serverSampleSchema, serverWatchSchema } from '../model/telemetry.ts';
import { tickSchema } from '../model/tick.ts';
import { timeAxisSchema } from '../model/timeAxis.ts';
import { comparisonCommands } from './comparisonCommands.ts';
import { exchangeCommands } from './exchangeCommands.ts';
import { hostCommands, hostEvents } from './hostCommands.ts';
import { rackCommands, rackEvents } from './rackCommands.ts';
import { seriesCommands, seriesEvents } from './seriesCommands.ts';
import { storageCommands } from './storageCommands.ts';

const nothing = z.null();
const id = z.string().min(1).max(100);
/** As many as a list can show. */
const runIds = z.array(id).min(1).max(10_000);
const tag = z.string().trim().min(1).max(40);
const filterText = z.string().max(2000);

/** A problem found in a plan: `path` points at the field (`steps[0].tsbs.load.scale`) so that a form can show it there. */
export const problemSchema = z.object({ path: z.string(), message: z.string(), hint: z.string().nullable() });
export type Problem = z.infer<typeof problemSchema>;

export const settingsSchema = z.object({
  theme: z.enum(['system', 'light', 'dark']).default('system'),
});
export type Settings = z.infer<typeof settingsSchema>;

/** What a plan, or the program it comes from or goes to, has no word for, and why. */
export const leftOutSchema = z.object({
  option: z.string(),
  reason: z.string(),
  /** Where it stands in a file. Both count from 1. */
  place: z.object({ line: z.int(), column: z.int() }).exactOptional(),
});
export type LeftOut = z.infer<typeof leftOutSchema>;

/** What became of a pasted command line. */
export const commandLinePlanSchema = z.object({
  plan: planSchema,
  /** Whether it says which server; else the plan is for the built-in one. */
  serverNamed: z.boolean(),
  /** What could not be taken over, as it was written, and why. */
  leftOut: z.array(leftOutSchema),
  /** Files whose text is still to be put into the plan. */
  missingFiles: z.array(z.string()),
});
export type CommandLinePlan = z.infer<typeof commandLinePlanSchema>;

/** What became of a configuration of `tsbs_load`. */
export const configPlanSchema = commandLinePlanSchema.omit({ missingFiles: true }).extend({
  /** What is in the plan now, in the order of the file. */
  taken: z.array(z.object({ option: z.string(), parameter: z.string(), value: z.json() })),
  /** Lines that are no YAML, or not what they were meant to be. They are passed over; all others hold. */
  mistakes: z.array(
    z.object({
      message: z.string(),
      hint: z.string(),
      line: z.int(),
      column: z.int(),
      /** Lines to put in its place; null where it cannot be told. */
      fix: z.string().nullable(),
    }),
  ),
});
export type ConfigPlan = z.infer<typeof configPlanSchema>;

/** What `plans.check` found before a first run. */
export const planCheckSchema = z.object({
  ok: z.boolean(),
  items: z.array(z.object({ ok: z.boolean(), title: z.string(), detail: z.string() })),
});
export type PlanCheck = z.infer<typeof planCheckSchema>;

/**
 * Every command of the core: name → shape of the request and of the answer. Client, server and types are derived from
 * this table; there is no second list. Errors are `ErrorData`. Each call can be cancelled by its AbortSignal.
 */
export const commands = {
  'app.info': {
    input: nothing,
    output: z.object({
      version: z.string(),
      dataFolder: z.string(),
      /** Where passwords go. `memory`: asked for each session. */
      secrets: z.object({ kind: z.enum(['os-key-store', 'memory']), detail: z.string() }),
      /** Said once after start, e.g. that a damaged database was set aside. */
      notices: z.array(z.string()),
      settings: settingsSchema,
    }),
  },
  'settings.save': { input: settingsSchema, output: settingsSchema },

  'engines.list': { input: nothing, output: z.array(engineInfoSchema) },
  'workloads.list': { input: nothing, output: z.array(workloadInfoSchema) },

  'targets.list': { input: nothing, output: z.array(targetSchema) },
  /**
   * What a plan's `target` or a command line names: a saved or built-in target by its name, or a connection URL. For a URL the
   * answer is a target that is not saved and lives as long as the core; its id works wherever a target's id does.
   */
  'targets.resolve': { input: z.object({ nameOrUrl: z.string().min(1).max(2000) }), output: targetSchema },
  'targets.save': { input: targetDraftSchema, output: targetSchema },
  'targets.remove': { input: z.object({ id }), output: nothing },
  'targets.restore': { input: z.object({ id }), output: targetSchema },
  /** Connects, describes, closes. A draft is tested without being saved; `secret` overrides the stored one. */
  'targets.test': {
    input: z.union([z.object({ id, secret: z.string().nullable() }), z.object({ draft: targetDraftSchema })]),
    output: serverSchema,
  },
  /** Keeps a password for this session (and in the OS key store where there is one). */
  'targets.setSecret': { input: z.object({ id, secret: z.string() }), output: nothing },
  /** Stops the embedded server and deletes its folder. Refused while a run uses it. */
  'sandbox.reset': { input: nothing, output: nothing },

  /** What a data file on the core's machine seems to be, by its first rows. `path` is a whole one. */
  'files.inspect': { input: z.object({ path: z.string().min(1).max(4096) }), output: dataFileSchema },

  'plans.list': { input: nothing, output: z.array(savedPlanSchema) },
  'plans.get': { input: z.object({ id }), output: savedPlanSchema },
  'plans.save': { input: z.object({ id: id.nullable(), plan: planSchema }), output: savedPlanSchema },
  'plans.remove': { input: z.object({ id }), output: nothing },
  'plans.restore': { input: z.object({ id }), output: savedPlanSchema },
  /** Never throws for a bad plan: the problems are the answer. `plan` is whatever the form holds. */
  'plans.validate': {
    input: z.object({ plan: z.json() }),
    output: z.object({
      problems: z.array(problemSchema),
      rows: z.number().nullable(),
      summary: z.string(),
      /** Combinations of the parameters that are lists; 1 where none is. More than one is for `series.start`. */
      cells: z.int().positive(),
    }),
  },
  'plans.parse': {
    input: z.object({ text: z.string(), fileName: z.string().nullable() }),
    output: planSchema,
  },
  /**
   * Command lines of TSBS, pgbench and sysbench, as they are typed into a shell, as a plan. Where `files` has the text of a file
   * that they name, it is in the plan; other files are listed.
   */
  'plans.fromCommandLine': {
    input: z.object({
      text: z.string().max(100_000),
      files: z.record(z.string(), z.string()).default({}),
    }),
    output: commandLinePlanSchema,
  },
  /** A configuration of `tsbs_load` as a plan. Errors: `yaml-syntax` where nothing of it can be read. */
  'plans.fromTsbsConfig': {
    input: z.object({ text: z.string(), fileName: z.string().nullable() }),
    output: configPlanSchema,
  },
  /** The first load of a plan as such a configuration. Errors: `unsupported` where the plan loads no rows of TSBS. */
  'plans.toTsbsConfig': {
    input: z.object({ plan: planSchema }),
    output: z.object({ text: z.string(), leftOut: z.array(leftOutSchema) }),
  },
  'plans.toYaml': { input: z.object({ plan: planSchema }), output: z.string() },
  /** Connects, writes a hundred rows into a scratch database of ours, runs each query once, cleans up. */
  'plans.check': { input: z.object({ plan: planSchema, targetId: id }), output: planCheckSchema },

  /**
   * Starts one run and answers once it is recorded; the rest is events. Repeats and lists are for `series.start`. A target with a host is asked
   * the gate first: `run.gate` events while lines are waited for, `host-not-ready` where some do not pass. With
   * `overrideGate`, a note that says why, it begins all the same; the note is kept with the run.
   */
  'runs.start': {
    input: z.object({
      plan: planSchema,
      targetId: id,
      overrideGate: z.string().trim().min(1).max(500).nullable().default(null),
    }),
    output: runHeadSchema,
  },
  'runs.stop': { input: z.object({ id }), output: nothing },
  /**
   * Newest first. `filter` is the text of `src-shared/filter`: words, `tag:nvme`, `since:7d`; archived runs come only where it
   * asks for them. `bad-input` for a filter that cannot be read.
   */
  'runs.list': {
    input: z.object({
      filter: filterText.default(''),
      limit: z.int().min(1).max(10_000).default(1000),
    }),
    output: z.array(runHeadSchema),
  },
  /** How many runs fit a filter and how many there are, and what a filter can be put together from. */
  'runs.facets': {
    input: z.object({ filter: filterText.default('') }),
    output: z.object({
      found: z.int().nonnegative(),
      all: z.int().nonnegative(),
      archived: z.int().nonnegative(),
      facets: z.array(runFacetSchema),
    }),
  },
  /** Adds tags to runs and takes tags off; answers the ids of the runs that this changed. */
  'runs.tag': {
    input: z.object({
      ids: runIds,
      add: z.array(tag).max(20).default([]),
      remove: z.array(tag).max(20).default([]),
    }),
    output: z.array(z.string()),
  },
  /** Takes ended runs out of the way without deleting anything, or back; answers the ids of the runs that this changed. */
  'runs.archive': {
    input: z.object({ ids: runIds, archived: z.boolean() }),
    output: z.array(z.string()),
  },
  'runs.get': { input: z.object({ id }), output: runSchema },
  /** Everything on the time axis. While the run is active: what there is so far. */
  'runs.series': {
    input: z.object({ id }),
    output: timeAxisSchema,
  },
  /**
   * The latencies of one operation in each of the runs, from the histograms of their seconds: for percentiles of whatever
   * share, and over time in columns of `stepMs`. `operation` null: the batches of a load.
   */
  'runs.latencies': {
    input: z.object({
      ids: z.array(id).min(1).max(100),
      phase: z.string().max(200),
      operation: z.string().max(500).nullable(),
      stepMs: z.number().min(100).max(86_400_000),
    }),
    output: z.array(runLatenciesSchema),
  },
  /** Of each active run of this core; several only where they were started together. */
  'runs.progress': { input: nothing, output: z.array(progressSchema) },
  'runs.update': {
    input: z.object({
      id,
      name: z.string().min(1).max(200).optional(),
      tags: z.array(tag).max(20).optional(),
      notes: z.string().max(20_000).optional(),
    }),
    output: runHeadSchema,
  },
  /** Leaves a run out of what its group comes to in comparisons, with the reason that is shown beside; null takes it in again. */
  'runs.leaveOut': {
    input: z.object({ id, reason: z.string().trim().min(1, 'Say why').max(200).nullable() }),
    output: runHeadSchema,
  },
  'runs.remove': { input: z.object({ ids: runIds }), output: nothing },
  'runs.restore': { input: z.object({ ids: runIds }), output: nothing },
  /** TSBS's lines: progress CSV, summary, query statistics. */
  'runs.text': { input: z.object({ id }), output: z.string() },

  ...exchangeCommands,
  ...comparisonCommands,
  ...hostCommands,
  ...storageCommands,
  ...rackCommands,
  ...seriesCommands,
} as const satisfies Record<string, { input: z.ZodType; output: z.ZodType }>;

export type CommandName = keyof typeof commands;
/** What a caller passes (defaults may be left out). */
export type CommandInput<N extends CommandName> = z.input<(typeof commands)[N]['input']>;
/** What a handler gets (defaults filled in). */
export type CommandParsed<N extends CommandName> = z.output<(typeof commands)[N]['input']>;
export type CommandOutput<N extends CommandName> = z.output<(typeof commands)[N]['output']>;

/** Every event the core sends, to all connected clients. */
export const events = {
  'run.progress': progressSchema,
  'run.tick': tickSchema,
  'run.event': runEventSchema,
  /** What the gate before a run says; again each time it is asked, until the run begins or is refused. */
  'run.gate': z.object({
    targetId: z.string(),
    hostName: z.string(),
    checks: z.array(machineCheckSchema),
    waitedMs: z.number().nonnegative(),
  }),
  'run.server': z.object({ runId: z.string(), sample: serverSampleSchema }),
  'run.serverWatch': z.object({ runId: z.string(), watch: serverWatchSchema }),
  'run.health': z.object({ runId: z.string(), sample: healthSampleSchema }),
  /** A run began, changed its state, or got its figures; `final` once and only once per run. */
  'run.changed': z.object({ head: runHeadSchema, final: z.boolean() }),
  /** Lists to fetch again. */
  'lists.changed': z.object({
    what: z.enum(['runs', 'targets', 'plans', 'hosts', 'racks', 'series', 'settings']),
  }),
  ...hostEvents,
  ...rackEvents,
  ...seriesEvents,
  notice: z.object({
    level: z.enum(['info', 'warning', 'error']),
    text: z.string(),
    error: errorDataSchema.nullable(),
  }),
} as const satisfies Record<string, z.ZodType>;

export type EventName = keyof typeof events;
export type EventData<N extends EventName> = z.output<(typeof events)[N]>;
