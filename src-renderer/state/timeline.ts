import { type Tick, type TickOperation, tickKind } from '../../src-shared/model/tick.ts';
import { gapMs, perSecond, shortestMs } from '../../src-shared/stats/rates.ts';
import type { Series } from '../../src-shared/stats/series.ts';
import { type Column, createColumn } from './column.ts';

/** Ticks that are kept for the charts: 14 hours of seconds. Older ones stay in the store and in the totals. */
const timelineCapacity = 50_000;

const groups = {
  /** Loads. Rates per second: of the interval, and of the phase so far. */
  load: ['rows', 'rowsOverall', 'metrics', 'metricsOverall'],
  /** Query phases, all types together. */
  queries: ['queries', 'queriesOverall'],
  /** Transactions, all scripts together. */
  transactions: ['tps', 'tpsOverall'],
  /** Rows of tables that are being made. */
  making: ['made', 'madeOverall'],
  /** µs; one point per operation of a tick, since percentiles of two histograms cannot be joined. */
  latency: ['p50', 'p95', 'p99', 'max', 'serviceP99'],
  /** Operations in the interval; `waiting` at its end. */
  trouble: ['errors', 'late', 'waiting', 'retries', 'skipped', 'aboveLimit'],
  /** Percent of one core; `loopDelay` in ms. */
  client: ['busiest', 'cpu', 'loopDelay'],
} as const;
export type Group = keyof typeof groups;
export type ColumnName<G extends Group> = (typeof groups)[G][number];
/** A mean over time has a meaning for these only. */
const weighted: ReadonlySet<string> = new Set([
  'rows',
  'metrics',
  'queries',
  'tps',
  'made',
  'busiest',
  'cpu',
]);

interface Block {
  x: Column;
  weight: Column;
  values: Map<string, Column>;
  /** End of the last interval and whose it was: a jump in either breaks the lines. */
  end: number;
  owner: string;
}

const rateGroups = {
  load: 'load',
  queries: 'queries',
  transactions: 'transactions',
  initialize: 'making',
} as const;

interface OpenInterval {
  group: (typeof rateGroups)[keyof typeof rateGroups];
  phase: number;
  from: number;
  to: number;
  rows: number;
  metrics: number;
  operations: number;
}

/** A run's ticks as columns, outside React: appended to once a second, read by charts a few times a second at most. */
export interface Timeline {
  append(tick: Tick): void;
  series<G extends Group>(group: G, name: ColumnName<G>): Series;
  /** Whether anything was recorded there. */
  has(group: Group): boolean;
  /** Whether an open-loop rate made service time differ from latency. */
  readonly paced: boolean;
  /** What transactions met with so far. */
  readonly seen: Readonly<Record<'retries' | 'skipped' | 'aboveLimit', boolean>>;
  readonly last: Tick | null;
  /** End of the last tick, ms. */
  readonly endMs: number;
  /** Per second, of the phase that the last tick belongs to: in its last interval, and so far; NaN before. */
  readonly now: { rows: number; operations: number };
  readonly overall: { rows: number; operations: number };
  /** Failed operations of the whole run. */
  readonly errors: number;
  /** Busiest worker's event-loop utilisation, 0 to 1, over all measured time; NaN before. */
  readonly meanBusiest: number;
}

