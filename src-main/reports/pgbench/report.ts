import type { Latency } from '../../../src-shared/model/latency.ts';
import type { Operation, Phase } from '../../../src-shared/model/run.ts';
import type { StatementFigures, TransactionFigures } from '../../../src-shared/model/transactions.ts';
import { goFixed } from '../goFormat.ts';

/** What of a run its report depends on. */
export interface ReportOptions {
  clients: number;
  protocol: string;
  seconds?: number | undefined;
  transactions?: number | undefined;
  progress: number;
  rate: number;
  latencyLimit: number;
  connect: boolean;
  maxTries: number;
  reportPerCommand: boolean;
  failuresDetailed: boolean;
  continueOnError: boolean;
  scripts: readonly { weight: number }[];
}

/** pgbench 15's report of a run, every line that it prints, in its order. */
export function finalReport(options: ReportOptions, phase: Phase): string[] {
  const { transactions } = phase;
  const [all, ...operations] = phase.operations;
  if (transactions === undefined || all === undefined) return [];
  const total = all.count + transactions.skipped + transactions.failed;
  return [
    ...parameters(options, transactions, all.count),
    `number of failed transactions: ${share(transactions.failed, total)}`,
    ...(total > 0 ? detailedFailures(options, transactions.failures, total) : []),
    ...(total > 0 ? figures(options, transactions, all, phase.seconds, total) : []),
    ...(total > 0 ? parts(options, transactions, all, operations, phase.seconds) : []),
    ...(transactions.endedClients > 0
      ? ['pgbench: error: Run was aborted; the above results are incomplete.']
      : []),
  ];
}

function parameters(
  options: ReportOptions,
  { facts, scripts, threads }: TransactionFigures,
  count: number,
): string[] {
  const { clients, maxTries, transactions } = options;
  return [
    `transaction type: ${scripts.length === 1 ? scripts[0]?.name : 'multiple scripts'}`,
    `scaling factor: ${facts.scale ?? 1}`,
    ...(facts.partitionMethod
      ? [`partition method: ${facts.partitionMethod}`, `partitions: ${facts.partitions}`]
      : []),
    `query mode: ${options.protocol}`,
    `number of clients: ${clients}`,
    `number of threads: ${threads}`,
    ...(maxTries > 0 ? [`maximum number of tries: ${maxTries}`] : []),
    ...(transactions === undefined
      ? [`duration: ${options.seconds} s`, `number of transactions actually processed: ${count}`]
      : [
          `number of transactions per client: ${transactions}`,
          `number of transactions actually processed: ${count}/${transactions * clients}`,
        ]),
  ];
}

function figures(
  options: ReportOptions,
  transactions: TransactionFigures,
  all: Operation,
  seconds: number,
  total: number,
): string[] {
  const { failed, retried, retries, skipped, late, lag } = transactions;
  const { rate, latencyLimit, progress } = options;
  const isMeasured = rate > 0 || progress > 0 || latencyLimit > 0;
  const average = (seconds * 1000 * options.clients) / total;
  return [
    ...(options.maxTries !== 1
      ? [`number of transactions retried: ${share(retried, total)}`, `total number of retries: ${retries}`]
      : []),
    ...(rate > 0 && latencyLimit > 0 ? [`number of transactions skipped: ${share(skipped, total)}`] : []),
    ...(latencyLimit > 0
      ? [
          `number of transactions above the ${goFixed(latencyLimit, 1)} ms latency limit: ${late}/${all.count} (${percent(late, all.count, 0)})`,
        ]
      : []),
    ...(isMeasured
      ? latencyLines('latency', all.latencyUs)
      : [`latency average = ${goFixed(average, 3)} ms${failed > 0 ? ' (including failures)' : ''}`]),
    ...(rate > 0
      ? [
          `rate limit schedule lag: avg ${goFixed((lag?.meanUs ?? 0) / 1000, 3)} (max ${goFixed((lag?.maxUs ?? 0) / 1000, 3)}) ms`,
        ]
      : []),
    ...connections(options, transactions, all.count),
  ];
}

function connections({ connect }: ReportOptions, figures: TransactionFigures, count: number): string[] {
  const tps = goFixed(figures.tps, 6);
  const average = (figures.reconnectSeconds * 1000) / (count + figures.failed);
  return connect
    ? [`average connection time = ${fixed(average, 3)} ms`, `tps = ${tps} (including reconnection times)`]
    : [
        // Of a run whose end is missing it is not known.
        ...(figures.connectSeconds > 0
          ? [`initial connection time = ${goFixed(figures.connectSeconds * 1000, 3)} ms`]
          : []),
        `tps = ${tps} (without initial connection time)`,
      ];
}

