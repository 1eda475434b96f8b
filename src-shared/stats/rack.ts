import { type RackFigures, type RackRate, type RackResult, rackRates } from '../model/rack.ts';
import { formatLatency, formatRate } from '../units.ts';

/** A host with what came out on it, as far as it is known. */
export interface RackHost {
  hostId: string;
  hostName: string;
  figures: RackFigures | null;
  /** Why it does not count; null: it counts. */
  leftOut: string | null;
  /** Why there are no figures, in a few words; used only then. */
  missing: string;
}

/**
 * How far below the median of the others a host stands out: 20 %, as the slow board of a rack of four Raspberry Pi 3B in a
 * published comparison of PostgreSQL versions (2019) did, which was then left out of its aggregates.
 */
const outlierShare = 0.2;
/** Of one other nobody can say which of the two stands out. */
const fewestOthers = 2;

/** Middle value, of an even number the mean of the middle two; null of none. */
export function median(values: readonly number[]): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.ceil(sorted.length / 2) - 1];
  return upper === undefined || lower === undefined ? null : lower + (upper - lower) / 2;
}

type Known = RackHost & { figures: RackFigures };

/** Hosts with figures that count, without one of them. */
function others(hosts: readonly RackHost[], host: RackHost): Known[] {
  return hosts.filter(
    (each): each is Known => each !== host && each.figures !== null && each.leftOut === null,
  );
}

/** figure ÷ median of the others that count − 1; null with less than two others, or a median of 0. */
export function deltaToOthers(hosts: readonly RackHost[], host: RackHost, rate: RackRate): number | null {
  const own = host.figures?.[rate] ?? null;
  const values = others(hosts, host).flatMap(({ figures }) => figures[rate] ?? []);
  const middle = median(values);
  return own === null || values.length < fewestOthers || middle === null || middle === 0
    ? null
    : own / middle - 1;
}

/**
 * Deltas of every host, those that stand out below the others with what explains it, and what the hosts come to together:
 * all that finished, unless one was left out on request.
 */
export function rackFindings(
  hosts: readonly RackHost[],
): Pick<RackResult, 'hosts' | 'outliers' | 'aggregates'> {
  const deltas = hosts.map((host) => ({
    host,
    delta: {
      rowsPerSecond: deltaToOthers(hosts, host, 'rowsPerSecond'),
      queriesPerSecond: deltaToOthers(hosts, host, 'queriesPerSecond'),
      transactionsPerSecond: deltaToOthers(hosts, host, 'transactionsPerSecond'),
    },
  }));
  return {
    hosts: deltas.map(({ host: { hostId, hostName, figures }, delta }) => ({
      hostId,
      hostName,
      figures,
      delta,
    })),
    outliers: deltas.flatMap(({ host, delta }) => {
      const [worst] = rackRates
        .flatMap((rate) => (delta[rate] === null ? [] : [{ rate, delta: delta[rate] }]))
        .sort((a, b) => a.delta - b.delta);
      // Half a millionth for what floating point makes of 80 ÷ 100 − 1.
      if (worst === undefined || worst.delta > -outlierShare + 5e-7) return [];
      return [{ hostId: host.hostId, ...worst, sentence: outlierSentence(hosts, host, worst) }];
    }),
    aggregates: rackRates.flatMap((rate) => aggregate(hosts, rate)),
  };
}

function aggregate(hosts: readonly RackHost[], rate: RackRate): RackResult['aggregates'] {
  const inIt = hosts.filter(({ figures, leftOut }) => leftOut === null && (figures?.[rate] ?? null) !== null);
  const values = inIt.flatMap(({ figures }) => figures?.[rate] ?? []);
  const middle = median(values);
  if (middle === null) return [];
  const without = hosts
    .filter((host) => !inIt.includes(host))
    .map(({ hostName, leftOut, missing, figures }) =>
      leftOut !== null
        ? `${hostName} (left out: ${leftOut})`
        : `${hostName} (${figures === null ? missing : 'has no such figure'})`,
    );
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return [{ rate, mean, median: middle, hosts: values.length, without: without.join(', ') }];
}

export const rateWords: Record<RackRate, { verb: string; unit: string }> = {
  rowsPerSecond: { verb: 'wrote', unit: 'rows/s' },
  queriesPerSecond: { verb: 'answered', unit: 'queries/s' },
  transactionsPerSecond: { verb: 'made', unit: 'transactions/s' },
};

