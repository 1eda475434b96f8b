import { createWriteStream, type WriteStream } from 'node:fs';
import type { LoggedTransaction, Transaction, TransactionLog } from '../workloads/transactions.ts';
import { nowNs } from './clock.ts';

/** Written once so much has come together, and each second. */
const chunkLength = 65_536;
/** More than this waiting to be written, in bytes: the disk does not keep up. */
const mostWaiting = 16 * 1024 * 1024;
const nsPerUs = 1000;

/**
 * The file of a workload's log of single transactions, one for each thread. A transaction only adds to a text; it is written
 * beside the load. What cannot be written ends the log, which is told once, and not the run.
 */
export class TransactionLogFile {
  readonly #log: TransactionLog;
  readonly #stream: WriteStream;
  readonly #onLost: (text: string) => void;
  /** From the clock of `nowNs` to Unix time, microseconds. */
  readonly #epochUs: number;
  /** Filled in anew for each. */
  readonly #told: LoggedTransaction = {
    ...{ client: 0, script: 0, skipped: false, failure: null },
    ...{ retries: 0, latencyUs: 0, lagUs: 0, endedUs: 0 },
  };
  #text = '';
  #over = false;

  /**
   * @param open the workload's log, by when the measured time begins, Unix microseconds
   * @param onLost a line for the run's events
   */
  constructor(
    file: string,
    startNs: number,
    open: (startUs: number) => TransactionLog,
    onLost: (text: string) => void,
  ) {
    this.#epochUs = (performance.timeOrigin + performance.now()) * 1000 - nowNs() / nsPerUs;
    this.#log = open(this.#unixUs(startNs));
    this.#onLost = onLost;
    this.#stream = createWriteStream(file, { flags: 'w', mode: 0o600 });
    this.#stream.on('error', (error) => this.#lose(error.message));
  }

  /** A transaction is done or has failed. */
  ended(client: number, transaction: Transaction, beginNs: number, endNs: number): void {
    const { scheduledNs, script, failure, retries } = transaction;
    const told = this.#told;
    told.client = client;
    told.script = script;
    told.skipped = false;
    told.failure = failure;
    told.retries = retries;
    told.latencyUs = failure === null ? (endNs - scheduledNs) / nsPerUs : 0;
    told.lagUs = failure === null ? (beginNs - scheduledNs) / nsPerUs : 0;
    told.endedUs = this.#unixUs(endNs);
    this.#tell();
  }

  /** A turn is past by more than the latency limit. */
  skipped(client: number, script: number): void {
    const told = this.#told;
    told.client = client;
    told.script = script;
    told.skipped = true;
    told.failure = null;
    told.retries = 0;
    told.latencyUs = 0;
    told.lagUs = 0;
    told.endedUs = this.#unixUs(nowNs());
    this.#tell();
  }

  /** Hands over what has come together; does not wait for it. */
  flush(): void {
    if (this.#over || this.#text === '') return;
    this.#stream.write(this.#text);
    this.#text = '';
    if (this.#stream.writableLength > mostWaiting) {
      this.#lose('the disk does not keep up');
      this.#stream.destroy();
    }
  }

  /** Resolves when all is written, or given up, and the file closed. May be called twice. */
  async close(): Promise<void> {
    if (!this.#over) {
      this.#text += this.#log.rest(this.#unixUs(nowNs()));
      this.flush();
    }
    if (this.#stream.closed) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#stream.once('close', resolve);
    if (!this.#stream.destroyed) this.#stream.end();
    await promise;
    this.#over = true;
  }

  #tell(): void {
    if (this.#over) return;
    this.#text += this.#log.ended(this.#told);
    if (this.#text.length >= chunkLength) this.flush();
  }

  #lose(why: string): void {
    if (this.#over) return;
    this.#over = true;
    this.#text = '';
    this.#onLost(`The log of transactions ends here, the run goes on: ${why}`);
  }

  #unixUs(ns: number): number {
    return Math.floor(this.#epochUs + ns / nsPerUs);
  }
}
