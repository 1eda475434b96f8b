import { AppError } from '../../../src-shared/errors.ts';
import type { PrintedOperation } from '../../../src-shared/model/printed.ts';
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

/** Whether a text looks like pgbench's report of a run. */
export const isPgbenchReport = (text: string) => /^[ \t]*transaction type[=:]/m.test(text);

/** One report among the lines: what stood before it, its own lines, and those of each script. */
interface Lines {
  banner: string | null;
  progress: string[];
  own: string[];
  scripts: { name: string; lines: string[] }[];
}

/**
 * The runs whose reports a text has, pgbench 9.5 to 18; lines that are not known are passed over.
 * @throws AppError `bad-input` where a report lacks its figures
 */
export function readPgbenchReports(text: string): ReadReport[] {
  const reports = splitReports(text.split(/\r\n|\r|\n/));
  if (reports.length === 0) throw noReport('it has no line “transaction type”');
  return reports.map(readReport);
}

function splitReports(lines: readonly string[]): Lines[] {
  const reports: Lines[] = [];
  let banner: string | null = null;
  let progress: string[] = [];
  let current: Lines | null = null;
  for (const raw of lines) {
    const line = raw.trim();
    if (/^pgbench \(/.test(line)) {
      banner = line;
      current = null;
    } else if (/^progress: /.test(line)) {
      progress.push(line);
      current = null;
    } else if (/^transaction type *[=:]/.test(line)) {
      current = { banner, progress, own: [line], scripts: [] };
      reports.push(current);
      progress = [];
    } else if (current) {
      const script = /^SQL script \d+: (.*)$/.exec(line);
      if (script) current.scripts.push({ name: script[1] ?? '', lines: [] });
      else (current.scripts.at(-1)?.lines ?? current.own).push(line.replace(/^- /, ''));
    }
  }
  return reports;
}

/** What stands after the first `=` or `:` of the line that begins with these words. */
function afterWords(lines: readonly string[], words: string): string | undefined {
  for (const line of lines) {
    if (!line.startsWith(words)) continue;
    const value = /^\s*[=:]\s*(.*)$/.exec(line.slice(words.length));
    if (value) return value[1];
  }
  return undefined;
}
const firstWord = (text: string | undefined) => text?.split(/[\s/]/)[0];

function readReport({ banner, progress, own, scripts }: Lines): ReadReport {
  const value = (words: string) => afterWords(own, words);
  const count = (words: string) => countOf(firstWord(value(words)));
  const processed = count('number of transactions actually processed');
  const rates = ratesOf(own);
  if (processed === null && rates.own === null)
    throw noReport('neither a rate (“tps = …”) nor a number of transactions follows “transaction type”');
  const script = value('transaction type') ?? '';
  const clients = count('number of clients');
  const duration = figureOf(/^([\d.]+) s$/.exec(value('duration') ?? '')?.[1]);
  const latencyUs = latencyOf({
    mean: msToUs(figureOf(firstWord(value('latency average')))),
    stddev: msToUs(figureOf(firstWord(value('latency stddev')))),
  });
  const failed = count('number of failed transactions');
  const version = /^pgbench \(([^\s,)]+)/.exec(banner ?? '')?.[1];
  const server = /, server ([^\s)]+)/.exec(banner ?? '')?.[1];
  const steps = {
    clients: clients,
    jobs: count('number of threads'),
    seconds: duration,
    transactions: count('number of transactions per client'),
    protocol: value('query mode') ?? null,
    maxTries: count('maximum number of tries'),
  };
  const all = operationOf('transactions', {
    count: processed,
    errors: failed,
    perSecond: rates.own,
    seconds: duration,
    latencyUs,
  });
  const limit = own.flatMap((line) => {
    const found = /^number of transactions above the ([\d.]+) ms latency limit *[=:] *(\d+)/.exec(line);
    return found ? [{ ms: found[1], count: countOf(found[2]) }] : [];
  })[0];
  return {
    name: ['pgbench', script, clients === null ? null : `${clients} clients`].filter(Boolean).join(', '),
    engine: 'postgresql',
    steps: [{ 'pgbench.run': told(steps) }],
    printed: {
      source: {
        title: 'Report of pgbench',
        date: null,
        url: null,
        program: version ? `pgbench ${version}` : 'pgbench',
      },
      hardware: null,
      server: server ? `PostgreSQL ${server}` : null,
      loader: null,
      phases: [
        phaseOf('pgbench.run', 'transactions', {
          workers: clients,
          seconds: duration,
          operations: [all, ...scripts.map(readScript)],
          transactions: {
            tps: rates.own,
            failed,
            retried: count('number of transactions retried'),
            retries: count('total number of retries'),
            skipped: count('number of transactions skipped'),
            late: limit?.count ?? null,
          },
        }),
      ],
      series: seriesOf(progress),
      facts: facts({
        Script: script,
        'Scaling factor': value('scaling factor'),
        'Query mode': value('query mode'),
        'TPS with connecting counted': rates.including === null ? null : String(rates.including),
        'Initial connection time': value('initial connection time'),
        'Average connection time': value('average connection time'),
        TPS: own.some((line) => /^tps.*\(including reconnection times\)/.test(line))
          ? 'connecting anew for each transaction is counted'
          : null,
        'Schedule lag': value('rate limit schedule lag'),
        'Latency limit': limit?.ms && `${limit.ms} ms`,
        'Latency average':
          latencyUs?.mean != null && latencyUs.stddev === null
            ? 'not measured: made by pgbench of time, clients and transactions'
            : null,
      }),
      missing: ['The machine, the server and its settings', 'When it was run', 'Percentiles of the latency'],
    },
  };
}

