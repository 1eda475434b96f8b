import { type DatedChecks, type HealthSample, heldBack } from '../model/host.ts';
import type { RackFigures } from '../model/rack.ts';
import type { Operation, Phase, Run } from '../model/run.ts';
import { wholeOperation } from '../model/wholeOperation.ts';

/** One of a host's runs with the health sampled beside it. */
export interface RunWithHealth {
  run: Run;
  health: readonly HealthSample[];
}

/**
 * A host's figures over its runs, one for each repeat: rates are sums of counts ÷ sums of seconds. Health counts from each
 * run's first phase on, as it does for verdicts. `measured` are the last checks of the machine.
 */
export function rackFigures(runs: readonly RunWithHealth[], measured: DatedChecks | null): RackFigures {
  const samples = runs.flatMap(({ run, health }) => {
    const start = run.phases[0]?.startedMs ?? Number.POSITIVE_INFINITY;
    return health.filter(({ atMs }) => atMs >= start);
  });
  const all = runs.map(({ run }) => run);
  const [first] = all;
  const network = first?.host?.before?.network;
  const phases = (kind: Phase['kind']) => all.flatMap((run) => run.phases.find((p) => p.kind === kind) ?? []);
  const fsync = measured?.checks.find(({ id }) => id === 'fsync') ?? null;
  return {
    rowsPerSecond: pooled(phases('load'), ({ rows, seconds, rowsPerSecond }) => ({
      count: rows,
      seconds,
      rate: rowsPerSecond,
    })),
    queriesPerSecond: pooled(phases('queries'), (phase) =>
      ofOperation(wholeOperation(phase, phase.operations)),
    ),
    transactionsPerSecond: pooled(phases('transactions'), ({ transactions, seconds }) =>
      transactions === undefined
        ? null
        : { count: transactions.tps * seconds, seconds, rate: transactions.tps },
    ),
    p99Us: all.length === 1 ? (first?.p99Us ?? null) : null,
    temperatureC: extreme(samples, ({ temperatureC }) => temperatureC, Math.max),
    throttledSeconds: secondsOf(samples, ({ throttle }) => (throttle === null ? null : heldBack(throttle))),
    underVoltageSeconds: secondsOf(samples, ({ underVoltage }) => underVoltage),
    clockMhz: extreme(samples, ({ clockMhz }) => clockMhz, Math.min),
    fsyncMs: fsync?.value ?? null,
    measuredAt: fsync === null ? null : (measured?.at ?? null),
    roundTripUs: network?.roundTripUs ?? null,
    linkMbit: network?.speedMbit.value ?? null,
    wifi: network?.wifi.value ?? null,
  };
}

interface Counted {
  count: number;
  seconds: number;
  rate: number;
}

function ofOperation(operation: Operation | undefined): Counted | null {
  return operation === undefined
    ? null
    : { count: operation.count, seconds: operation.seconds, rate: operation.perSecond };
}

/** Of one phase its own rate, to the last digit; null where there is none. */
function pooled(phases: readonly Phase[], read: (phase: Phase) => Counted | null): number | null {
  const parts = phases.flatMap((phase) => read(phase) ?? []);
  const [only] = parts;
  if (only === undefined) return null;
  if (parts.length === 1) return only.rate;
  const sum = (of: (part: Counted) => number) => parts.reduce((total, part) => total + of(part), 0);
  const seconds = sum((part) => part.seconds);
  return seconds > 0 ? sum((part) => part.count) / seconds : null;
}

function extreme(
  samples: readonly HealthSample[],
  read: (sample: HealthSample) => number | null,
  choose: (a: number, b: number) => number,
): number | null {
  return samples.reduce<number | null>((found, sample) => {
    const value = read(sample);
    return value === null ? found : found === null ? value : choose(found, value);
  }, null);
}

/** How long something was so; null where no sample tells. */
function secondsOf(
  samples: readonly HealthSample[],
  read: (sample: HealthSample) => boolean | null,
): number | null {
  const telling = samples.filter((sample) => read(sample) !== null);
  if (telling.length === 0) return null;
  return telling.reduce((ms, sample) => ms + (read(sample) === true ? sample.intervalMs : 0), 0) / 1000;
}
