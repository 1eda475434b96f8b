import { memoryUsage } from 'node:process';
import type { TickOperation } from '../../src-shared/model/tick.ts';
import { nsPerMs, nsPerSecond } from './clock.ts';
import { Distribution } from './distribution.ts';
import type { Figures, Job, OperationTotal, Snapshot } from './job.ts';
import { operationNames } from './job.ts';
import type { OperationDelta, ThreadSnapshot } from './messages.ts';
import { TransactionsMerger } from './transactionsMerger.ts';

type Counts = Figures & {
  latency: Distribution;
  service: Distribution | null;
  firstRow: Distribution | null;
};

/**
 * Merges what the threads report: into the current interval, and at the interval's end into the totals, which so are the
 * sum of the intervals, exactly.
 */
export class Merger {
  readonly #operations: { name: string; interval: Counts; total: Counts }[];
  /** Only of transactions. */
  readonly transactions: TransactionsMerger | null;
  readonly #making: boolean;
  /** The first queries are not counted. */
  readonly #burnIn: boolean;
  /** Start of the first that is. */
  #firstNs: number | null = null;
  readonly #startNs: number;
  #intervalStartNs: number;
  #intervalEndNs: number;
  #reported = false;
  #busiest = 0;
  #loopDelayMs = 0;
  #cpu = process.cpuUsage();
  #cpuAtNs: number;