/** Of each script where there are several, and of each of its commands where that was asked for. */
function parts(
  options: ReportOptions,
  figures: TransactionFigures,
  all: Operation,
  operations: readonly Operation[],
  seconds: number,
): string[] {
  const several = figures.scripts.length > 1;
  return figures.scripts.flatMap((script, index) => [
    ...(several ? scriptLines(options, script, index, all, operations[index], seconds) : []),
    ...(options.reportPerCommand && figures.statements.length > 0
      ? [
          `${several ? ' - ' : ''}statement latencies in milliseconds${options.maxTries === 1 ? ' and failures' : ', failures and retries'}:`,
          ...figures.statements
            .filter((statement) => statement.script === index)
            .map((statement) => statementLine(statement, options.maxTries)),
        ]
      : []),
  ]);
}

function scriptLines(
  options: ReportOptions,
  { name, count, failed, failures, retried, retries, skipped }: TransactionFigures['scripts'][number],
  index: number,
  all: Operation,
  operation: Operation | undefined,
  seconds: number,
): string[] {
  const { scripts, maxTries, rate, latencyLimit } = options;
  const weight = scripts[index]?.weight ?? 0;
  const weights = scripts.reduce((sum, script) => sum + script.weight, 0);
  const own = count + skipped + failed;
  return [
    `SQL script ${index + 1}: ${name}`,
    ` - weight: ${weight} (targets ${fixed((100 * weight) / weights, 1)}% of total)`,
    ` - ${count} transactions (${fixed((100 * count) / all.count, 1)}% of total, tps = ${fixed(count / seconds, 6)})`,
    ` - number of failed transactions: ${share(failed, own)}`,
    ...detailedFailures(options, failures, own).map((line) => ` - ${line}`),
    ...(maxTries !== 1
      ? [
          ` - number of transactions retried: ${share(retried, own)}`,
          ` - total number of retries: ${retries}`,
        ]
      : []),
    ...(rate > 0 && latencyLimit > 0 ? [` - number of transactions skipped: ${share(skipped, own)}`] : []),
    ...latencyLines(' - latency', operation?.latencyUs ?? null),
  ];
}

function statementLine({ text, meanUs, failures, retries }: StatementFigures, maxTries: number): string {
  const counts = maxTries === 1 ? [failures] : [failures, retries];
  const columns = counts.map((count) => String(count).padStart(10)).join('  ');
  return `   ${goFixed(meanUs / 1000, 3).padStart(11)}  ${columns}  ${text}`;
}

function latencyLines(prefix: string, latencyUs: Latency | null): string[] {
  if (latencyUs === null || latencyUs.count === 0) return [];
  return [
    `${prefix} average = ${goFixed(latencyUs.mean / 1000, 3)} ms`,
    `${prefix} stddev = ${goFixed(latencyUs.stddev / 1000, 3)} ms`,
  ];
}

/** By kind; others than the two that pgbench 15 knows only where such errors are gone on after, as version 19 has them. */
function detailedFailures(
  { failuresDetailed, continueOnError }: ReportOptions,
  failures: Readonly<Record<string, number>> | undefined,
  total: number,
): string[] {
  if (!failuresDetailed) return [];
  const { '40001': serialization = 0, '40P01': deadlock = 0, ...rest } = failures ?? {};
  const others = Object.values(rest).reduce((sum, count) => sum + count, 0);
  return [
    `number of serialization failures: ${share(serialization, total)}`,
    `number of deadlock failures: ${share(deadlock, total)}`,
    ...(continueOnError ? [`number of other failures: ${share(others, total)}`] : []),
  ];
}

/** `908 (45.559%)` */
function share(count: number, of: number): string {
  return `${count} (${percent(count, of)})`;
}
function percent(count: number, of: number, ofNothing = Number.NaN): string {
  return `${fixed(of > 0 ? (100 * count) / of : ofNothing, 3)}%`;
}
/** As C prints it: NaN by its name. */
function fixed(x: number, digits: number): string {
  return Number.isFinite(x) ? goFixed(x, digits) : String(x);
}
