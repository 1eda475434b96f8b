import type { Latency } from '../../src-shared/model/latency.ts';
import type { Run } from '../../src-shared/model/run.ts';

type Figures = Omit<Latency, 'count' | 'sum'>;

/** What `--json` prints of a run: one object, a documented interface that scripts read. */
export interface RunObject {
  id: string;
  status: string;
  /** Codes, e.g. `valid`, `client-bound`. */
  verdicts: string[];
  phases: {
    name: string;
    rows: number;
    metrics: number;
    seconds: number;
    rowsPerSecond: number;
    metricsPerSecond: number;
    /** null where nothing was counted. */
    verifiedRows: number | null;
    operations: {
      name: string;
      count: number;
      errors: number;
      perSecond: number;
      /** Microseconds; null while nothing completed. */
      latencyUs: Figures | null;
    }[];
  }[];
}

/** The run as `--json` prints it. */
export function runObject(run: Run): RunObject {
  return {
    id: run.id,
    status: run.status,
    verdicts: run.verdicts.map((verdict) => verdict.code),
    phases: run.phases.map((phase) => ({
      name: phase.name,
      rows: phase.rows,
      metrics: phase.metrics,
      seconds: phase.seconds,
      rowsPerSecond: phase.rowsPerSecond,
      metricsPerSecond: phase.metricsPerSecond,
      verifiedRows: phase.verifiedRows,
      operations: phase.operations.map((operation) => ({
        name: operation.name,
        count: operation.count,
        errors: operation.errors,
        perSecond: operation.perSecond,
        latencyUs: operation.latencyUs && figures(operation.latencyUs),
      })),
    })),
  };
}

/** Names each figure: what is added to `Latency` later must not slip into the interface. */
function figures({ min, mean, p50, p90, p95, p99, p999, max, stddev }: Latency): Figures {
  return { min, mean, p50, p90, p95, p99, p999, max, stddev };
}
