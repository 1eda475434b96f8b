import type { Phase, Run, RunHead } from '../../src-shared/model/run.ts';
import type { Tick, TickOperation } from '../../src-shared/model/tick.ts';
import { isDistinct } from '../../src-shared/model/wholeOperation.ts';
import { Distribution } from '../load/distribution.ts';
import type { OperationTotal } from '../load/job.ts';
import type { RunOwner, RunRepository, TickHistograms } from '../store/repositories.ts';
import { healthEvidence } from './evidence.ts';
import { operationOf, phaseFigures } from './figures.ts';
import { isAlive } from './owner.ts';
import { addTicks } from './transactionFigures.ts';
import { verdictsOf } from './verdicts.ts';

/**
 * Ends the active runs whose process is gone as `interrupted`: the figures of the phase that was on are made from its
 * ticks. To be called when the store is opened. Returns their heads.
 */
export function interruptOrphans(
  runs: RunRepository,
  alive: (owner: RunOwner) => boolean = isAlive,
): RunHead[] {
  return runs.orphans(alive).flatMap((id) => {
    const run = runs.get(id);
    if (run === null) return [];
    const { ticks, health } = runs.series(id);
    const atMs = ticks.at(-1)?.atMs ?? 0;
    const phases = restoredPhases(runs, run, ticks, atMs);
    runs.appendEvent({
      runId: id,
      atMs,
      kind: 'stop',
      text: 'Benchberry ended here, in the middle of the run',
    });
    return [
      runs.update(id, {
        status: 'interrupted',
        phases,
        endedAt: new Date(Date.parse(run.startedAt) + atMs).toISOString(),
        verdicts: verdictsOf({ ...evidence(run, phases), ticks, health: health.map(healthEvidence) }),
      }),
    ];
  });
}

function evidence(run: Run, phases: Phase[]) {
  return {
    status: 'interrupted' as const,
    error: null,
    // Whether a rate was held is not asked of half a run.
    phases: phases.map((phase) => ({ phase, ratePerSecond: 0, prewarm: false })),
    loaderOnly: run.server?.dialect === 'none',
    sameMachine: false,
    beside: 0,
    clientCores: run.client?.cores ?? 1, // what was printed elsewhere never ran here
  };
}

/** A damaged histogram costs the figures of that run, not the start of the app. */
function restoredPhases(runs: RunRepository, run: Run, ticks: readonly Tick[], atMs: number): Phase[] {
  try {
    return run.phases.map((phase) => restored(phase, ticks, runs.histograms(run.id, phase.index)));
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    const text = `The figures could not be made from the stored histograms: ${cause}`;
    runs.appendEvent({ runId: run.id, atMs, kind: 'error', text });
    return run.phases;
  }
}

type StoredHistograms = TickHistograms & { seq: number };

/** A phase with the operations that it has no figures of yet, made from its ticks. */
function restored(phase: Phase, ticks: readonly Tick[], histograms: readonly StoredHistograms[]): Phase {
  const own = ticks.filter((tick) => tick.phase === phase.index);
  const has = new Set(phase.operations.map(({ name }) => name));
  const names = [...new Set(own.flatMap((tick) => tick.operations.map(({ name }) => name)))];
  const begun = phase.transactions && addTicks(phase.transactions, own);
  const missing = names.filter((name) => !has.has(name)).map((name) => totalOf(name, own, histograms));
  if (missing.length === 0) return phase;
  const transactions = begun && { ...begun, tps: perSecond(missing[0]) };
  const operations = [...phase.operations, ...missing.map(operationOf)];
  // As at a phase's own end: its rates are over what was counted. The burn-in of what was cut is in no tick.
  const seconds = phase.seconds + Math.max(...missing.map((total) => total.seconds));
  const counted =
    phase.kind === 'queries'
      ? operations.filter(isDistinct).reduce((all, operation) => all + operation.seconds, 0)
      : seconds;
  const added = phaseFigures(missing.filter(isDistinct), 0);
  const rows = phase.rows + added.rows;
  const metrics = phase.metrics + added.metrics;
  return {
    ...phase,
    rows,
    metrics,
    bytes: phase.bytes + added.bytes,
    seconds,
    rowsPerSecond: counted > 0 ? rows / counted : 0,
    metricsPerSecond: counted > 0 ? metrics / counted : 0,
    operations,
    ...(transactions && { transactions }),
  };
}

function perSecond(total: OperationTotal | undefined): number {
  return total === undefined ? 0 : operationOf(total).perSecond;
}

interface Part {
  tick: Tick;
  operation: TickOperation;
}

function ticksOf(name: string, ticks: readonly Tick[]): Part[] {
  return ticks.flatMap((tick) =>
    tick.operations.filter((o) => o.name === name).map((operation) => ({ tick, operation })),
  );
}

function totalOf(
  name: string,
  ticks: readonly Tick[],
  histograms: readonly StoredHistograms[],
): OperationTotal {
  const parts = ticksOf(name, ticks);
  const stored = new Map(histograms.filter((h) => h.operation === name).map((h) => [h.seq, h]));
  const latency = new Distribution();
  let service: Distribution | null = null;
  for (const { tick, operation } of parts) {
    const texts = stored.get(tick.seq);
    if (texts?.latency) latency.add(Distribution.decode(texts.latency, operation.latencyUs?.sum ?? 0));
    if (texts?.service) {
      service ??= new Distribution();
      service.add(Distribution.decode(texts.service, operation.serviceUs?.sum ?? 0));
    }
  }
  const sum = (of: (operation: TickOperation) => number) =>
    parts.reduce((all, { operation }) => all + of(operation), 0);
  const count = sum((o) => o.count);
  const errors = sum((o) => o.errors);
  return {
    name,
    count,
    errors,
    late: sum((o) => o.late),
    started: count + errors,
    dropped: 0,
    rows: sum((o) => o.rows),
    metrics: sum((o) => o.metrics),
    bytes: sum((o) => o.bytes),
    seconds: parts.reduce((all, { tick }) => all + tick.intervalMs / 1000, 0),
    latency,
    service,
    firstRow: null,
  };
}