  /** @param startNs start of the measured time */
  constructor(work: Job['work'], startNs: number) {
    this.#making = work.kind === 'initialize';
    this.#burnIn = work.kind === 'queries' && work.burnIn > 0;
    this.#startNs = startNs;
    const paced = work.kind === 'queries' || work.kind === 'transactions';
    const open = paced && work.ratePerSecond > 0;
    const firstRow = work.kind === 'queries' && work.firstRow === true;
    this.transactions =
      work.kind === 'transactions' ? new TransactionsMerger(work.scripts.length, work.statements) : null;
    this.#operations = operationNames(work).map((name) => ({
      name,
      interval: empty(open, firstRow),
      total: empty(open, firstRow),
    }));
    this.#intervalStartNs = startNs;
    this.#intervalEndNs = startNs;
    this.#cpuAtNs = startNs;
  }

  /** End of the newest report, on the clock of `nowNs`. */
  get endNs(): number {
    return this.#intervalEndNs;
  }

  add(snapshot: ThreadSnapshot, thread = 0): void {
    this.#reported = true;
    if (snapshot.transactions) this.transactions?.add(thread, snapshot.transactions);
    this.#operations.forEach(({ interval }, index) => {
      const delta = snapshot.operations[index];
      if (delta) addDelta(interval, delta);
    });
    this.#intervalEndNs = Math.max(this.#intervalEndNs, snapshot.endNs);
    if (snapshot.firstNs !== null)
      this.#firstNs = Math.min(this.#firstNs ?? Number.POSITIVE_INFINITY, snapshot.firstNs);
    this.#busiest = Math.max(this.#busiest, snapshot.busy);
    this.#loopDelayMs = Math.max(this.#loopDelayMs, snapshot.loopDelayMs);
  }

  /**
   * Ends the interval. null where nothing was reported in it. A burn-in makes no intervals: the first one begins with the
   * first query that is counted.
   * @param nowNs for the process's CPU, which cannot be read for an earlier moment
   * @param due queries due at a time
   */
  close(nowNs: number, due: (atNs: number) => number): Snapshot | null {
    if (!this.#reported) return null;
    if (this.#burnIn && this.#firstNs === null) {
      for (const { interval, total } of this.#operations) addCounts(total, interval);
      this.#begin(nowNs);
      return null;
    }
    this.#intervalStartNs = Math.max(this.#intervalStartNs, this.#countedNs);
    // A thread's last report can be older than the newest of the interval before and yet come in after it was closed.
    if (this.#intervalEndNs <= this.#intervalStartNs)
      this.#intervalEndNs = Math.max(nowNs, this.#intervalStartNs + 1000);
    const lengthNs = this.#intervalEndNs - this.#intervalStartNs;
    const dueNow = due(this.#intervalEndNs);
    const cpu = process.cpuUsage(this.#cpu);
    const snapshot: Snapshot = {
      endNs: this.#intervalEndNs,
      intervalMs: lengthNs / nsPerMs,
      operations: [],
      ...(this.#making && { making: true }),
      client: {
        busiest: this.#busiest,
        cpuCores: ((cpu.user + cpu.system) * 1000) / Math.max(1, nowNs - this.#cpuAtNs),
        loopDelayMs: this.#loopDelayMs,
        rssBytes: memoryUsage.rss(),
      },
      histograms: [],
    };
    this.#operations.forEach(({ name, interval, total }, index) => {
      addCounts(total, interval);
      if (index === 0) {
        const backlog = this.transactions?.waiting ?? Math.max(0, dueNow - total.started);
        snapshot.operations.push(tickOperation(name, interval, backlog));
        if (this.transactions) snapshot.transactions = this.transactions.close(interval.latency);
        snapshot.histograms.push({
          operation: name,
          latency: text(interval.latency),
          service: text(interval.service),
        });
      }
    });
    this.#begin(nowNs);
    return snapshot;
  }

  /** The next interval. */
  #begin(nowNs: number): void {
    for (const { interval } of this.#operations) clear(interval);
    this.#reported = false;
    this.#intervalStartNs = this.#intervalEndNs;
    this.#busiest = 0;
    this.#loopDelayMs = 0;
    this.#cpu = process.cpuUsage();
    this.#cpuAtNs = nowNs;
  }

  /** From when on is counted. */
  get #countedNs(): number {
    return this.#burnIn ? (this.#firstNs ?? this.#intervalEndNs) : this.#startNs;
  }

  /** All closed intervals together. */
  totals(due: number): OperationTotal[] {
    const seconds = Math.max(0, this.#intervalEndNs - this.#countedNs) / nsPerSecond;
    return this.#operations.map(({ name, total }, index) => ({
      ...total,
      name,
      seconds,
      dropped: index === 0 ? (this.transactions?.waiting ?? Math.max(0, due - total.started)) : 0,
    }));
  }
}

function empty(open: boolean, withFirstRow: boolean): Counts {
  const service = open ? new Distribution() : null;
  const firstRow = withFirstRow ? new Distribution() : null;
  return { ...zero(), latency: new Distribution(), service, firstRow };
}
function zero(): Figures {
  return { count: 0, errors: 0, late: 0, started: 0, rows: 0, metrics: 0, bytes: 0 };
}

function addFigures(to: Figures, from: Figures): void {
  to.count += from.count;
  to.errors += from.errors;
  to.late += from.late;
  to.started += from.started;
  to.rows += from.rows;
  to.metrics += from.metrics;
  to.bytes += from.bytes;
}
function addCounts(to: Counts, from: Counts): void {
  addFigures(to, from);
  if (from.latency.count > 0) to.latency.add(from.latency);
  if (from.service && from.service.count > 0) to.service?.add(from.service);
  if (from.firstRow && from.firstRow.count > 0) to.firstRow?.add(from.firstRow);
}
function addDelta(to: Counts, from: OperationDelta): void {
  addFigures(to, from);
  if (from.latency) to.latency.add(Distribution.decode(from.latency.histogram, from.latency.sumUs));
  if (from.service) to.service?.add(Distribution.decode(from.service.histogram, from.service.sumUs));
  if (from.firstRow) to.firstRow?.add(Distribution.decode(from.firstRow.histogram, from.firstRow.sumUs));
}
function clear(counts: Counts): void {
  Object.assign(counts, zero());
  counts.latency.reset();
  counts.service?.reset();
  counts.firstRow?.reset();
}

function text(distribution: Distribution | null): string | null {
  return distribution && distribution.count > 0 ? distribution.encode() : null;
}

function tickOperation(name: string, counts: Counts, backlog: number): TickOperation {
  const { count, errors, late, rows, metrics, bytes } = counts;
  const latencyUs = counts.latency.summarize();
  const serviceUs = counts.service?.summarize() ?? null;
  return { name, count, errors, late, backlog, rows, metrics, bytes, latencyUs, serviceUs };
}
