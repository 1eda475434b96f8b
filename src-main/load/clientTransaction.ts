import type { StatementMeter, Transaction } from '../workloads/transactions.ts';
import { nowNs } from './clock.ts';
import type { TransactionRecorder } from './transactionRecorder.ts';

/** What the transactions of a thread share. */
export interface TransactionRules {
  /** No try begins after it; infinite where the run has no end by time. */
  endNs: number;
  /** Infinite without one. */
  latencyLimitNs: number;
  stopping: AbortSignal;
  /** @returns false where the run was given up meanwhile */
  until(atNs: number): Promise<boolean>;
}

/** See `Transaction`: one object for all transactions of a client. */
export class ClientTransaction implements Transaction {
  readonly #rules: TransactionRules;
  readonly #recorder: TransactionRecorder;
  /** The warm-up is over. */
  #counts = false;
  scheduledNs = 0;
  statements: StatementMeter | null = null;
  script = 0;
  failure: string | null = null;
  retries = 0;
  reads = 0;
  writes = 0;
  others = 0;

  constructor(rules: TransactionRules, recorder: TransactionRecorder) {
    this.#rules = rules;
    this.#recorder = recorder;
  }

  begin(scheduledNs: number, script: number, counts: boolean): void {
    this.#counts = counts;
    this.scheduledNs = scheduledNs;
    this.statements = counts ? this.#recorder.statements : null;
    this.script = script;
    this.failure = null;
    this.retries = 0;
    this.reads = 0;
    this.writes = 0;
    this.others = 0;
  }

  now(): number {
    return nowNs();
  }

  mayRetry(): boolean {
    const { stopping, endNs, latencyLimitNs } = this.#rules;
    if (stopping.aborted) return false;
    const now = nowNs();
    return now < endNs && now - this.scheduledNs <= latencyLimitNs;
  }

  sleep(nanoseconds: number): Promise<boolean> {
    return this.#rules.until(nowNs() + nanoseconds);
  }

  conflict(state: string): void {
    if (this.#counts) this.#recorder.conflict(state);
  }
}
