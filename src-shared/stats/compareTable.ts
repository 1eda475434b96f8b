import { knownPhases, type PrintedOperation, type PrintedPhase } from '../model/printed.ts';
import type { Run } from '../model/run.ts';

/** A figure of the comparison and how it is read. */
export interface Metric {
  key:
    | 'rows'
    | 'metrics'
    | 'operations'
    | 'mean'
    | 'p50'
    | 'p95'
    | 'p99'
    | 'max'
    | 'errors'
    | 'seconds'
    | 'retries';
  label: string;
  /** `latency`: microseconds; `rate`: per second; `count`: a number of operations; `seconds`: how long it took. */
  kind: 'rate' | 'latency' | 'count' | 'seconds';
  unit: string;
  better: 'higher' | 'lower';
}

export interface ComparisonCell {
  /** null where the run has no such figure. */
  value: number | null;
  /** value ÷ base − 1; null for the base itself and where either is missing or the base is 0. */
  delta: number | null;
}

export interface ComparisonRow {
  phase: string;
  /** null: of the phase as a whole. */
  operation: string | null;
  /** `tsbs.load`, or `tsbs.queries · lastpoint` for one operation. */
  name: string;
  metric: Metric;
  /** One per run, in the runs' order. */
  cells: ComparisonCell[];
}

const rate = { kind: 'rate', better: 'higher' } as const;
const latency = { kind: 'latency', unit: 'µs', better: 'lower' } as const;
const phaseMetrics = {
  rows: { key: 'rows', label: 'Rows per second', unit: 'rows/s', ...rate },
  metrics: { key: 'metrics', label: 'Metrics per second', unit: 'metrics/s', ...rate },
} satisfies Record<string, Metric>;
const tps: Metric = { key: 'operations', label: 'Transactions per second', unit: 'TPS', ...rate };
const seconds: Metric = { key: 'seconds', label: 'Duration', kind: 'seconds', unit: 's', better: 'lower' };
const operationRate: Metric = { key: 'operations', label: 'Queries per second', unit: 'queries/s', ...rate };
const latencyMetrics = [
  { key: 'p50', label: 'Latency p50', ...latency },
  { key: 'p95', label: 'Latency p95', ...latency },
  { key: 'p99', label: 'Latency p99', ...latency },
  { key: 'mean', label: 'Latency mean', ...latency },
  { key: 'max', label: 'Latency max', ...latency },
] as const satisfies Metric[];
const retries: Metric = { key: 'retries', label: 'Retries', kind: 'count', unit: 'retries', better: 'lower' };
const errors: Metric = { key: 'errors', label: 'Errors', kind: 'count', unit: 'errors', better: 'lower' };

/** Operations × runs, grouped by metric, each value beside its change against run `base`. Rows without any value are left out. */
export function buildTable(runs: readonly Run[], base: number): ComparisonRow[] {
  const loads = names(runs, (phase) =>
    phase.kind === 'load' ? [{ phase: phase.name, operation: null }] : [],
  );
  const operationsOf = (kinds: readonly PrintedPhase['kind'][]) =>
    names(runs, (phase) =>
      kinds.includes(phase.kind)
        ? phase.operations.map((operation) => ({ phase: phase.name, operation: operation.name }))
        : [],
    );
  const operations = operationsOf(['load', 'queries', 'transactions']);
  const steps = operationsOf(['initialize']);
  const row = (
    name: Name,
    metric: Metric,
    read: (phase: PrintedPhase, operation: PrintedOperation | undefined) => number | null,
  ) => makeRow(runs, base, name, metric, read);
  return [
    ...loads.map((name) => row(name, phaseMetrics.rows, (phase) => phase.rowsPerSecond)),
    ...loads.map((name) => row(name, phaseMetrics.metrics, (phase) => phase.metricsPerSecond)),
    ...operationsOf(['transactions']).map((name) =>
      row(name, tps, (_, operation) => operation?.perSecond ?? null),
    ),
    ...operationsOf(['queries']).map((name) =>
      row(name, operationRate, (_, operation) => operation?.perSecond ?? null),
    ),
    ...steps.map((name) => row(name, seconds, (_, operation) => operation?.seconds ?? null)),
    ...latencyMetrics.flatMap((metric) =>
      operations.map((name) =>
        row(name, metric, (_, operation) => operation?.latencyUs?.[metric.key] ?? null),
      ),
    ),
    ...operations
      .map((name) => row(name, errors, (_, operation) => operation?.errors ?? null))
      .filter(({ cells }) => cells.some(({ value }) => value !== null && value > 0)),
    ...names(runs, (phase) => (phase.transactions ? [{ phase: phase.name, operation: null }] : []))
      .map((name) => row(name, retries, (phase) => phase.transactions?.retries ?? null))
      .filter(({ cells }) => cells.some(({ value }) => value !== null && value > 0)),
  ].filter(({ cells }) => cells.some(({ value }) => value !== null));
}

interface Name {
  phase: string;
  operation: string | null;
}

function makeRow(
  runs: readonly Run[],
  base: number,
  name: Name,
  metric: Metric,
  read: (phase: PrintedPhase, operation: PrintedOperation | undefined) => number | null,
): ComparisonRow {
  const values = runs.map((run) => {
    const phase = knownPhases(run).find((p) => p.name === name.phase);
    return phase
      ? read(
          phase,
          phase.operations.find((o) => o.name === name.operation),
        )
      : null;
  });
  const reference = values[base] ?? null;
  return {
    ...name,
    name: name.operation === null ? name.phase : `${name.phase} · ${name.operation}`,
    metric,
    cells: values.map((value, i) => ({
      value,
      delta:
        i === base || value === null || reference === null || reference === 0 ? null : value / reference - 1,
    })),
  };
}

/** Each name once, in the order in which the runs have them. */
function names(runs: readonly Run[], of: (phase: PrintedPhase) => Name[]): Name[] {
  const found = new Map<string, Name>();
  for (const run of runs) {
    for (const name of knownPhases(run).flatMap(of)) found.set(JSON.stringify(name), name);
  }
  return [...found.values()];
}
