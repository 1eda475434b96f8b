import type { ServerSample, ServerWatch } from '../../src-shared/model/telemetry.ts';
import type { StatementCounts } from '../../src-shared/stats/statements.ts';

/** A connection of its own that looks at the server beside a run. */
export interface Telemetry {
  /** What the user of the target may not see. */
  readonly limits: ServerWatch['limits'];
  /** Why `statements` gives none; null where it can. */
  readonly noStatements: string | null;
  /**
   * Gives a sample about once a second until the signal is aborted, then one for the rest, and resolves.
   * @param now the run's clock, ms
   * @throws AppError `connection-lost` …: it is over with this connection, another one may be opened
   */
  watch(now: () => number, onSample: (sample: ServerSample) => void, signal: AbortSignal): Promise<void>;
  /** Counts of all statements so far, by id; two of them make a difference. Empty where the server keeps none. */
  statements(signal: AbortSignal): Promise<ReadonlyMap<string, StatementCounts>>;
  /** The texts of these statements; without those of the telemetry itself. */
  statementTexts(ids: readonly string[], signal: AbortSignal): Promise<Map<string, string>>;
  close(): Promise<void>;
}
