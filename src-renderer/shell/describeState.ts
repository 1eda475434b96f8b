import type { RunHead } from '../../src-shared/model/run.ts';
import { verdictLabels } from '../../src-shared/model/verdict.ts';

/** A run's state as a sentence to be heard. */
export function describeState(head: Pick<RunHead, 'name' | 'targetName' | 'status' | 'verdicts'>): string {
  const verdicts = head.verdicts.map((verdict) => verdictLabels[verdict.code].toLowerCase()).join(', ');
  const state = head.status === 'cancelled' ? 'stopped' : head.status;
  return `${head.name} on ${head.targetName}: ${state}${verdicts === '' ? '' : `. Verdict: ${verdicts}`}`;
}
