import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { AppError, toAppError } from '../../src-shared/errors.ts';
import { type FromThread, fromThreadSchema, type ThreadData, type ToThread } from './messages.ts';

/** The entry as it lies beside this file: as source, or in the bundle, where all chunks lie flat. */
export const threadEntry = import.meta.url.endsWith('.ts')
  ? new URL('./thread.ts', import.meta.url)
  : new URL('./load-thread.js', import.meta.url);

// From source each thread has Node strip the types, by WebAssembly. Where two threads at once come to compile the calls that
// it makes back into JavaScript (after 1000 of them), V8 13.6 now and then frees one of the two twice and aborts the whole
// process, in ThreadIsolation::UnregisterWasmAllocation. So they are never compiled. In a bundle there is nothing to strip.
if (threadEntry.href.endsWith('.ts')) setFlagsFromString('--wasm-wrapper-tiering-budget=2147483647');

/** A thread that has closed its connections exits by itself; after this time it is ended. */
const exitMs = 5000;

export interface ThreadListener {
  message(message: FromThread): void;
  /** Once, when the thread is gone; with an error if it had not said that it was through. */
  gone(error: AppError | null): void;
}

/** The main thread's end of one worker thread. */
export class LoadThread {
  readonly #worker: Worker;
  readonly #gone: Promise<void>;

  constructor(entry: URL, data: ThreadData, listener: ThreadListener) {
    this.#worker = new Worker(entry, { workerData: data, execArgv: [], name: 'benchberry-load' });
    let cause: unknown = null;
    let through = false;
    this.#worker.on('message', (raw: unknown) => {
      const parsed = fromThreadSchema.safeParse(raw);
      if (!parsed.success) {
        cause ??= parsed.error;
        void this.#worker.terminate();
        return;
      }
      if (parsed.data.type === 'done' || parsed.data.type === 'failed') through = true;
      listener.message(parsed.data);
    });
    this.#worker.on('messageerror', (error) => {
      cause ??= error;
      void this.#worker.terminate();
    });
    this.#worker.on('error', (error) => {
      cause ??= error;
    });
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#gone = promise;
    this.#worker.on('exit', (code) => {
      listener.gone(through ? null : died(code, cause));
      resolve();
    });
  }

  post(message: ToThread): void {
    this.#worker.postMessage(message);
  }

  /** Ends the thread at once, whatever it does. */
  async terminate(): Promise<void> {
    await this.#worker.terminate();
  }

  /** Waits until the thread has closed its connections and exited; ends it if it takes too long. */
  async exited(): Promise<void> {
    const timer = setTimeout(() => void this.#worker.terminate(), exitMs);
    await this.#gone;
    clearTimeout(timer);
  }
}

function died(code: number, cause: unknown): AppError {
  return new AppError(
    {
      code: 'worker-died',
      message: 'A worker thread of the loader ended unexpectedly',
      detail: cause === null ? `exit code ${code}` : (toAppError(cause).detail ?? toAppError(cause).message),
      hint: 'What it had acknowledged since its last report, at most a second of its work, is missing from the figures.',
    },
    { cause },
  );
}
