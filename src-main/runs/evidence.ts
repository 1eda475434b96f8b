import type { ErrorData } from '../../src-shared/errors.ts';
import { type HealthSample, heldBack } from '../../src-shared/model/host.ts';
import type { Phase, RunStatus } from '../../src-shared/model/run.ts';
import type { Tick } from '../../src-shared/model/tick.ts';

/**
 * When a run's figures can be trusted. A run that ended by itself is `valid` when none of these holds:
 *
 * - **too-short**, a load: under 2 s or under 20 batches. Below 2 s there is not one whole second that starts and ends
 *   within the load, and opening tables and files is most of what is measured; with 20 batches one odd batch moves the
 *   mean by at most a twentieth of its excess. Queries: under 100 completed of any type; p99 of fewer is just the
 *   slowest one.
 *   Transactions: under 10 s or under 1,000 done. In less than that a single checkpoint, or the first reading of the pages,
 *   is all that is seen; with 1,000 ten values lie beyond p99.
 * - **errors**: any operation failed: a transaction after its last try, not one that was done by trying again. Or a client
 *   was ended by an error.
 * - **rows-missing**: the table holds another number of rows than were acknowledged, or fewer were acknowledged than planned.
 * - **rate-not-held**: see `rateVerdicts` and `arrivalVerdicts`.
 * - **client-bound** (not asked of making tables, which is no measurement): in ticks that make up at least half of a phase, the busiest thread of the loader was at least 90 % busy,
 *   or one stood still for 500 ms at once. At 90 % answers wait for the loader (a queue at that utilisation is nine deep on
 *   average), and a loader that is away for half of a second measures itself: throughput and latency are then the loader's.
 *   Waiting for a data file, and its unpacking, is being busy: it is no wait for the server.
 *   Half of the phase, since single seconds (garbage collection, a neighbour) do not make a mean. Phases under a second are
 *   not judged: in that time the loader mostly warms up. A run with nothing behind the loader is client-bound by design.
 *   Of runs that are on at once the same is asked of the loader's process as a whole: their threads share the cores, and one
 *   that waits for a core looks idle to itself.
 * - of the host, where its health was sampled, from the first phase's start on:
 *   - **host-rebooted**: the boot id changed. What was measured before and after is of two different states.
 *   - **throttled**: the firmware's bits for a capped clock, throttling or the soft temperature limit were set in any
 *     sample. They are read every five seconds, so one that was seen is seconds at least.
 *   - **under-voltage**: the firmware's bit or the kernel's alarm in any sample: the firmware caps the clock with it.
 *   - **swapping**: 1 MiB or more went to or from swap. Less is the kernel tidying idle pages away.
 *   - **disk-full**: under 512 MiB were free. PostgreSQL's WAL alone may grow by max_wal_size, 1 GB, between two
 *     checkpoints, and cards get slow when they have no spare blocks.
 *
 * A plan that is to be `valid` on any machine needs rows for 2 s at the fastest rate it may meet: 3 million for two
 * connections to a fast desktop.
 */
export const limits = {
  loadSeconds: 2,
  loadBatches: 20,
  queriesOfType: 100,
  transactionSeconds: 10,
  transactions: 1000,
  /** Of the time that the schedule takes. */
  rateHeld: 0.99,
  busy: 0.9,
  loopDelayMs: 500,
  shareOfTime: 0.5,
  judgedSeconds: 1,
  tickMs: 500,
  swappedBytes: 1024 * 1024,
  freeBytes: 512 * 1024 * 1024,
} as const;

export interface PhaseEvidence {
  phase: Phase;
  /** The open loop's rate; 0 without one. */
  ratePerSecond: number;
  /** Each query twice in a row, the second without a schedule. */
  prewarm: boolean;
}

/** What of a health sample the verdicts need: kept for the length of a run, one a second. */
export interface HealthEvidence
  extends Pick<
    HealthSample,
    'atMs' | 'intervalMs' | 'bootId' | 'underVoltage' | 'freeBytes' | 'temperatureC' | 'clockMhz'
  > {
  throttled: boolean;
  swappedBytes: number;
}

export function healthEvidence({ memory, throttle: bits, ...sample }: HealthSample): HealthEvidence {
  const { atMs, intervalMs, bootId, underVoltage, freeBytes, temperatureC, clockMhz } = sample;
  const swappedPerSecond = memory.swapInBytesPerSecond + memory.swapOutBytesPerSecond;
  return {
    ...{ atMs, intervalMs, bootId, underVoltage, freeBytes, temperatureC, clockMhz },
    throttled: bits !== null && heldBack(bits),
    swappedBytes: (swappedPerSecond * intervalMs) / 1000,
  };
}

export interface RunEvidence {
  /** Final. */
  status: RunStatus;
  error: ErrorData | null;
  phases: readonly PhaseEvidence[];
  ticks: readonly Pick<Tick, 'phase' | 'intervalMs' | 'client'>[];
  /** Of the host, in the order of time; empty without one. */
  health: readonly HealthEvidence[];
  /** Nothing stands behind the loader: the null target, or a load that only generates. */
  loaderOnly: boolean;
  /** Server and loader share the machine. */
  sameMachine: boolean;
  /** How many other runs were on at the same time by intention: they share the loader's machine. */
  beside: number;
  /** Of the loader's machine. */
  clientCores: number;
}

/** For reasons: `90 %`. */
export function percent(fraction: number): string {
  return `${Math.round(fraction * 100)} %`;
}
