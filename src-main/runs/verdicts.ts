import type { ErrorData } from '../../src-shared/errors.ts';
import type { Operation, Phase, RunStatus } from '../../src-shared/model/run.ts';
import type { Tick } from '../../src-shared/model/tick.ts';
import type { Verdict } from '../../src-shared/model/verdict.ts';
import { formatCount, formatRate } from '../../src-shared/units.ts';
import { coldQueries, warmQueries } from '../load/job.ts';
import { allQueries } from './figures.ts';

/**
 * When a run's figures can be trusted. A run that ended by itself is `valid` when none of these holds:
 *
 * - **too-short**, a load: under 2 s or under 20 batches. Below 2 s there is not one whole second that starts and ends
 *   within the load, and opening tables and files is most of what is measured; with 20 batches one odd batch moves the
 *   mean by at most a twentieth of its excess. Queries: under 100 completed of any type; p99 of fewer is just the
 *   slowest one.
 * - **errors**: any operation failed.
 * - **rows-missing**: the table holds another number of rows than were acknowledged, or fewer were acknowledged than planned.
 * - **rate-not-held**: see `rateHeld`.
 * - **client-bound**: the busiest thread of the loader was at least 90 % busy, or its event loop at least 100 ms behind,
 *   during at least half of a phase that lasted a second or more. From 90 % on, answers wait for the loader (a queue at
 *   90 % utilisation is nine deep on average), so both throughput and latency are the loader's. Half of the time, since a
 *   mean is then at least half the loader's, while single seconds (garbage collection, a neighbour) are no verdict. Within
 *   less than a second the loader mostly warms up, and nothing is concluded from that.
 *   A run with nothing behind the loader is client-bound by design.
 */
const limits = {
  loadSeconds: 2,
  loadBatches: 20,
  queriesOfType: 100,
  /** Of the time that the schedule takes. */
  rateHeld: 0.99,
  busy: 0.9,
  loopDelayMs: 100,
  shareOfTime: 0.5,
  judgedSeconds: 1,
  tickMs: 500,
} as const;

export interface PhaseEvidence {
  phase: Phase;
  /** The open loop's rate; 0 without one. */
  ratePerSecond: number;
  /** Each query twice in a row, the second without a schedule. */
  prewarm: boolean;
}

export interface RunEvidence {
  /** Final. */
  status: RunStatus;
  error: ErrorData | null;
  phases: readonly PhaseEvidence[];
  ticks: readonly Pick<Tick, 'phase' | 'intervalMs' | 'client'>[];
  /** Nothing stands behind the loader: the null target, or a load that only generates. */
  loaderOnly: boolean;
  /** Server and loader share the machine. */
  sameMachine: boolean;
}

/** What is to be said of a run's figures, the gravest first; `valid` alone, or without it. */
export function verdictsOf(run: RunEvidence): Verdict[] {
  const verdicts = [
    ...endVerdicts(run),
    ...run.phases.flatMap(errorVerdicts),
    ...(run.status === 'finished' ? run.phases.flatMap(completeVerdicts) : []),
    ...clientVerdicts(run),
  ];
  return verdicts.length > 0 ? verdicts : [validVerdict(run)];
}

function endVerdicts({ status, error }: RunEvidence): Verdict[] {
  if (status === 'failed')
    return [
      {
        code: 'failed',
        reason: `The run ended with an error: ${sentence(error?.message ?? 'unknown')}${error?.detail ? ` The cause as given: ${sentence(error.detail)}` : ''} What was acknowledged up to then is kept.`,
        advice: error?.hint ?? 'Remove the cause and run it again.',
      },
    ];
  if (status === 'cancelled')
    return [
      {
        code: 'cancelled',
        reason: 'The run was stopped before its end: the figures cover the part that was done.',
        advice: 'Run it to its end for figures that can be compared.',
      },
    ];
  if (status === 'interrupted')
    return [
      {
        code: 'interrupted',
        reason:
          'Benchberry ended while the run was on: the figures cover what was recorded, up to about the last second.',
        advice: 'Run it again and leave Benchberry open until it has ended.',
      },
    ];
  return [];
}

function errorVerdicts({ phase }: PhaseEvidence): Verdict[] {
  return distinct(phase)
    .filter((operation) => operation.errors > 0)
    .map((operation) => ({
      code: 'errors',
      reason: `${phase.name}: ${formatCount(operation.errors)} of ${formatCount(operation.count + operation.errors)} operations of ${operation.name} failed; none may. The figures cover only those that did not.`,
      advice: 'Read the messages in the run’s events and remove their cause.',
    }));
}

function completeVerdicts(evidence: PhaseEvidence): Verdict[] {
  const { phase } = evidence;
  return phase.kind === 'load'
    ? [...rowVerdicts(phase), ...shortLoad(phase)]
    : distinct(phase).flatMap((operation) => [
        ...rateVerdicts(evidence, operation),
        ...shortQueries(phase, operation),
      ]);
}

function rowVerdicts({ name, rows, verifiedRows, plannedRows }: Phase): Verdict[] {
  const advice = 'Look whether something else wrote to or deleted from the database, then run it again.';
  if (verifiedRows !== null && verifiedRows !== rows)
    return [
      {
        code: 'rows-missing',
        reason: `${name}: the server acknowledged ${formatCount(rows)} rows, but ${formatCount(verifiedRows)} are in the database.`,
        advice,
      },
    ];
  if (plannedRows !== null && plannedRows !== rows)
    return [
      {
        code: 'rows-missing',
        reason: `${name}: ${formatCount(rows)} rows were written of the ${formatCount(plannedRows)} planned.`,
        advice,
      },
    ];
  return [];
}