/** What the hosts that count come to; whoever is not in it stands with it. */
export function aggregateText({
  rate,
  mean,
  median,
  hosts,
  without,
}: RackResult['aggregates'][number]): string {
  const of = hosts === 1 ? '1 host' : `${hosts} hosts`;
  const rest = without === '' ? '' : `, without ${without}`;
  return `Mean ${formatRate(mean)}, median ${formatRate(median)} ${rateWords[rate].unit} of ${of}${rest}`;
}

/** By how much it is slower and by which figures it differs, in one sentence. */
function outlierSentence(
  hosts: readonly RackHost[],
  host: RackHost,
  { rate, delta }: { rate: RackRate; delta: number },
): string {
  const rest = others(hosts, host);
  const { verb, unit } = rateWords[rate];
  const middle = median(rest.flatMap(({ figures }) => figures[rate] ?? [])) ?? Number.NaN;
  const own = host.figures?.[rate] ?? Number.NaN;
  const head = `${host.hostName} ${verb} ${formatRate(own)} ${unit}, ${(-delta * 100).toFixed(1)} % below the median of the others (${formatRate(middle)})`;
  if (host.figures === null) return `${head}.`;
  const compared = compare(host.figures, rest);
  const reasons = compared.flatMap(({ reason }) => reason ?? []);
  const unknown = compared.filter(({ known }) => !known).map(({ name }) => name);
  const alike = compared.filter(({ known, reason }) => known && reason === null).map(({ name }) => name);
  const notKnown = unknown.length === 0 ? '' : `not known: ${unknown.join(', ')}`;
  if (reasons.length > 0) return `${head}: ${list(reasons)}${notKnown === '' ? '' : ` (${notKnown})`}.`;
  const same = alike.length === 0 ? '' : `like those of the others: ${alike.join(', ')}`;
  return `${head}, and nothing that is known explains it (${[same, notKnown].filter((part) => part !== '').join('; ')}).`;
}

interface Comparison {
  name: string;
  /** Both of this host and of another. */
  known: boolean;
  /** Where it differs for the worse: how, with the others' figure. */
  reason: string | null;
}

/** What may make a board slow, each held against the median of the others. The limits are what a figure scatters by anyway. */
function compare(own: RackFigures, rest: readonly Known[]): Comparison[] {
  const held = (
    name: string,
    read: (figures: RackFigures) => number | null,
    worse: (own: number, others: number) => string | false,
  ): Comparison => {
    const mine = read(own);
    const theirs = median(rest.flatMap(({ figures }) => read(figures) ?? []));
    if (mine === null || theirs === null) return { name, known: false, reason: null };
    return { name, known: true, reason: worse(mine, theirs) || null };
  };
  const seconds = (value: number) => `${value.toFixed(0)} s`;
  return [
    held(
      'throttling',
      (of) => of.throttledSeconds,
      (mine, theirs) =>
        mine > theirs + 0.5 && `it was throttled for ${seconds(mine)} (the others ${seconds(theirs)})`,
    ),
    held(
      'under-voltage',
      (of) => of.underVoltageSeconds,
      (mine, theirs) =>
        mine > theirs + 0.5 && `its supply was too low for ${seconds(mine)} (the others ${seconds(theirs)})`,
    ),
    held(
      'temperature',
      (of) => of.temperatureC,
      (mine, theirs) =>
        mine >= theirs + 10 && `it reached ${mine.toFixed(1)} °C (the others ${theirs.toFixed(1)} °C)`,
    ),
    held(
      'clock',
      (of) => of.clockMhz,
      (mine, theirs) =>
        mine <= theirs * 0.95 &&
        `its clock went down to ${mine.toFixed(0)} MHz (the others ${theirs.toFixed(0)} MHz)`,
    ),
    held(
      'fsync',
      (of) => of.fsyncMs,
      (mine, theirs) =>
        mine >= theirs * 1.5 &&
        `an fsync takes ${formatLatency(mine * 1000)} (on the others ${formatLatency(theirs * 1000)})`,
    ),
    held(
      'round trip',
      (of) => of.roundTripUs,
      (mine, theirs) =>
        mine >= theirs * 1.5 &&
        mine >= theirs + 200 &&
        `a round trip to it takes ${formatLatency(mine)} (to the others ${formatLatency(theirs)})`,
    ),
    held(
      'network',
      (of) => (of.wifi === null ? null : Number(of.wifi)),
      (mine, theirs) => mine > theirs && 'it is on Wi-Fi (the others on cable)',
    ),
    held(
      'link speed',
      (of) => of.linkMbit,
      (mine, theirs) =>
        mine < theirs && `its link runs at ${mine.toFixed(0)} Mbit/s (the others’ at ${theirs.toFixed(0)})`,
    ),
  ];
}

/** `a, b and c` */
function list(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}
