import { parseDuration } from '../../src-shared/duration.ts';
import type { Phase, Run } from '../../src-shared/model/run.ts';
import type { Tick } from '../../src-shared/model/tick.ts';
import { dialectOf } from './dialects.ts';
import { createLoadProgress, loadHeader, loadSummary } from './tsbsLoad.ts';
import { finalBlock } from './tsbsQueries.ts';

/** TSBS's default reporting period, seconds. */
const defaultPeriodSeconds = 10;

/**
 * A run in the words of the tool that each phase is of: what it prints first, its lines of progress, its final report. For
 * TSBS's loads that is the header, the progress lines and the summary, for its queries the final block. An empty line
 * between phases; ends with a line feed.
 * @param ticks all of the run, in order
 */
export function runText(run: Run, ticks: readonly Tick[]): string {
  const blocks = run.phases.map((phase) => {
    const own = ticks.filter((tick) => tick.phase === phase.index);
    const told = dialectOf(run, phase.index);
    if (told === null) return phase.kind === 'load' ? loadLines(run, phase, own) : finalBlock(phase);
    const { dialect, about } = told;
    return [
      ...dialect.head(about),
      ...own.flatMap(dialect.progress(about)),
      ...dialect.end(about, phase, own),
    ];
  });
  return blocks.length === 0 ? '' : `${blocks.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

function loadLines(run: Run, phase: Phase, ticks: readonly Tick[]): string[] {
  return [...loadProgressLines(run, phase, ticks), '', ...loadSummary(phase)];
}

/** TSBS's header and lines of progress. @param ticks of the phase */
export function loadProgressLines(run: Run, phase: Phase, ticks: readonly Tick[]): string[] {
  const progress = createLoadProgress(Date.parse(run.startedAt), reportingPeriodSeconds(run, phase.index));
  return [loadHeader, ...ticks.map(progress).filter((line) => line !== null)];
}

/**
 * Seconds between the progress lines of a phase, from the step as it was executed; 10 where the step says nothing.
 * @param phase index of the phase; phases and steps are one to one
 */
export function reportingPeriodSeconds(run: Pick<Run, 'resolvedSteps'>, phase: number): number {
  const period = run.resolvedSteps[phase]?.parameters.reportingPeriod;
  if (typeof period === 'number') return period;
  const nanos = typeof period === 'string' ? parseDuration(period) : null;
  return nanos === null ? defaultPeriodSeconds : Number(nanos) / 1e9;
}
