/**
 * Lets the clients of a thread begin together, once all answers that have come in are read, as pgbench's loop does. One
 * turn of the event loop reads every socket that has something (poll) and then lets those begin that wait here (check), so
 * that reading an answer never waits for another client's sending.
 */
export class Turns {
  #waiting: (() => void)[] = [];
  readonly #run = (): void => {
    const begun = this.#waiting;
    this.#waiting = [];
    for (const begin of begun) begin();
  };

  /** Resolves in the next turn. */
  next(): Promise<void> {
    if (this.#waiting.length === 0) setImmediate(this.#run);
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }
}
