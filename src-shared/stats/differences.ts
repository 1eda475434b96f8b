import type { z } from 'zod';
import type { Run } from '../model/run.ts';
import { formatBytes } from '../units.ts';

export const differenceAreas = ['target', 'host', 'plan', 'seed', 'server', 'client', 'tool'] as const;
export type DifferenceArea = (typeof differenceAreas)[number];

/** One fact that is not the same in all runs. */
export interface Difference {
  area: DifferenceArea;
  /** `tsbs.load · batchSize`, `shared_buffers`, `CPU` */
  name: string;
  /** One per run, in the runs' order; null where a run has nothing under that name. */
  values: (string | null)[];
}

type Facts = [name: string, value: string | null][];

/**
 * Everything that differs between the set-ups of runs: target first, then its host, plan, seed, server, client machine and tool.
 * Plain facts, no judgement of what matters.
 */
export function findDifferences(runs: readonly Run[]): Difference[] {
  return [
    ...differing('target', runs, (run) => [
      ['Target', run.targetName],
      ['Engine', run.engine],
    ]),
    ...differing('host', runs, hostFacts),
    ...withoutMissingSteps(differing('plan', runs, planFacts)),
    ...differing('seed', runs, seedFacts),
    ...serverDifferences(runs),
    ...differing('client', runs, clientFacts),
    ...differing('tool', runs, (run) => [['Benchberry', run.client?.toolVersion ?? null]]),
  ];
}

function hostFacts({ host }: Run): Facts {
  if (host === null) return [];
  const { gate, quieted, place } = host;
  return [
    ['Host', host.name],
    ['Watched disk', place === null ? 'under /' : `under ${place.folder}`],
    ['Kept quiet', quieted === null ? 'no' : 'yes'],
    ['Stopped for the run', quieted === null || quieted.length === 0 ? 'nothing' : quieted.join(', ')],
    [
      'Gate',
      gate === null ? 'not asked' : gate.override === null ? 'passed' : `overridden: ${gate.override}`,
    ],
  ];
}

/** Parameters that begin a random sequence, by the names that the tools give them. */
const seedKeys: ReadonlySet<string> = new Set(['seed', 'randomSeed', 'randSeed']);

/** The run's seed, and those of its steps that are others. */
function seedFacts(run: Run): Facts {
  const seed = run.seed === null ? null : String(run.seed);
  const others = namedSteps(run).flatMap(({ name, parameters }) =>
    Object.entries(parameters)
      .filter(([key, value]) => seedKeys.has(key) && parameterText(value) !== seed)
      .map(([key, value]): Facts[number] => [`${name} · ${key}`, parameterText(value)]),
  );
  return [['Seed', seed], ...others];
}

const inPlan = 'in the plan';
function planFacts(run: Run): Facts {
  return namedSteps(run).flatMap(({ name, parameters }) => [
    [name, inPlan],
    // Seeds have an area of their own.
    ...Object.entries(parameters)
      .filter(([key]) => !seedKeys.has(key))
      .map(([key, value]): Facts[number] => [`${name} · ${key}`, parameterText(value)]),
  ]);
}

/** The steps of a run under the names of its phases: a second `tsbs.load` is `tsbs.load 2`. */
export function namedSteps(
  run: Pick<Run, 'resolvedSteps'>,
): { name: string; parameters: Run['resolvedSteps'][number]['parameters'] }[] {
  const seen = new Map<string, number>();
  return run.resolvedSteps.map(({ id, parameters }) => {
    const times = (seen.get(id) ?? 0) + 1;
    seen.set(id, times);
    return { name: times === 1 ? id : `${id} ${times}`, parameters };
  });
}

/** Of a server that was not reached nothing is known, not even that its settings are the defaults. */
const unknownServer = ({ printed }: Run) => (printed ? (printed.server ?? 'not told') : 'not reached');

function serverDifferences(runs: readonly Run[]): Difference[] {
  const reached = runs.filter((run) => run.server !== null);
  return [
    ...differing('server', runs, (run) => [['Server', run.server ? 'reached' : unknownServer(run)]]),
    ...differing('server', reached, serverFacts).map(({ values, ...difference }) => ({
      ...difference,
      values: runs.map((run) => (run.server ? (values[reached.indexOf(run)] ?? null) : unknownServer(run))),
    })),
  ];
}

function serverFacts({ server }: Run): Facts {
  if (!server) return [];
  return [
    ['Product', server.product],
    ['Version', server.version],
    ['Edition', server.edition],
    ['Encryption', server.tls ?? 'none'],
    ...server.settings.map((s): [string, string] => [s.name, s.unit ? `${s.value} ${s.unit}` : s.value]),
  ];
}

function clientFacts({ client, printed }: Run): Facts {
  if (client === null) return [['Machine', printed?.loader ?? 'not told']];
  return [
    ['Machine', client.hostname],
    ['System', client.os],
    ['Architecture', client.arch],
    ['CPU', client.cpu],
    ['Cores', String(client.cores)],
    ['Memory', formatBytes(client.memoryBytes)],
    ['Node', client.node],
  ];
}

function differing(area: DifferenceArea, runs: readonly Run[], factsOf: (run: Run) => Facts): Difference[] {
  const tables = runs.map((run) => new Map(factsOf(run)));
  const names = new Set(tables.flatMap((table) => [...table.keys()]));
  return [...names]
    .map((name) => ({ area, name, values: tables.map((table) => table.get(name) ?? null) }))
    .filter(({ values }) => new Set(values).size > 1);
}

/** A step that a run lacks is one difference, not one per parameter. */
function withoutMissingSteps(differences: Difference[]): Difference[] {
  const missing = differences.filter(({ values }) => values.includes(inPlan)).map(({ name }) => name);
  return differences.filter(({ name }) => !missing.some((step) => name.startsWith(`${step} · `)));
}

/** A parameter as one reads it: lists joined, objects as JSON. */
export function parameterText(value: z.core.util.JSONType): string {
  if (Array.isArray(value)) return value.map(parameterText).join(', ');
  if (value !== null && typeof value === 'object') return JSON.stringify(value);
  return String(value);
}