export function createTimeline(capacity = timelineCapacity): Timeline {
  const blocks = new Map<Group, Block>();
  let last: Tick | null = null;
  let paced = false;
  let errors = 0;
  const seen = { retries: false, skipped: false, aboveLimit: false };
  let busyMs = 0;
  let measuredMs = 0;
  /** The newest interval of a rate, which a short rest still joins. */
  let open: OpenInterval = { group: 'load', phase: -1, from: 0, to: 0, rows: 0, metrics: 0, operations: 0 };
  let sums = { phase: -1, ms: 0, rows: 0, metrics: 0, operations: 0 };

  function push(group: Group, owner: string, from: number, to: number, values: readonly number[]): void {
    const block = blocks.get(group) ?? newBlock(group, capacity);
    blocks.set(group, block);
    const names = groups[group];
    if (block.end > 0 && (from - block.end > gapMs || owner !== block.owner)) {
      // Just behind the last point: a break takes no time of its own.
      write(block, names, block.end, 0, []);
    }
    write(block, names, to, to - from, values);
    block.end = to;
    block.owner = owner;
  }

  function pushRates(now: OpenInterval): void {
    const joins = open.group === now.group && open.phase === now.phase && now.from - open.to <= gapMs;
    if (joins && now.to - now.from < shortestMs) {
      now.from = open.from;
      now.rows += open.rows;
      now.metrics += open.metrics;
      now.operations += open.operations;
      const block = blocks.get(now.group);
      if (block) for (const column of [block.x, block.weight, ...block.values.values()]) column.pop();
    }
    open = now;
    const rate = (sum: number) => perSecond(sum, now.to - now.from);
    const overall = (sum: number) => perSecond(sum, sums.ms);
    push(now.group, String(now.phase), now.from, now.to, ratesOf(now.group));

    function ratesOf(group: OpenInterval['group']): number[] {
      const rows = [rate(now.rows), overall(sums.rows)];
      if (group === 'load') return [...rows, rate(now.metrics), overall(sums.metrics)];
      return group === 'making' ? rows : [rate(now.operations), overall(sums.operations)];
    }
  }

  function append(tick: Tick): void {
    const { operations, client, intervalMs, phase, atMs } = tick;
    const from = atMs - intervalMs;
    if (sums.phase !== phase) sums = { phase, ms: 0, rows: 0, metrics: 0, operations: 0 };
    const total = (read: (operation: TickOperation) => number) =>
      operations.reduce((sum, o) => sum + read(o), 0);
    const rows = total((o) => o.rows);
    const metrics = total((o) => o.metrics);
    const count = total((o) => o.count);
    sums.ms += intervalMs;
    sums.rows += rows;
    sums.metrics += metrics;
    sums.operations += count;
    errors += total((o) => o.errors);
    busyMs += client.busiest * intervalMs;
    measuredMs += intervalMs;
    const owner = String(phase);
    const group = rateGroups[tickKind(tick)];
    if (operations.length > 0) pushRates({ group, phase, from, to: atMs, rows, metrics, operations: count });
    operations.forEach((o, i) => {
      const width = intervalMs / operations.length;
      const { latencyUs: l, serviceUs: s } = o;
      if (s) paced = true;
      // How long a step of making tables took is no latency.
      if (!l || tick.making) return;
      const start = from + i * width;
      push('latency', `${phase} ${o.name}`, start, start + width, [
        l.p50,
        l.p95,
        l.p99,
        l.max,
        s ? s.p99 : Number.NaN,
      ]);
    });
    push('trouble', owner, from, atMs, [
      total((o) => o.errors),
      total((o) => o.late),
      total((o) => o.backlog),
      tick.transactions?.retries ?? Number.NaN,
      tick.transactions?.skipped ?? Number.NaN,
      tick.transactions?.late ?? Number.NaN,
    ]);
    if (tick.transactions) {
      const { retries, skipped, late } = tick.transactions;
      seen.retries ||= retries > 0;
      seen.skipped ||= skipped > 0;
      seen.aboveLimit ||= late > 0;
    }
    push('client', owner, from, atMs, [client.busiest * 100, client.cpuCores * 100, client.loopDelayMs]);
    last = tick;
  }

  return {
    append,
    series(group, name) {
      const block = blocks.get(group);
      const column = block?.values.get(name);
      if (!block || !column) return { x: [], y: [] };
      const series = { x: block.x.view(), y: column.view() };
      return weighted.has(name) ? { ...series, weight: block.weight.view() } : series;
    },
    has: (group) => blocks.has(group),
    get paced() {
      return paced;
    },
    seen,
    get last() {
      return last;
    },
    get endMs() {
      return last?.atMs ?? 0;
    },
    get errors() {
      return errors;
    },
    get meanBusiest() {
      return measuredMs > 0 ? busyMs / measuredMs : Number.NaN;
    },
    get now() {
      const ms = open.to - open.from;
      return { rows: perSecond(open.rows, ms), operations: perSecond(open.operations, ms) };
    },
    get overall() {
      return { rows: perSecond(sums.rows, sums.ms), operations: perSecond(sums.operations, sums.ms) };
    },
  };
}

function newBlock(group: Group, capacity: number): Block {
  return {
    x: createColumn(capacity),
    weight: createColumn(capacity),
    values: new Map(groups[group].map((name) => [name, createColumn(capacity)])),
    end: 0,
    owner: '',
  };
}

/** Values in the order of the group's names; a missing one is a gap. */
function write(
  block: Block,
  names: readonly string[],
  x: number,
  weight: number,
  values: readonly number[],
): void {
  block.x.push(x);
  block.weight.push(weight);
  names.forEach((name, i) => void block.values.get(name)?.push(values[i] ?? Number.NaN));
}
