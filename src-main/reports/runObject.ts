import type { CommandOutput } from '../../src-shared/contract/commands.ts';
import type { Latency } from '../../src-shared/model/latency.ts';
import type { CacheState, Operation, Run } from '../../src-shared/model/run.ts';
import type { Statement } from '../../src-shared/model/telemetry.ts';
import type { TransactionFigures } from '../../src-shared/model/transactions.ts';
import { type PhaseReport, serverReport } from '../../src-shared/stats/serverReport.ts';

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
    /** Only where the server answers nothing to rows: they count, and have latencies, as sent. */
    unanswered?: true;
    /** Only where a row can be queried later than it is acknowledged; null where that was not waited out. */
    visible?: { seconds: number; rowsPerSecond: number } | null;
    /** null where nothing was counted. */
    verifiedRows: number | null;
    operations: {
      name: string;
      count: number;
      errors: number;
      perSecond: number;
      /** Microseconds; null while nothing completed. */
      latencyUs: Figures | null;
      /** Only of fetches; `latencyUs` is the time of the last row. */
      fetch?: {
        readers: number;
        cache: CacheState;
        rows: number;
        bytes: number;
        seconds: number;
        /** Microseconds; null where the engine does not tell. */
        firstRowUs: Figures | null;
      };
    }[];
    /** Only of transactions. */
    transactions?: {
      clients: number;
      threads: number;
      tps: number;
      /** Seconds until all clients were connected: no part of `seconds`. */
      connectSeconds: number;
      failed: number;
      retried: number;
      retries: number;
      skipped: number;
      /** Above the latency limit. */
      late: number;
      /** By SQLSTATE, retried or not. */
      conflicts: Record<string, number>;
      reads: number;
      writes: number;
      others: number;
      /** Behind the schedule; null without a rate. */
      lagUs: { mean: number; max: number } | null;
      endedClients: number;
    };
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
      ...(phase.unanswered && { unanswered: phase.unanswered }),
      ...(phase.visible !== undefined && { visible: phase.visible }),
      verifiedRows: phase.verifiedRows,
      operations: phase.operations.map((operation) => ({
        name: operation.name,
        count: operation.count,
        errors: operation.errors,
        perSecond: operation.perSecond,
        latencyUs: operation.latencyUs && figures(operation.latencyUs),
        ...fetchOf(operation),
      })),
      ...(phase.transactions && { transactions: transactions(phase.transactions) }),
    })),
  };
}

/** What `show --json` prints: the run, and for each phase what its time axis tells. */
export interface ShownRun extends RunObject {
  server: {
    phases: PhaseReport[];
    /** Of pg_stat_statements, the ones that took the most time. */
    statements: Statement[];
    /** What the target's user may not see. */
    limits: { what: string; role: string }[];
  };
}

export function shownRun(run: Run, series: CommandOutput<'runs.series'>): ShownRun {
  return {
    ...runObject(run),
    server: {
      phases: serverReport(run, series),
      statements: series.serverWatch?.statements ?? [],
      limits: series.serverWatch?.limits ?? [],
    },
  };
}

function fetchOf(operation: Operation): Pick<RunObject['phases'][number]['operations'][number], 'fetch'> {
  const { readers, cache, rows, bytes, seconds, firstRowUs = null } = operation;
  if (readers === undefined || cache === undefined) return {};
  return {
    fetch: { readers, cache, rows, bytes, seconds, firstRowUs: firstRowUs && figures(firstRowUs) },
  };
}

function transactions(of: TransactionFigures): NonNullable<RunObject['phases'][number]['transactions']> {
  const { clients, threads, tps, connectSeconds, failed, retried, retries, skipped, late } = of;
  const { conflicts, reads, writes, others, lag, endedClients } = of;
  return {
    ...{ clients, threads, tps, connectSeconds, failed, retried, retries, skipped, late },
    ...{ conflicts, reads, writes, others },
    lagUs: lag && { mean: lag.meanUs, max: lag.maxUs },
    endedClients,
  };
}

/** Names each figure: what is added to `Latency` later must not slip into the interface. */
function figures({ min, mean, p50, p90, p95, p99, p999, max, stddev }: Latency): Figures {
  return { min, mean, p50, p90, p95, p99, p999, max, stddev };
}
