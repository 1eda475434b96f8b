import { setImmediate as nextTurn } from 'node:timers/promises';
import type {
  SqlClient,
  SqlError,
  SqlOutcome,
  SqlStatement,
  SqlValue,
  StatementOptions,
} from '../sqlClient.ts';
import { Channel } from './channel.ts';
import type { Dialled } from './connection.ts';
import { serverError } from './errors.ts';
import { OutcomeTaker } from './outcomes.ts';
import { SendBuffer } from './sendBuffer.ts';
import { Statement } from './statement.ts';
import { copyData, copyDone, copyFail, queryMessage, syncMessage } from './statements.ts';

/** A pipeline is sent when it has grown to this; less waits for `sync`. */
const pipelineBytes = 32_768;

/** See `SqlClient`. */
export async function openSqlClient(
  target: Dialled,
  database: string,
  signal: AbortSignal,
): Promise<SqlClient> {
  const taker = new OutcomeTaker();
  return new PostgresqlClient(await Channel.open(target, database, taker, signal), taker, signal);
}

class PostgresqlClient implements SqlClient {
  readonly #channel: Channel;
  readonly #taker: OutcomeTaker;
  readonly #signal: AbortSignal;
  readonly #out = new SendBuffer();
  #declared = 0;
  #pipelining = false;
  /** Statements whose Parse was sent, in order; the first has not been confirmed yet. */
  readonly #parsing: Statement[] = [];

  constructor(channel: Channel, taker: OutcomeTaker, signal: AbortSignal) {
    this.#channel = channel;
    this.#taker = taker;
    this.#signal = signal;
    taker.onParsed = () => this.#parsing.shift()?.confirm();
    signal.addEventListener('abort', this.#abort, { once: true });
    if (signal.aborted) this.#abort();
  }

  get backendPid(): number {
    return this.#channel.backendPid;
  }
  get block(): SqlClient['block'] {
    return this.#taker.block;
  }
  get receivedBytes(): number {
    return this.#channel.replies.bytes;
  }

  declare(text: string, options: StatementOptions): SqlStatement {
    const name = options.mode === 'prepared' ? `P_${this.#declared++}` : null;
    return new Statement(text, name, options);
  }

  prepare(statements: readonly SqlStatement[]): Promise<SqlOutcome> {
    const outcome = this.#begin(false);
    for (const statement of statements.map(own)) {
      if (statement.isParsed || statement.name === null) continue;
      this.#parse(statement);
    }
    this.#out.put(syncMessage);
    return this.#send(outcome);
  }

  query(text: string, collect = false): Promise<SqlOutcome> {
    const outcome = this.#begin(collect);
    this.#out.query(text);
    return this.#send(outcome);
  }

  execute(statement: SqlStatement, values: readonly SqlValue[], collect = false): Promise<SqlOutcome> {
    const outcome = this.#begin(collect);
    const known = own(statement);
    if (!known.isParsed) this.#parse(known);
    known.bind(this.#out, values, true);
    return this.#send(outcome);
  }

  send(statement: SqlStatement, values: readonly SqlValue[]): void {
    this.#pipeline();
    const known = own(statement);
    if (!known.isParsed) this.#parse(known);
    known.bind(this.#out, values, false);
    this.#taker.executing();
    if (this.#out.length >= pipelineBytes) this.#flush();
  }

  mark(): void {
    this.#pipeline();
    this.#out.put(syncMessage);
    this.#taker.syncing();
  }

  async sync(): Promise<readonly SqlOutcome[]> {
    this.mark();
    this.#pipelining = false;
    this.#flush();
    await this.#channel.answered(this.#taker.syncs, null);
    return this.#taker.pipeline();
  }

  async copyIn(text: string, chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): Promise<SqlOutcome> {
    const outcome = this.#begin(false);
    const channel = this.#channel;
    let broken: unknown = null;
    channel.write(queryMessage(text));
    try {
      for await (const chunk of chunks) {
        await channel.written(copyData(chunk));
        await nextTurn();
        // An error of the server comes at once, with its ReadyForQuery: it ignores what is sent further.
        if (channel.replies.ready > 0 || channel.closed || this.#signal.aborted) break;
      }
    } catch (error) {
      broken = error;
    }
    if (channel.replies.ready === 0)
      channel.write(broken === null && !this.#signal.aborted ? copyDone : copyFail('given up'));
    await channel.answered(1, outcome);
    if (broken !== null) throw broken;
    return outcome;
  }

  toError(error: SqlError, statement?: string): ReturnType<SqlClient['toError']> {
    const { place } = this.#channel;
    return serverError(
      {
        message: error.message,
        code: error.state,
        detail: error.detail ?? undefined,
        hint: error.hint ?? undefined,
      },
      statement === undefined ? place : { ...place, statement },
    );
  }

  close(): Promise<void> {
    this.#signal.removeEventListener('abort', this.#abort);
    return this.#channel.close();
  }

  readonly #abort = (): void => this.#channel.abandon();

  #begin(collect: boolean): SqlOutcome {
    this.#channel.start();
    this.#out.clear();
    this.#parsing.length = 0;
    return this.#taker.start(collect);
  }

  #parse(statement: Statement): void {
    this.#out.put(statement.parse);
    this.#parsing.push(statement);
  }

  #send(outcome: SqlOutcome): Promise<SqlOutcome> {
    if (!this.#channel.closed) this.#channel.write(this.#out.view());
    return this.#channel.answered(1, outcome);
  }

  #pipeline(): void {
    if (this.#pipelining) return;
    this.#pipelining = true;
    this.#begin(false);
    this.#taker.startPipeline();
  }

  #flush(): void {
    if (this.#channel.closed) return; // `sync` says so
    this.#channel.write(this.#out.view());
    this.#out.renew();
  }
}

function own(statement: SqlStatement): Statement {
  if (statement instanceof Statement) return statement;
  throw new Error('a statement of another driver');
}
