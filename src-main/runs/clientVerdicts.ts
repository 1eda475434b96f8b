import type { Tick } from '../../src-shared/model/tick.ts';
import type { Verdict } from '../../src-shared/model/verdict.ts';
import { limits, percent, type RunEvidence } from './evidence.ts';

/** Whether the loader set the pace instead of the server. */
export function clientVerdicts(run: RunEvidence): Verdict[] {
  const { loaderOnly, phases, ticks } = run;
  if (loaderOnly)
    return [
      {
        code: 'client-bound',
        reason:
          'There was no server behind the loader, so the figures are those of the loader itself. That is what this run is for.',
        advice: 'Compare them with a run against a server: the loader should be several times as fast.',
      },
    ];
  const measured = phases.filter(({ phase }) => phase.kind !== 'initialize');
  return measured.flatMap(({ phase }) => {
    const own = ticks.filter((tick) => tick.phase === phase.index);
    const total = own.reduce((ms, tick) => ms + tick.intervalMs, 0);
    const share = (of: (client: Tick['client']) => boolean) =>
      own.reduce((ms, tick) => ms + (of(tick.client) ? tick.intervalMs : 0), 0) / total;
    if (total < limits.judgedSeconds * 1000) return [];
    const { beside, clientCores } = run;
    const busy = share((client) => client.busiest >= limits.busy);
    const behind = share((client) => client.loopDelayMs >= limits.loopDelayMs);
    const crowded = beside === 0 ? 0 : share((client) => client.cpuCores >= limits.busy * clientCores);
    const most = Math.max(busy, behind, crowded);
    if (most < limits.shareOfTime) return [];
    const seen =
      most === busy
        ? `the busiest thread of the loader was at least ${percent(limits.busy)} busy during ${percent(busy)} of the time`
        : most === behind
          ? `the loader stood still for ${limits.loopDelayMs} ms or more at once in seconds that make up ${percent(behind)} of the time`
          : `the loader of all ${beside + 1} runs used at least ${percent(limits.busy)} of this machine’s ${clientCores} cores during ${percent(crowded)} of the time`;
    return [
      {
        code: 'client-bound' as const,
        reason: `${phase.name}: ${seen}; the limit is ${percent(limits.shareOfTime)}. The loader, not the server, set the pace.`,
        advice: adviceFor(run),
      },
    ];
  });
}

function adviceFor({ beside, sameMachine }: RunEvidence): string {
  if (beside > 0)
    return `The ${beside + 1} runs that were on at once shared this machine: run them in turn, or from a faster machine.`;
  if (sameMachine)
    return 'Server and loader share this machine and take each other’s time: run the loader on another machine, or use fewer workers.';
  return 'Use more workers if the machine has idle cores, else a faster machine for the loader.';
}
