import { AppError } from '../../../src-shared/errors.ts';
import type { Printed, PrintedLatency } from '../../../src-shared/model/printed.ts';
import {
  countOf,
  facts,
  figureOf,
  latencyOf,
  msToUs,
  operationOf,
  phaseOf,
  type ReadReport,
  told,
} from './report.ts';

const reportStart = /^[ \t]*(?:SQL|OLTP test) statistics:/m;

/** Whether a text looks like sysbench's report of a run of its OLTP tests. */
export const isSysbenchReport = (text: string) => reportStart.test(text);

/**
 * The run whose report a text has, sysbench 0.4 to 1.0. Of several reports (`--report-checkpoints`) the last one counts: the
 * others are of parts of the run.
 * @throws AppError `bad-input` where the report lacks its figures
 */
export function readSysbenchReport(text: string): ReadReport {
  const all = text.split(/\r\n|\r|\n/).map((line) => line.trim());
  const starts = all.flatMap((line, i) => (reportStart.test(line) ? [i] : []));
  const start = starts.at(-1);
  if (start === undefined) throw noReport('it has no line “SQL statistics”');
  const own = all.slice(start);
  const value = (words: string) => afterWords(own, words);
  const rate = (words: string) => /^(\S+)\s*\((\S+) per sec\.\)/.exec(value(words) ?? '');
  const transactions = rate('transactions');
  const tps = figureOf(transactions?.[2]);
  const done = countOf(transactions?.[1]);
  if (done === null && tps === null) throw noReport('it has no line “transactions: … (… per sec.)”');
  const threads =
    countOf(afterWords(all, 'Number of threads')) ?? countOf(/^threads: *(\d+)/.exec(all.join('\n'))?.[1]);
  const seconds = figureOf(value('total time')?.replace(/s$/, ''));
  // 1.0 counts what was begun again; 0.4 has a line for deadlocks only.
  const ignored = rate('ignored errors') ?? rate('deadlocks');
  const banner = /^sysbench v?(\d[\w.-]*)/.exec(all.find((line) => /^sysbench v?\d/.test(line)) ?? '');
  const { latencyUs, others } = latency(own);
  return {
    name: ['sysbench', threads === null ? null : `${threads} threads`].filter(Boolean).join(', '),
    engine: '',
    steps: [{ 'sysbench.run': told({ threads, rate: countOf(targetRate(all)) }) }],
    printed: {
      source: {
        title: 'Report of sysbench',
        date: null,
        url: null,
        program: banner ? `sysbench ${banner[1]}` : 'sysbench',
      },
      hardware: null,
      server: null,
      loader: null,
      phases: [
        phaseOf('sysbench.run', 'transactions', {
          workers: threads,
          seconds,
          operations: [operationOf('transactions', { count: done, perSecond: tps, seconds, latencyUs })],
          transactions: {
            tps,
            failed: null,
            retried: null,
            retries: countOf(ignored?.[1]),
            skipped: null,
            late: null,
          },
        }),
      ],
      series: seriesOf(all),
      facts: facts({
        Reads: value('read'),
        Writes: value('write'),
        'Other statements': value('other'),
        Queries: value('queries'),
        ...others,
        'Fairness of events': value('events (avg/stddev)'),
        'Fairness of execution time': value('execution time (avg/stddev)'),
      }),
      missing: [
        'The database, its machine and settings',
        'Which script ran, on how many tables of what size',
        'When it was run',
      ],
    },
  };
}

function afterWords(lines: readonly string[], words: string): string | undefined {
  return lines
    .find((line) => line.startsWith(`${words}:`))
    ?.slice(words.length + 1)
    .trim();
}

const targetRate = (lines: readonly string[]) =>
  /^(\d+)/.exec(afterWords(lines, 'Target transaction rate') ?? '')?.[1];

/** Percentiles that have a place of their own; another one is told as a fact. */
const percentiles: Readonly<Record<string, keyof PrintedLatency>> = {
  50: 'p50',
  90: 'p90',
  95: 'p95',
  99: 'p99',
};

function latency(lines: readonly string[]): {
  latencyUs: PrintedLatency | null;
  others: Record<string, string>;
} {
  const us = (text: string | undefined) => msToUs(figureOf(text?.replace(/ms$/, '')));
  const from = lines.findIndex((line) => /^(?:Latency \(ms\)|per-request statistics)/.test(line));
  const own = from < 0 ? [] : lines.slice(from);
  const found: Partial<PrintedLatency> = {
    min: us(afterWords(own, 'min')),
    mean: us(afterWords(own, 'avg')),
    max: us(afterWords(own, 'max')),
  };
  const others: Record<string, string> = {};
  for (const line of own) {
    const nth = /^(?:approx\.\s*)?(\d{1,3})(?:st|nd|rd|th)? ?percentile: *(\S+)/.exec(line);
    if (!nth) continue;
    const name = percentiles[nth[1] ?? ''];
    if (name) found[name] = us(nth[2]);
    else others[`${nth[1]}th percentile of the latency`] = `${nth[2]?.replace(/ms$/, '')} ms`;
  }
  return { latencyUs: latencyOf(found), others };
}

const intervalLine = /^\[ *(\d+)s ?\] (?:thds|threads): \d+,? tps: ([\d.]+).*?lat \(ms,(\d+)%\): ([\d.]+)/;

function seriesOf(lines: readonly string[]): Printed['series'] {
  const found = lines.flatMap((line) => {
    const match = intervalLine.exec(line);
    const at = figureOf(match?.[1]);
    return at === null
      ? []
      : [{ at, tps: figureOf(match?.[2]), percentile: match?.[3], ms: figureOf(match?.[4]) }];
  });
  const series = (label: string, unit: string, read: (point: (typeof found)[number]) => number | null) => ({
    phase: 'sysbench.run',
    label,
    unit,
    points: found.flatMap((point): [number, number][] => {
      const value = read(point);
      return value === null ? [] : [[point.at, value]];
    }),
  });
  const percentile = found[0]?.percentile ?? '0';
  return [
    series('Transactions', 'TPS', ({ tps }) => tps),
    ...(percentile === '0' ? [] : [series(`Latency, p${percentile}`, 'ms', ({ ms }) => ms)]),
  ].filter((one) => one.points.length > 1);
}

function noReport(why: string): AppError {
  return new AppError({
    code: 'bad-input',
    message: `This is no report of sysbench: ${why}`,
    hint: 'Paste what sysbench prints, from its first line to its last.',
  });
}