function shortLoad({ name, seconds, operations }: Phase): Verdict[] {
  const batches = operations[0]?.count ?? 0;
  if (seconds >= limits.loadSeconds && batches >= limits.loadBatches) return [];
  return [
    {
      code: 'too-short',
      reason: `${name} took ${seconds.toFixed(2)} s and ${formatCount(batches)} batches; at least ${limits.loadSeconds} s and ${limits.loadBatches} batches make a figure.`,
      advice:
        seconds >= limits.loadSeconds
          ? 'Load more rows, or make the batches smaller.'
          : 'Load more rows: a larger scale, a longer time span, or no limit.',
    },
  ];
}

function shortQueries({ name }: Phase, operation: Operation): Verdict[] {
  if (operation.count >= limits.queriesOfType) return [];
  return [
    {
      code: 'too-short',
      reason: `${name}: ${formatCount(operation.count)} queries of ${operation.name} were completed and counted; at least ${limits.queriesOfType} make a figure.`,
      advice: `Set the number of queries to ${limits.queriesOfType} or more, not counting the burn-in.`,
    },
  ];
}

/**
 * Of n queries at rate r the last is due (n − 1) ÷ r after the first, and on a kept schedule it is answered at most the
 * longest service time later. A phase that took more than that by over 1 % has not kept it.
 */
function rateVerdicts({ phase, ratePerSecond, prewarm }: PhaseEvidence, operation: Operation): Verdict[] {
  if (ratePerSecond === 0) return [];
  const executions = operation.count + operation.errors;
  const due = prewarm ? executions / 2 : executions;
  const longest = ((operation.serviceUs?.max ?? 0) / 1e6) * (prewarm ? 2 : 1);
  const kept = (due - 1) / ratePerSecond + longest;
  if (operation.dropped === 0 && (kept <= 0 || kept / operation.seconds >= limits.rateHeld)) return [];
  const dropped =
    operation.dropped > 0 ? `, and ${formatCount(operation.dropped)} were due but never started` : '';
  return [
    {
      code: 'rate-not-held',
      reason: `${phase.name}, ${operation.name}: ${formatRate(due / operation.seconds)} queries/s were done of the ${formatRate(ratePerSecond)}/s asked for, ${formatCount(operation.late)} of them started late${dropped}. The limit is 99 % of the schedule.`,
      advice: 'Lower the rate, or give it more workers if the server is not busy.',
    },
  ];
}

function clientVerdicts({ loaderOnly, sameMachine, phases, ticks }: RunEvidence): Verdict[] {
  if (loaderOnly)
    return [
      {
        code: 'client-bound',
        reason:
          'There was no server behind the loader, so the figures are those of the loader itself. That is what this run is for.',
        advice: 'Compare them with a run against a server: the loader should be several times as fast.',
      },
    ];
  return phases.flatMap(({ phase }) => {
    const own = ticks.filter((tick) => tick.phase === phase.index);
    const total = own.reduce((ms, tick) => ms + tick.intervalMs, 0);
    const share = (of: (client: Tick['client']) => boolean) =>
      own.reduce((ms, tick) => ms + (of(tick.client) ? tick.intervalMs : 0), 0) / total;
    if (total < limits.judgedSeconds * 1000) return [];
    const busy = share((client) => client.busiest >= limits.busy);
    const behind = share((client) => client.loopDelayMs >= limits.loopDelayMs);
    if (Math.max(busy, behind) < limits.shareOfTime) return [];
    const seen =
      busy >= behind
        ? `the busiest thread of the loader was at least ${percent(limits.busy)} busy during ${percent(busy)} of the time`
        : `the loader’s event loop was at least ${limits.loopDelayMs} ms behind during ${percent(behind)} of the time`;
    return [
      {
        code: 'client-bound' as const,
        reason: `${phase.name}: ${seen}; the limit is ${percent(limits.shareOfTime)}. The loader, not the server, set the pace.`,
        advice: sameMachine
          ? 'Server and loader share this machine and take each other’s time: run the loader on another machine, or use fewer workers.'
          : 'Use more workers if the machine has idle cores, else a faster machine for the loader.',
      },
    ];
  });
}

function validVerdict({ phases, ticks }: RunEvidence): Verdict {
  // The rest of a phase can be a tick of a few milliseconds, whose share says nothing.
  const seconds = ticks.filter((tick) => tick.intervalMs >= limits.tickMs);
  const busiest = seconds.reduce((most, tick) => Math.max(most, tick.client.busiest), 0);
  const load =
    seconds.length > 0
      ? `the loader was at most ${percent(busiest)} busy`
      : 'it was over in less than a second';
  const done = phases.map(({ phase }) =>
    phase.kind === 'load'
      ? `${phase.name} wrote ${formatCount(phase.rows)} rows in ${phase.seconds.toFixed(1)} s${phase.verifiedRows === null ? '' : ' and all were counted in the database'}`
      : `${phase.name} answered ${formatCount(distinct(phase).reduce((n, operation) => n + operation.count, 0))} queries`,
  );
  return {
    code: 'valid',
    reason: `${done.join('; ')}. No operation failed, and ${load}.`,
    advice: '',
  };
}

/** Operations that share nothing with each other. */
function distinct({ operations }: Phase): Operation[] {
  const merged = [allQueries, coldQueries, warmQueries];
  return operations.filter(({ name }) => !merged.includes(name));
}

function percent(fraction: number): string {
  return `${Math.round(fraction * 100)} %`;
}

function sentence(text: string): string {
  return /[.!?]$/.test(text.trim()) ? text.trim() : `${text.trim()}.`;
}
