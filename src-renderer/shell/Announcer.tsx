import { VisuallyHidden } from '@mantine/core';
import { type ReactNode, useRef, useState } from 'react';
import type { RunHead } from '../../src-shared/model/run.ts';
import { verdictLabels } from '../../src-shared/model/verdict.ts';
import { useEvent } from '../api.tsx';

/** Speaks once per change of a run's state, never per second. */
export function Announcer(): ReactNode {
  const [text, setText] = useState('');
  const spoken = useRef(new Map<string, RunHead['status']>());
  useEvent('run.changed', ({ head }) => {
    if (spoken.current.get(head.id) === head.status) return;
    spoken.current.set(head.id, head.status);
    setText(describeState(head));
  });
  return (
    <VisuallyHidden role="status" aria-live="polite">
      {text}
    </VisuallyHidden>
  );
}

/** A run's state as a sentence to be heard. */
function describeState(head: Pick<RunHead, 'name' | 'targetName' | 'status' | 'verdicts'>): string {
  const verdicts = head.verdicts.map((verdict) => verdictLabels[verdict.code].toLowerCase()).join(', ');
  const state = head.status === 'cancelled' ? 'stopped' : head.status;
  return `${head.name} on ${head.targetName}: ${state}${verdicts === '' ? '' : `. Verdict: ${verdicts}`}`;
}
