import type { Tick } from '../../src-shared/model/tick.ts';
import type { Verdict } from '../../src-shared/model/verdict.ts';
import { limits, percent, type RunEvidence } from './evidence.ts';

/** Whether the loader set the pace instead of the server. */
export function clientVerdicts({ loaderOnly, sameMachine, phases, ticks }: RunEvidence): Verdict[] {
  if (loaderOnly)
    return [
      {
        code: 'client-bound',
        reason:
          'There was no server behind the loader, so the figures are those of the loader itself. That is what this run is for.',
        advice: 'Compare them with a run against a server: the loader should be several times as fast.',
      },
    ];
  return phases.flatMap(({ phase }) => {
    const own = ticks.filter((tick) => tick.phase === phase.index);
    const total = own.reduce((ms, tick) => ms + tick.intervalMs, 0);
    const share = (of: (client: Tick['client']) => boolean) =>
      own.reduce((ms, tick) => ms + (of(tick.client) ? tick.intervalMs : 0), 0) / total;
    if (total < limits.judgedSeconds * 1000) return [];
    const busy = share((client) => client.busiest >= limits.busy);
    const behind = share((client) => client.loopDelayMs >= limits.loopDelayMs);
    if (Math.max(busy, behind) < limits.shareOfTime) return [];
    const seen =
      busy >= behind
        ? `the busiest thread of the loader was at least ${percent(limits.busy)} busy during ${percent(busy)} of the time`
        : `the loader stood still for ${limits.loopDelayMs} ms or more at once in seconds that make up ${percent(behind)} of the time`;
    return [
      {
        code: 'client-bound' as const,
        reason: `${phase.name}: ${seen}; the limit is ${percent(limits.shareOfTime)}. The loader, not the server, set the pace.`,
        advice: sameMachine
          ? 'Server and loader share this machine and take each other’s time: run the loader on another machine, or use fewer workers.'
          : 'Use more workers if the machine has idle cores, else a faster machine for the loader.',
      },
    ];
  });
}
