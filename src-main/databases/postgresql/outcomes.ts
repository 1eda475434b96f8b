import type { SqlError, SqlOutcome, SqlResult } from '../sqlClient.ts';
import type { ServerErrorFields } from './errors.ts';
import { type ReplyTaker, readColumns, readRow } from './replies.ts';

type Command = SqlOutcome['command'];

/** See `SqlOutcome`; used again. */
class Outcome implements SqlOutcome {
  error: SqlError | null = null;
  skipped = false;
  command: Command = 'other';
  rows = 0;
  affected = 0;
  results: (SqlResult & { rows: (string | null)[][] })[] = [];
  /** The statement under way gives rows. */
  gives = false;
  /** Statements done. */
  done = 0;

  clear(): void {
    this.error = null;
    this.skipped = false;
    this.command = 'other';
    this.rows = 0;
    this.affected = 0;
    if (this.results.length > 0) this.results = [];
    this.gives = false;
    this.done = 0;
  }
}

const noBlock = 'I'.charCodeAt(0);
const openBlock = 'T'.charCodeAt(0);

/**
 * Fills outcomes from what the server answers: one for a call, or one for each execution of a pipeline. In a pipeline
 * the server answers nothing to what follows an error up to the next Sync.
 */
export class OutcomeTaker implements ReplyTaker {
  collects = false;
  block: 'none' | 'open' | 'failed' = 'none';
  /** Told of each statement that was parsed, in the order of the messages. */
  onParsed: (() => void) | null = null;
  readonly #outcomes: Outcome[] = [new Outcome()];
  /** For each Sync of a pipeline: how many executions were sent up to it; empty outside of one. */
  readonly #sections: number[] = [];
  #executions = 0;
  #at = 0;
  #section = 0;

  /** The outcome of a call that is no pipeline. */
  start(collect: boolean): SqlOutcome {
    this.collects = collect;
    this.#sections.length = 0;
    this.#section = 0;
    this.#at = 0;
    const outcome = this.#outcome(0);
    outcome.clear();
    return outcome;
  }

  startPipeline(): void {
    this.start(false);
    this.#executions = 0;
  }
  executing(): void {
    this.#outcome(this.#executions).clear();
    this.#executions += 1;
  }
  syncing(): void {
    this.#sections.push(this.#executions);
  }
  /** Syncs sent in this pipeline. */
  get syncs(): number {
    return this.#sections.length;
  }
  pipeline(): readonly SqlOutcome[] {
    return this.#outcomes.slice(0, this.#executions);
  }

  described(body: Buffer | null): void {
    const outcome = this.#outcome(this.#at);
    outcome.gives = true;
    if (body !== null) outcome.results.push({ columns: readColumns(body), rows: [] });
  }

  row(body: Buffer | null): void {
    const outcome = this.#outcome(this.#at);
    outcome.rows += 1;
    if (body !== null) outcome.results.at(-1)?.rows.push(readRow(body));
  }

  completed(data: Buffer, from: number, to: number): void {
    const outcome = this.#outcome(this.#at);
    outcome.command = outcome.gives ? 'select' : commandOf(data, from, to);
    outcome.affected = outcome.gives ? 0 : trailingNumber(data, from, to);
    outcome.gives = false;
    outcome.done += 1;
    if (this.#sections.length > 0) this.#at += 1;
  }

  parsed(): void {
    this.onParsed?.();
  }

  failed(error: ServerErrorFields): void {
    const outcome = this.#outcome(this.#at);
    outcome.error ??= {
      state: error.code ?? '',
      message: error.message,
      detail: error.detail ?? null,
      hint: error.hint ?? null,
      position: outcome.done,
    };
    if (this.#sections.length === 0) return;
    const end = this.#sections[this.#section] ?? this.#executions;
    for (let i = this.#at + 1; i < end; i += 1) this.#outcome(i).skipped = true;
  }

  ready(status: number): void {
    this.block = status === noBlock ? 'none' : status === openBlock ? 'open' : 'failed';
    const end = this.#sections[this.#section];
    if (end === undefined) return;
    this.#at = end;
    this.#section += 1;
  }

  #outcome(index: number): Outcome {
    let outcome = this.#outcomes[index];
    if (outcome === undefined) {
      outcome = new Outcome();
      this.#outcomes[index] = outcome;
    }
    return outcome;
  }
}

const code = (text: string) => (text.charCodeAt(0) << 16) | (text.charCodeAt(1) << 8) | text.charCodeAt(2);
const insert = code('INS');
const update = code('UPD');
const remove = code('DEL');

function commandOf(data: Buffer, from: number, to: number): Command {
  if (to - from < 3) return 'other';
  switch (data.readUIntBE(from, 3)) {
    case insert:
      return 'insert';
    case update:
      return 'update';
    case remove:
      return 'delete';
    default:
      return 'other';
  }
}

/** `UPDATE 3` is 3, `INSERT 0 12` is 12, `BEGIN` is 0. */
function trailingNumber(data: Buffer, from: number, to: number): number {
  let value = 0;
  let unit = 1;
  for (let at = to - 1; at >= from; at -= 1) {
    const digit = (data[at] ?? 0) - 48;
    if (digit < 0 || digit > 9) break;
    value += digit * unit;
    unit *= 10;
  }
  return value;
}
