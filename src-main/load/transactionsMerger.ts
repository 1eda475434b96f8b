import type { TickTransactions } from '../../src-shared/model/transactions.ts';
import { toBuckets } from '../../src-shared/stats/logBuckets.ts';
import { nsPerSecond } from './clock.ts';
import type { Distribution } from './distribution.ts';
import type { ThreadTransactions } from './messages.ts';
import { addTally, emptyTally, type Tally } from './tally.ts';

/** Merges what threads tell of transactions besides their operations, as `Merger` does with those. */
export class TransactionsMerger {
  readonly #scripts: number;
  readonly #statements: number;
  readonly #gauges = new Map<number, ThreadTransactions>();
  readonly total: Tally;
  #interval: Tally;

  constructor(scripts: number, statements: number) {
    this.#scripts = scripts;
    this.#statements = statements;
    this.total = emptyTally(scripts, statements);
    this.#interval = emptyTally(scripts, statements);
  }

  add(thread: number, told: ThreadTransactions): void {
    addTally(this.#interval, told.tally);
    this.#gauges.set(thread, told);
  }

  /** Transactions whose turn has come and that no client is free for: expected from the schedule. */
  get waiting(): number {
    return this.#sum(({ waiting }) => waiting);
  }

  /** Ends the interval. @param latency of the transactions that were done in it */
  close(latency: Distribution): TickTransactions {
    const { lag, reconnectNs, failed, retried, retries, skipped, late, reads, writes, others, conflicts } =
      this.#interval;
    addTally(this.total, this.#interval);
    this.#interval = emptyTally(this.#scripts, this.#statements);
    return {
      ...{ failed, retried, retries, skipped, late, reads, writes, others, conflicts },
      clients: this.#sum(({ clients }) => clients),
      busy: this.#sum(({ busy }) => busy),
      connectSeconds: reconnectNs / nsPerSecond,
      lag: lagOf(lag),
      buckets: toBuckets(latency.cellsMs()),
    };
  }

  #sum(of: (told: ThreadTransactions) => number): number {
    return [...this.#gauges.values()].reduce((sum, told) => sum + of(told), 0);
  }
}

/** Mean and longest delay behind the schedule. */
export function lagOf({ count, sumNs, maxNs }: Tally['lag']): { meanUs: number; maxUs: number } | null {
  return count === 0 ? null : { meanUs: sumNs / count / 1000, maxUs: maxNs / 1000 };
}
