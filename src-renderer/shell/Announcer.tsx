import { VisuallyHidden } from '@mantine/core';
import { type ReactNode, useRef, useState } from 'react';
import type { RunHead } from '../../src-shared/model/run.ts';
import { useEvent } from '../api.tsx';
import { describeState } from './describeState.ts';

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
