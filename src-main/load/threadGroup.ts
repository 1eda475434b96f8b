import { AppError } from '../../src-shared/errors.ts';
import type { Job } from './job.ts';
import { LoadThread } from './loadThread.ts';
import type { FromThread, ThreadData, ThreadSnapshot } from './messages.ts';

/** After a stop, batches under way have this long to be acknowledged, so that rows stay counted. */
const graceMs = 2000;
/** After that their connections have this long to be given up before the threads are ended. */
const abortMs = 3000;

type State = 'opening' | 'open' | 'through' | 'gone';

/** All threads of a job: started together, asked together, stopped together; one that fails stops the others. */
export class ThreadGroup {
  readonly #threads: LoadThread[];
  readonly #states: State[];
  readonly #kind: Job['work']['kind'];
  readonly #take: (snapshot: ThreadSnapshot, thread: number) => void;
  readonly #ready = Promise.withResolvers<void>();
  readonly #through = Promise.withResolvers<void>();
  #awaited: { from: Set<number>; done: () => void } | null = null;
  #timers: NodeJS.Timeout[] = [];
  #stopping = false;
  /** What ended the job early; the first of several. */
  error: AppError | null = null;
  /** Of the whole job; null for a load and before the threads are ready. */
  queries: number | null = null;
  /** Of transactions: from the first connection's beginning to when all were open; each client's share at the end. */
  readonly connectingNs = { from: Number.POSITIVE_INFINITY, to: 0 };
  readonly clients: { count: number; seconds: number }[] = [];
  /** Of rows that are read: how far the load has come. */
  readonly reached: string[] = [];
  /** The first error that ended a client and not the job. */
  clientError: AppError | null = null;

  constructor(
    entry: URL,
    data: readonly ThreadData[],
    kind: Job['work']['kind'],
    take: (snapshot: ThreadSnapshot, thread: number) => void,
  ) {
    this.#kind = kind;
    this.#take = take;
    this.#states = data.map(() => 'opening');
    this.#threads = data.map(
      (own, index) =>
        new LoadThread(entry, own, {
          message: (message) => this.#message(index, message),
          gone: (error) => this.#gone(index, error),
        }),
    );
  }

  /** Resolves when all connections are open, or when that has failed (`error`). */
  get ready(): Promise<void> {
    return this.#ready.promise;
  }
  /** Resolves when no thread has work left, for whatever reason. */
  get through(): Promise<void> {
    return this.#through.promise;
  }

  go(startNs: number): void {
    this.#post({ type: 'go', startNs });
  }

  /** Resolves when each thread has sent a snapshot or has ended. One at a time. */
  snapshot(): Promise<void> {
    const from = new Set(this.#states.flatMap((state, index) => (state === 'open' ? [index] : [])));
    if (from.size === 0) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#awaited = { from, done: resolve };
    this.#post({ type: 'snapshot' });
    return promise;
  }

  /**
   * Ends the job with this error: nothing more begins. Batches and transactions under way are waited for a while; queries
   * are given up, since they may take minutes and nothing is lost with them; so are the steps of making tables.
   */
  stop(error: AppError): void {
    this.error ??= error;
    if (this.#stopping) return;
    this.#stopping = true;
    const opening = this.#states.includes('opening');
    const waits = this.#kind === 'load' || this.#kind === 'transactions';
    const grace = waits && !opening ? graceMs : 0;
    this.#post({ type: 'stop', now: grace === 0 });
    this.#timers = [
      setTimeout(() => this.#post({ type: 'stop', now: true }), grace),
      setTimeout(() => this.#threads.forEach((thread) => void thread.terminate()), grace + abortMs),
    ];
  }

  /** Waits until all connections are closed and all threads have exited. */
  async exited(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.exited()));
    for (const timer of this.#timers) clearTimeout(timer);
  }

  #post(message: Parameters<LoadThread['post']>[0]): void {
    this.#threads.forEach((thread, index) => {
      if (this.#states[index] === 'open' || this.#states[index] === 'opening') thread.post(message);
    });
  }

  #message(index: number, message: FromThread): void {
    if (message.type === 'ready') {
      this.#states[index] = 'open';
      this.queries = message.queries;
      const { from = Number.POSITIVE_INFINITY, to = 0 } = message.connectingNs ?? {};
      this.connectingNs.from = Math.min(this.connectingNs.from, from);
      this.connectingNs.to = Math.max(this.connectingNs.to, to);
      if (!this.#states.includes('opening')) this.#ready.resolve();
      return;
    }
    if (message.type !== 'failed') this.#take(message.snapshot, index);
    if (message.type === 'done') this.#done(message);
    if (message.type !== 'snapshot') this.#ended(index, 'through');
    this.#answered(index);
    if (message.type !== 'snapshot' && message.error !== null) this.stop(new AppError(message.error));
  }

  #done({ clients = [], reached = [], clientError }: Extract<FromThread, { type: 'done' }>): void {
    this.clients.push(...clients);
    this.reached.push(...reached);
    if (clientError) this.clientError ??= new AppError(clientError);
  }

  #gone(index: number, error: AppError | null): void {
    this.#ended(index, 'gone');
    this.#answered(index);
    if (error) this.stop(error);
  }

  #ended(index: number, state: 'through' | 'gone'): void {
    this.#states[index] = state;
    if (!this.#states.includes('opening')) this.#ready.resolve();
    if (this.#states.every((each) => each === 'through' || each === 'gone')) this.#through.resolve();
  }

  #answered(index: number): void {
    const awaited = this.#awaited;
    if (!awaited?.from.delete(index) || awaited.from.size > 0) return;
    this.#awaited = null;
    awaited.done();
  }
}