/** Up to version 13 there are two rates; the one without connecting is what 14 and later print. */
function ratesOf(lines: readonly string[]): { own: number | null; including: number | null } {
  const found = lines.flatMap((line) => {
    const match = /^tps *[=:] *([\d.]+)(?: \((.*)\))?/.exec(line);
    return match ? [{ rate: figureOf(match[1]), how: match[2] ?? '' }] : [];
  });
  const including = found.find(({ how }) => how.startsWith('including connections'))?.rate ?? null;
  const own = found.find(({ how }) => !how.startsWith('including connections'))?.rate ?? null;
  return own === null ? { own: including, including: null } : { own, including };
}

function readScript({ name, lines }: Lines['scripts'][number]): PrintedOperation {
  const processed = lines.flatMap((line) => {
    const match = /^(\d+) transactions \(.*tps = ([\d.]+)\)/.exec(line);
    return match ? [{ count: countOf(match[1]), tps: figureOf(match[2]) }] : [];
  })[0];
  return operationOf(name, {
    count: processed?.count ?? null,
    errors: countOf(firstWord(afterWords(lines, 'number of failed transactions'))),
    perSecond: processed?.tps ?? null,
    latencyUs: latencyOf({
      mean: msToUs(figureOf(firstWord(afterWords(lines, 'latency average')))),
      stddev: msToUs(figureOf(firstWord(afterWords(lines, 'latency stddev')))),
    }),
  });
}

const progressLine = /^progress: ([\d.]+) s, ([\d.]+) tps, lat (\S+) ms stddev (\S+?)(?:,|$)/;

/**
 * The lines of progress as series. With `--progress-timestamp` their times are of the clock: they count from one interval
 * before the first, which is when the run began. Of a single line that is not known.
 */
function seriesOf(lines: readonly string[]): ReadReport['printed']['series'] {
  const points = lines.flatMap((line) => {
    const match = progressLine.exec(line);
    const at = figureOf(match?.[1]);
    return at === null ? [] : [{ at, tps: figureOf(match?.[2]), ms: figureOf(match?.[3]) }];
  });
  const [first = 0, second = first] = points.map(({ at }) => at);
  // To the millisecond, as they are printed.
  const sinceStart = (at: number) =>
    first > 1e8 ? Math.round((at - first + second - first) * 1000) / 1000 : at;
  const series = (label: string, unit: string, read: (point: (typeof points)[number]) => number | null) => ({
    phase: 'pgbench.run',
    label,
    unit,
    points: points.flatMap((point): [number, number][] => {
      const value = read(point);
      const at = sinceStart(point.at);
      return value === null || at < 0 ? [] : [[at, value]];
    }),
  });
  return [
    series('Transactions', 'TPS', ({ tps }) => tps),
    series('Latency, mean', 'ms', ({ ms }) => ms),
  ].filter((one) => one.points.length > 1);
}

function noReport(why: string): AppError {
  return new AppError({
    code: 'bad-input',
    message: `This is no report of pgbench: ${why}`,
    hint: 'Paste what pgbench prints, from its first line to the line with tps.',
  });
}
