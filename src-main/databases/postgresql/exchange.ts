import { performance } from 'node:perf_hooks';
import { type ReplyTaker, readRow } from './replies.ts';

/** What one exchange brought. */
export interface Exchange {
  rows: number;
  /** Bytes received, message headers included. */
  bytes: number;
  /** Command tags in order, e.g. `COPY 10000`. */
  tags: string[];
  values: (string | null)[][];
  /** When the first row came, by `performance.now()`; null without one. */
  firstRowAt: number | null;
}

/** Rows counted or collected, and tags, over all statements of an exchange. */
export class ExchangeTaker implements ReplyTaker {
  collects = false;
  rows = 0;
  /** When the first row came, by `performance.now()`; null before. */
  firstRowAt: number | null = null;
  tags: string[] = [];
  values: (string | null)[][] = [];

  start(collect: boolean): void {
    this.collects = collect;
    this.rows = 0;
    this.firstRowAt = null;
    this.tags = [];
    this.values = [];
  }

  row(body: Buffer | null): void {
    if (this.rows === 0) this.firstRowAt = performance.now();
    this.rows += 1;
    if (body !== null) this.values.push(readRow(body));
  }
  completed(data: Buffer, from: number, to: number): void {
    if (to > from) this.tags.push(data.toString('utf8', from, to));
  }
}
