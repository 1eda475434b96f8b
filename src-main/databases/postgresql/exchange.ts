import { type ReplyTaker, readRow } from './replies.ts';

/** What one exchange brought. */
export interface Exchange {
  rows: number;
  /** Bytes received, message headers included. */
  bytes: number;
  /** Command tags in order, e.g. `COPY 10000`. */
  tags: string[];
  values: (string | null)[][];
}

/** Rows counted or collected, and tags, over all statements of an exchange. */
export class ExchangeTaker implements ReplyTaker {
  collects = false;
  rows = 0;
  tags: string[] = [];
  values: (string | null)[][] = [];

  start(collect: boolean): void {
    this.collects = collect;
    this.rows = 0;
    this.tags = [];
    this.values = [];
  }

  row(body: Buffer | null): void {
    this.rows += 1;
    if (body !== null) this.values.push(readRow(body));
  }
  completed(data: Buffer, from: number, to: number): void {
    if (to > from) this.tags.push(data.toString('utf8', from, to));
  }
}
