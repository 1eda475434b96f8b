import type { StatementMeter, TransactionSource } from '../workloads/transactions.ts';
import { nsPerMs } from './clock.ts';
import { OperationRecorder } from './recorder.ts';
import { emptyTally, type ScriptTally, type Tally } from './tally.ts';

/** Figures of the transactions of one thread since they were last taken. */
export class TransactionRecorder {
  /** In the order of `operationNames`. */
  readonly operations: readonly OperationRecorder[];
  /** null where figures of statements are not asked for. */
  readonly statements: StatementMeter | null;
  readonly #scripts: number;
  readonly #statements: number;
  readonly #limitNs: number;
  readonly #openLoop: boolean;
  #tally: Tally;

  constructor(
    { scripts, statements }: Pick<TransactionSource, 'scripts' | 'statements'>,
    options: { openLoop: boolean; latencyLimitMs: number | null; statementLatencies: boolean },
  ) {
    this.#scripts = scripts.length;
    this.#statements = options.statementLatencies ? statements.length : 0;
    this.#limitNs = (options.latencyLimitMs ?? Number.POSITIVE_INFINITY) * nsPerMs;
    this.#openLoop = options.openLoop;
    this.#tally = emptyTally(this.#scripts, this.#statements);
    const operations = 1 + (scripts.length > 1 ? scripts.length : 0);
    this.operations = Array.from({ length: operations }, () => new OperationRecorder(options.openLoop));
    this.statements = options.statementLatencies ? this.#meter() : null;
  }

  done(script: number, dueNs: number, startNs: number, endNs: number, bytes: number): void {
    this.operations[0]?.completed(dueNs, startNs, endNs, 0, 0, bytes);
    if (this.#scripts > 1) this.operations[1 + script]?.completed(dueNs, startNs, endNs, 0, 0, bytes);
    if (endNs - dueNs > this.#limitNs) this.#tally.late += 1;
    if (!this.#openLoop) return;
    const { lag } = this.#tally;
    lag.count += 1;
    lag.sumNs += startNs - dueNs;
    lag.maxNs = Math.max(lag.maxNs, startNs - dueNs);
  }

  /** @param late began over 1 ms after its turn */
  began(script: number, late: boolean): void {
    this.operations[0]?.started(late);
    if (this.#scripts > 1) this.operations[1 + script]?.started(late);
  }

  /** @param state SQLSTATE of the last try */
  failed(script: number, state: string): void {
    this.operations[0]?.failed();
    if (this.#scripts > 1) this.operations[1 + script]?.failed();
    addFailure(this.#tally, state);
    const own = this.#tally.scripts[script];
    if (own) addFailure(own, state);
  }

  retried(script: number, retries: number): void {
    this.#tally.retried += 1;
    this.#tally.retries += retries;
    const own = this.#tally.scripts[script];
    if (own === undefined) return;
    own.retried += 1;
    own.retries += retries;
  }

  skipped(script: number): void {
    this.#tally.skipped += 1;
    const own = this.#tally.scripts[script];
    if (own) own.skipped += 1;
  }

  statementsDone(reads: number, writes: number, others: number): void {
    this.#tally.reads += reads;
    this.#tally.writes += writes;
    this.#tally.others += others;
  }

  conflict(state: string): void {
    const { conflicts } = this.#tally;
    conflicts[state] = (conflicts[state] ?? 0) + 1;
  }

  reconnected(ns: number): void {
    this.#tally.reconnects += 1;
    this.#tally.reconnectNs += ns;
  }

  clientEnded(): void {
    this.#tally.endedClients += 1;
  }

  /** What was counted since the last call, besides the operations. */
  take(): Tally {
    const tally = this.#tally;
    this.#tally = emptyTally(this.#scripts, this.#statements);
    return tally;
  }

  #meter(): StatementMeter {
    const add = (list: number[], statement: number, n: number) => {
      list[statement] = (list[statement] ?? 0) + n;
    };
    const own = () => this.#tally.statements;
    return {
      done(statement, nanoseconds) {
        add(own().count, statement, 1);
        add(own().sumNs, statement, nanoseconds);
      },
      failed: (statement) => add(own().failures, statement, 1),
      retried: (statement) => add(own().retries, statement, 1),
    };
  }
}

function addFailure(to: ScriptTally, state: string): void {
  to.failed += 1;
  to.failures[state] = (to.failures[state] ?? 0) + 1;
}
