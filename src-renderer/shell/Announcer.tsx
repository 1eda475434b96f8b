import { VisuallyHidden } from '@mantine/core';
import { type ReactNode, useRef, useState } from 'react';
import type { Provisioning } from '../../src-shared/model/provision.ts';
import type { RunHead } from '../../src-shared/model/run.ts';
import { useCommand, useEvent } from '../api.tsx';
import { describeProvisioning } from '../screens/Provision/words.ts';
import { describeState } from './describeState.ts';

/** Speaks once per change of a run's or a set-up's state, never per second. */
export function Announcer(): ReactNode {
  const [text, setText] = useState('');
  const spoken = useRef(new Map<string, RunHead['status'] | Provisioning['status']>());
  const hosts = useCommand('hosts.list', null).data;
  useEvent('provision.changed', ({ id, hostId, status }) => {
    if (spoken.current.get(id) === status) return;
    spoken.current.set(id, status);
    // While it is planned there is somebody who waits for the answer on the screen.
    if (status === 'planned') return;
    setText(describeProvisioning(status, hosts?.find((host) => host.id === hostId)?.name ?? 'Host'));
  });
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
