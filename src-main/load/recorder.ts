import { Distribution } from './distribution.ts';
import type { Figures } from './job.ts';
import type { OperationDelta } from './messages.ts';

/** Figures of one operation in one thread since they were last taken. */
export class OperationRecorder {
  readonly #latency = new Distribution();
  readonly #service: Distribution | null;
  readonly #firstRow: Distribution | null;
  #figures: Figures = nothing();

  constructor(openLoop: boolean, firstRow = false) {
    this.#service = openLoop ? new Distribution() : null;
    this.#firstRow = firstRow ? new Distribution() : null;
  }

  started(late: boolean): void {
    this.#figures.started += 1;
    if (late) this.#figures.late += 1;
  }

  /** Rows of an operation that is still under way. */
  wrote(rows: number): void {
    this.#figures.rows += rows;
  }

  failed(): void {
    this.#figures.errors += 1;
  }

  /** Times on the clock of `nowNs`; `dueNs` is `startNs` where there is no schedule. */
  completed(
    dueNs: number,
    startNs: number,
    endNs: number,
    rows: number,
    metrics: number,
    bytes: number,
  ): void {
    const figures = this.#figures;
    figures.count += 1;
    figures.rows += rows;
    figures.metrics += metrics;
    figures.bytes += bytes;
    this.#latency.recordNs(endNs - dueNs);
    this.#service?.recordNs(endNs - startNs);
  }

  /** The first row of an operation had come after so long. */
  sawFirstRow(ns: number): void {
    this.#firstRow?.recordNs(ns);
  }

  /** What was recorded since the last call. */
  take(): OperationDelta {
    const figures = this.#figures;
    this.#figures = nothing();
    return {
      ...figures,
      latency: packed(this.#latency),
      service: packed(this.#service),
      firstRow: packed(this.#firstRow),
    };
  }
}

function nothing(): Figures {
  return { count: 0, errors: 0, late: 0, started: 0, rows: 0, metrics: 0, bytes: 0 };
}

function packed(distribution: Distribution | null): OperationDelta['latency'] {
  if (distribution === null || distribution.count === 0) return null;
  const result = { histogram: distribution.encode(), sumUs: distribution.sumUs };
  distribution.reset();
  return result;
}
