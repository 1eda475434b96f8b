import type {
  SqlClient,
  SqlError,
  SqlOutcome,
  SqlStatement,
  SqlValue,
} from '../../../databases/sqlClient.ts';
import type { Transaction, TransactionClient } from '../../transactions.ts';
import { Xoroshiro } from '../random/xoroshiro.ts';
import type { Scope } from '../script/evaluate.ts';
import { replaced } from '../script/substitute.ts';
import { isTrue } from '../script/values.ts';
import type { Names, Variables } from '../script/variables.ts';
import { chooser } from './choose.ts';
import { commandError, locatedError, scriptError } from './errors.ts';
import type { BranchOperation, Operation, Program, Protocol, SqlOperation } from './program.ts';
import { sleepNanoseconds } from './sleep.ts';
import { storeResults } from './storeResults.ts';

/** What all clients of a thread have in common. */
export interface Scripts {
  programs: readonly Program[];
  /** One per program; their sum is above 0. */
  weights: readonly number[];
  protocol: Protocol;
  /** Tries of a transaction at most; 0: as many as the run's time and its latency limit permit. */
  maxTries: number;
  /** Any error of SQL only fails its transaction. */
  continueOnError: boolean;
  names: Names;
}

/** States whose transactions pgbench repeats, or counts as failed. */
const repeatable: ReadonlySet<string> = new Set(['40001', '40P01']);

/** What a try ended in: an error that its client goes on after, and the command that it hit; or given up while it slept. */
type Ending = 'done' | 'given-up' | { state: string; statement: number; repeatable: boolean };

/** One of pgbench's clients: draws a script, runs its commands, and runs it again from its first one where that helps. */
export class PgbenchClient implements TransactionClient, Scope {
  readonly random: Xoroshiro;
  readonly variables: Variables;
  readonly #scripts: Scripts;
  readonly #choose: () => number;
  /** The generator as it was when the transaction began. */
  readonly #before = new Xoroshiro(0);
  #connection: SqlClient | null = null;
  /** By the number of the command. */
  #statements: (SqlStatement | undefined)[] = [];
  /** Pipelines whose statements are prepared in this connection, by the number of their \startpipeline. */
  readonly #preparedPipelines = new Set<number>();
  readonly #values: SqlValue[][] = [];
  #inPipeline = false;

  constructor(scripts: Scripts, variables: Variables, script: Xoroshiro, choose: Xoroshiro) {
    this.#scripts = scripts;
    this.variables = variables;
    this.random = script;
    this.#choose = chooser(scripts.weights, choose);
  }

