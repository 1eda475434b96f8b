import type { z } from 'zod';
import type { DifferenceArea } from '../model/comparison.ts';
import type { Inventory } from '../model/host.ts';
import type { Run } from '../model/run.ts';
import { verdictLabels } from '../model/verdict.ts';
import { formatBytes } from '../units.ts';

/** Something that is known of a run's set-up. */
export interface Fact {
  area: DifferenceArea;
  /** `tsbs.load · batchSize`, `shared_buffers`, `CPU` */
  name: string;
  /** null: there is nothing under that name, or it is not known. */
  value: string | null;
  /** Of what is measured and never twice the same: it differs only from `tolerance` on. */
  measured?: { value: number; tolerance: number };
}

type Pairs = [name: string, value: string | null][];

/** What is known of a run's set-up, in the order in which it is shown: the target first, the tool and the run's health last. */
export function factsOf(run: Run): Fact[] {
  return [
    ...facts('target', [
      ['Target', run.targetName],
      ['Engine', run.engine],
    ]),
    ...facts('host', hostFacts(run)),
    ...storageFacts(run),
    ...facts('network', networkFacts(run.host?.before ?? null)),
    ...coolingFacts(run),
    ...facts('plan', planFacts(run)),
    ...facts('seed', seedFacts(run)),
    ...facts('server', serverFacts(run)),
    ...loaderFacts(run),
    ...facts('client', clientFacts(run)),
    ...facts('tool', [['Benchberry', run.client?.toolVersion ?? null]]),
    ...healthFacts(run),
  ];
}

function facts(area: DifferenceArea, pairs: Pairs): Fact[] {
  return pairs.map(([name, value]) => ({ area, name, value }));
}

function hostFacts({ host }: Run): Pairs {
  if (host === null) return [];
  const { gate, quieted, before } = host;
  return [
    ['Host', host.name],
    ...(before === null ? [] : machineFacts(before)),
    ['Kept quiet', quieted === null ? 'no' : 'yes'],
    ['Stopped for the run', quieted === null || quieted.length === 0 ? 'nothing' : quieted.join(', ')],
    [
      'Gate',
      gate === null ? 'not asked' : gate.override === null ? 'passed' : `overridden: ${gate.override}`,
    ],
  ];
}

function machineFacts(of: Inventory): Pairs {
  const memory = of.board?.memoryBytes ?? of.memoryBytes.value;
  return [
    ['Model', of.model.value],
    ['Memory', memory === null ? null : formatBytes(memory)],
    ['Cores', of.cores.value === null ? null : String(of.cores.value)],
    ['Highest clock', of.maxClockMhz.value === null ? null : `${of.maxClockMhz.value.toFixed(0)} MHz`],
    ['System', of.os.value],
    ['Kernel', of.kernel.value],
    ['Packages for', of.userlandArch.value],
  ];
}

/** The disk that the data lies on: the one mounted nearest above its folder, else that of the root. */
function storageFacts({ host }: Run): Fact[] {
  if (host === null) return [];
  const { place, before } = host;
  const watched: Pairs = [['Watched disk', place === null ? 'under /' : `under ${place.folder}`]];
  if (before === null) return facts('storage', watched);
  const mounts = before.disks.flatMap(({ kind, sizeBytes, mountPoints }) =>
    mountPoints
      .filter((mount) => mount !== '/' && place !== null && `${place.folder}/`.startsWith(`${mount}/`))
      .map((mount) => ({ mount, kind, sizeBytes })),
  );
  const nearest = mounts.sort((a, b) => b.mount.length - a.mount.length)[0];
  const [kind, size] = nearest
    ? [nearest.kind, nearest.sizeBytes]
    : [before.root.kind.value, before.root.totalBytes.value];
  return facts('storage', [
    ...watched,
    ['Kind of disk', kind],
    ['Size of disk', size === null ? null : formatBytes(size)],
    ...(nearest ? [] : ([['File system', before.root.fileSystem.value]] satisfies Pairs)),
  ]);
}

function networkFacts(before: Inventory | null): Pairs {
  if (before === null) return [];
  const { wifi, speedMbit, wifiPowerSaving } = before.network;
  return [
    ['Link', wifi.value === null ? null : wifi.value ? 'Wi-Fi' : 'cable'],
    ['Link speed', speedMbit.value === null ? null : `${speedMbit.value} Mbit/s`],
    ['Wi-Fi power saving', wifiPowerSaving.value === null ? null : wifiPowerSaving.value ? 'on' : 'off'],
  ];
}

/** Temperatures that are closer than this are called the same: a board's own swings within minutes. */
const toleranceC = 10;

function coolingFacts({ host }: Run): Fact[] {
  if (host === null) return [];
  const at = (name: string, inventory: Inventory | null): Fact[] => {
    const value = inventory?.temperatureC.value ?? null;
    if (value === null) return [];
    const text = `${value.toFixed(0)} °C`;
    return [{ area: 'cooling', name, value: text, measured: { value, tolerance: toleranceC } }];
  };
  return [...at('Temperature before', host.before), ...at('Temperature after', host.after)];
}

/** Parameters that begin a random sequence, by the names that the tools give them. */
const seedKeys: ReadonlySet<string> = new Set(['seed', 'randomSeed', 'randSeed']);

/** The run's seed, and those of its steps that are others. */
function seedFacts(run: Run): Pairs {
  const seed = run.seed === null ? null : String(run.seed);
  const others = namedSteps(run).flatMap(({ name, parameters }) =>
    Object.entries(parameters)
      .filter(([key, value]) => seedKeys.has(key) && parameterText(value) !== seed)
      .map(([key, value]): Pairs[number] => [`${name} · ${key}`, parameterText(value)]),
  );
  return [['Seed', seed], ...others];
}

export const inPlan = 'in the plan';

function planFacts(run: Run): Pairs {
  return namedSteps(run).flatMap(({ name, parameters }) => [
    [name, inPlan],
    // Seeds have an area of their own.
    ...Object.entries(parameters)
      .filter(([key]) => !seedKeys.has(key))
      .map(([key, value]): Pairs[number] => [`${name} · ${key}`, parameterText(value)]),
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

function serverFacts({ server, printed }: Run): Pairs {
  if (!server) return [['Server', printed ? (printed.server ?? 'not told') : 'not reached']];
  return [
    ['Server', 'reached'],
    ['Product', server.product],
    ['Version', server.version],
    ['Edition', server.edition],
    ['Encryption', server.tls ?? 'none'],
    ...server.settings.map((s): [string, string] => [s.name, s.unit ? `${s.value} ${s.unit}` : s.value]),
  ];
}

function loaderFacts({ server, printed }: Run): Fact[] {
  const beside = server?.loaderBeside;
  const value =
    beside === undefined ? (printed?.loader ?? null) : beside ? "on the server's machine" : 'apart from it';
  return [{ area: 'loader', name: 'Loader', value }];
}

function clientFacts({ client, printed }: Run): Pairs {
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

/** Each verdict by itself, so that those which both runs have are no difference. A threshold is the plan's wish, no state of health. */
function healthFacts({ verdicts }: Run): Fact[] {
  return verdicts
    .filter(({ code }) => code !== 'valid' && code !== 'threshold-missed')
    .map(({ code }) => ({ area: 'health', name: verdictLabels[code], value: 'yes' }));
}

/** A parameter as one reads it: lists joined, objects as JSON. */
export function parameterText(value: z.core.util.JSONType): string {
  if (Array.isArray(value)) return value.map(parameterText).join(', ');
  if (value !== null && typeof value === 'object') return JSON.stringify(value);
  return String(value);
}
