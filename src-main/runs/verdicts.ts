import type { Phase } from '../../src-shared/model/run.ts';
import type { Verdict } from '../../src-shared/model/verdict.ts';
import { distinctOperations } from '../../src-shared/model/wholeOperation.ts';
import { formatCounted } from '../../src-shared/units.ts';
import { clientVerdicts } from './clientVerdicts.ts';
import { limits, percent, type RunEvidence } from './evidence.ts';
import { healthVerdicts } from './healthVerdicts.ts';
import { completeVerdicts, errorVerdicts } from './phaseVerdicts.ts';

/** What is to be said of a run's figures, the gravest first; `valid` alone, or without it. */
export function verdictsOf(run: RunEvidence): Verdict[] {
  const verdicts = [
    ...endVerdicts(run),
    ...run.phases.flatMap(errorVerdicts),
    ...healthVerdicts(run),
    ...(run.status === 'finished' ? run.phases.flatMap(completeVerdicts) : []),
    ...clientVerdicts(run),
  ];
  return verdicts.length > 0 ? verdicts : [validVerdict(run)];
}

function endVerdicts({ status, error }: RunEvidence): Verdict[] {
  if (status === 'failed')
    return [
      {
        code: 'failed',
        reason: `The run ended with an error: ${sentence(error?.message ?? 'unknown')}${error?.detail ? ` The cause as given: ${sentence(error.detail)}` : ''} What was acknowledged up to then is kept.`,
        advice: error?.hint ?? 'Remove the cause and run it again.',
      },
    ];
  if (status === 'cancelled')
    return [
      {
        code: 'cancelled',
        reason: 'The run was stopped before its end: the figures cover the part that was done.',
        advice: 'Run it to its end for figures that can be compared.',
      },
    ];
  if (status === 'interrupted')
    return [
      {
        code: 'interrupted',
        reason:
          'Benchberry ended while the run was on: the figures cover what was recorded, up to about the last second.',
        advice: 'Run it again and leave Benchberry open until it has ended.',
      },
    ];
  return [];
}

function validVerdict({ phases, ticks, beside }: RunEvidence): Verdict {
  // The rest of a phase can be a tick of a few milliseconds, whose share says nothing.
  const seconds = ticks.filter((tick) => tick.intervalMs >= limits.tickMs);
  const busiest = seconds.reduce((most, tick) => Math.max(most, tick.client.busiest), 0);
  const load =
    seconds.length > 0
      ? `the loader was at most ${percent(busiest)} busy`
      : 'it was over in less than a second';
  const shared =
    beside === 0
      ? ''
      : ` It was on at once with ${beside === 1 ? 'another run' : `${beside} other runs`}: they shared the processor and the network of this machine.`;
  const done = phases.map(({ phase }) => doneText(phase));
  return {
    code: 'valid',
    reason: `${done.join('; ')}. No operation failed, and ${load}.${shared}`,
    advice: '',
  };
}

function doneText(phase: Phase): string {
  switch (phase.kind) {
    case 'load':
      return `${phase.name} wrote ${formatCounted(phase.rows, 'row')} in ${phase.seconds.toFixed(1)} s${phase.verifiedRows === null ? '' : ' and all were counted in the database'}`;
    case 'initialize':
      return `${phase.name} made its tables in ${phase.seconds.toFixed(1)} s`;
    case 'queries': {
      const answered = distinctOperations(phase, phase.operations).reduce(
        (n, operation) => n + operation.count,
        0,
      );
      return `${phase.name} answered ${formatCounted(answered, 'query', 'queries')}`;
    }
    case 'transactions': {
      const done = phase.operations[0]?.count ?? 0;
      return `${phase.name} did ${formatCounted(done, 'transaction')} in ${phase.seconds.toFixed(1)} s`;
    }
  }
}

function sentence(text: string): string {
  return /[.!?]$/.test(text.trim()) ? text.trim() : `${text.trim()}.`;
}