  async connected(connection: SqlClient): Promise<void> {
    this.#connection = connection;
    this.#inPipeline = false;
    this.#preparedPipelines.clear();
    const { protocol, programs } = this.#scripts;
    if (protocol === 'simple') return;
    this.#statements = [];
    for (const operation of programs.flatMap((program) => program.operations))
      if (operation.kind === 'sql')
        this.#statements[operation.statement] = connection.declare(operation.text, {
          mode: protocol,
          parameters: operation.slots.length,
        });
  }

  /** The next transaction's script: drawn before its turn, so that one that is skipped counts to it. */
  draw(): number {
    return this.#choose();
  }

  async transact(transaction: Transaction): Promise<void> {
    const program = this.#scripts.programs[transaction.script];
    if (program === undefined) throw new Error(`no script ${transaction.script}`);
    this.#before.copyFrom(this.random);
    for (;;) {
      const ending = await this.#run(program, transaction);
      if (typeof ending === 'string') return;
      const { state, statement } = ending;
      transaction.conflict(state);
      await this.#rollBack();
      const { maxTries } = this.#scripts;
      const wasLast = maxTries > 0 && transaction.retries + 1 >= maxTries;
      if (!ending.repeatable || wasLast || !transaction.mayRetry()) {
        transaction.failure = state;
        transaction.statements?.failed(statement);
        return;
      }
      transaction.retries++;
      transaction.statements?.retried(statement);
      this.random.copyFrom(this.#before);
    }
  }

  /** One try: the script from its first command. */
  async #run(program: Program, transaction: Transaction): Promise<Ending> {
    const { operations } = program;
    const meter = transaction.statements;
    for (let at = 0; at < operations.length; ) {
      const operation = operations[at];
      if (operation === undefined) break;
      const begunNs = meter ? transaction.now() : 0;
      at++;
      switch (operation.kind) {
        case 'sql': {
          const error = await this.#sql(program, operation, transaction);
          if (error !== null) return this.#judge(program, operation, error);
          break;
        }
        case 'sleep':
          if (!(await transaction.sleep(sleepNanoseconds(program, operation, this.variables))))
            return 'given-up';
          break;
        case 'startpipeline':
          await this.#startPipeline(program, operation, operations);
          break;
        case 'endpipeline': {
          const error = await this.#endPipeline(program, operation, transaction);
          if (error !== null) return this.#judge(program, operation, error);
          break;
        }
        default:
          at = this.#meta(program, operation, at);
      }
      meter?.done(operation.statement, transaction.now() - begunNs);
    }
    if (this.#inPipeline) throw scriptError(program, 'end of script reached with pipeline open');
    if (this.#connection?.block !== 'none')
      throw scriptError(program, 'end of script reached without completing the last transaction');
    return 'done';
  }

  /** A command that the server has no part in. @returns where to go on */
  #meta(program: Program, operation: Operation, next: number): number {
    switch (operation.kind) {
      case 'set':
        try {
          this.variables.set(operation.slot, operation.value(this));
        } catch (error) {
          throw locatedError(program, operation, error);
        }
        return next;
      case 'if':
        return this.#branch(program, operation, next);
      case 'elif': // the branch before it was taken
      case 'else':
        return operation.endif + 1;
      case 'syncpipeline':
        if (!this.#inPipeline) throw commandError(program, operation, 'not in pipeline mode');
        this.#open().mark();
        return next;
      default:
        return next;
    }
  }

  /** The first command of the branch whose condition holds, of \else, or behind \endif. */
  #branch(program: Program, first: BranchOperation, next: number): number {
    let branch = first;
    let at = next;
    for (;;) {
      try {
        if (isTrue(branch.condition(this))) return at;
      } catch (error) {
        throw locatedError(program, branch, error);
      }
      at = branch.otherwise + 1;
      const other = program.operations[branch.otherwise];
      if (other?.kind !== 'elif') return at;
      branch = other;
    }
  }

  /** @returns the server's error; null where there is none, and in a pipeline */
  async #sql(program: Program, operation: SqlOperation, transaction: Transaction): Promise<SqlError | null> {
    const { store } = operation;
    if (this.#inPipeline) {
      if (store) throw commandError(program, operation, `\\${store.how} is not allowed in pipeline mode`);
      this.#open().send(this.#statement(operation), this.#parameters(operation));
      return null;
    }
    const outcome = await this.#execute(operation);
    count(outcome, transaction);
    if (outcome.error === null && store)
      storeResults(program, operation, outcome, this.variables, this.#scripts.names);
    return outcome.error;
  }

  #execute(operation: SqlOperation): Promise<SqlOutcome> {
    const connection = this.#open();
    const collect = operation.store !== null;
    if (this.#scripts.protocol !== 'simple')
      return connection.execute(this.#statement(operation), this.#parameters(operation), collect);
    const { slots } = operation;
    const sql = replaced(operation.cut, (use) => this.variables.text(slots[use] ?? -1));
    return connection.query(sql, collect);
  }

  async #startPipeline(
    program: Program,
    operation: Operation & { kind: 'startpipeline' },
    operations: readonly Operation[],
  ): Promise<void> {
    const { protocol } = this.#scripts;
    if (protocol === 'simple')
      throw commandError(program, operation, 'cannot use pipeline mode with the simple query protocol');
    if (this.#inPipeline) throw commandError(program, operation, 'already in pipeline mode');
    if (protocol === 'prepared' && !this.#preparedPipelines.has(operation.statement)) {
      const { error } = await this.#open().prepare(
        operation.statements.flatMap((index) => this.#statements[operations[index]?.statement ?? -1] ?? []),
      );
      if (error !== null) throw this.#open().toError(error, operation.firstLine);
      this.#preparedPipelines.add(operation.statement);
    }
    this.#inPipeline = true;
  }

  async #endPipeline(
    program: Program,
    operation: Operation,
    transaction: Transaction,
  ): Promise<SqlError | null> {
    if (!this.#inPipeline) throw commandError(program, operation, 'not in pipeline mode');
    const outcomes = await this.#open().sync();
    this.#inPipeline = false;
    let error: SqlError | null = null;
    for (const outcome of outcomes) {
      if (!outcome.skipped) count(outcome, transaction);
      error ??= outcome.error;
    }
    return error;
  }

  /** @throws AppError for what ends the client */
  #judge(program: Program, operation: Operation, error: SqlError): Ending {
    const isRepeatable = repeatable.has(error.state);
    if (isRepeatable || this.#scripts.continueOnError)
      return { state: error.state, statement: operation.statement, repeatable: isRepeatable };
    throw locatedError(program, operation, this.#open().toError(error, operation.firstLine));
  }

  async #rollBack(): Promise<void> {
    const connection = this.#open();
    if (connection.block === 'none') return;
    const { error } = await connection.query('ROLLBACK');
    if (error !== null) throw connection.toError(error, 'ROLLBACK');
  }

  /** Its list is the operation's own, used each time: values are read before the client's call returns. */
  #parameters(operation: SqlOperation): SqlValue[] {
    const { slots, statement } = operation;
    const values = this.#values[statement] ?? [];
    this.#values[statement] = values;
    for (let i = 0; i < slots.length; i++) values[i] = this.variables.parameter(slots[i] ?? -1);
    return values;
  }
  #statement(operation: SqlOperation): SqlStatement {
    const statement = this.#statements[operation.statement];
    if (statement === undefined) throw new Error(`${operation.firstLine} was not declared`);
    return statement;
  }
  #open(): SqlClient {
    if (this.#connection === null) throw new Error('a transaction without a connection');
    return this.#connection;
  }
}

function count(outcome: SqlOutcome, transaction: Transaction): void {
  if (outcome.command === 'select') transaction.reads++;
  else if (outcome.command === 'other') transaction.others++;
  else transaction.writes++;
}
