import type { Run } from '../model/run.ts';
import type { MemberFigures } from '../model/runSeries.ts';
import type { Tick } from '../model/tick.ts';
import { wholeOperation } from '../model/wholeOperation.ts';
import { perSecond, shortestMs } from './rates.ts';
import { median } from './robust.ts';

/** What a series keeps of one of its runs. Only of a run that has ended. */
export function memberFigures(run: Run, ticks: readonly Tick[]): MemberFigures {
  const first = (kind: Run['phases'][number]['kind']) => run.phases.find((phase) => phase.kind === kind);
  const [load, queries] = [first('load'), first('queries')];
  return {
    status: run.status,
    valid: run.verdicts.length > 0 && run.verdicts.every(({ code }) => code === 'valid'),
    rowsPerSecond: load?.rowsPerSecond ?? null,
    queriesPerSecond: (queries && wholeOperation(queries, queries.operations)?.perSecond) ?? null,
    transactionsPerSecond: first('transactions')?.transactions?.tps ?? null,
    p99Us: run.p99Us,
    perSecond: load === undefined ? null : secondsOf(ticks, load.index),
    tookMs: run.endedAt === null ? 0 : Math.max(0, Date.parse(run.endedAt) - Date.parse(run.startedAt)),
  };
}

/** Median and highest of the rates of a phase's seconds; the rest at its end, shorter than half a second, has none. */
function secondsOf(ticks: readonly Tick[], phase: number): MemberFigures['perSecond'] {
  const rates = ticks
    .filter((tick) => tick.phase === phase && tick.intervalMs >= shortestMs)
    .map(({ operations, intervalMs }) =>
      perSecond(
        operations.reduce((sum, { rows }) => sum + rows, 0),
        intervalMs,
      ),
    );
  return rates.length < 2 ? null : { median: median(rates), max: Math.max(...rates) };
}
