import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Host } from '../../../src-shared/model/host.ts';
import { whereIs } from './facts.ts';
import { HostStateBadge } from './HostStateBadge.tsx';

/** State first, then where it is, what it is, and by which key it is known. */
export function HostStatus(props: { host: Host; keyChanged: boolean }): ReactNode {
  const { host } = props;
  return (
    <Group gap={12}>
      <HostStateBadge host={host} keyChanged={props.keyChanged} />
      <Text size="sm">{whereIs(host)}</Text>
      {host.inventory?.model.value && <Text size="sm">{host.inventory.model.value}</Text>}
      {host.hostKey !== null && (
        <Text size="sm" c="dimmed" className="mono" style={{ overflowWrap: 'anywhere' }}>
          {host.hostKey.fingerprint}
        </Text>
      )}
    </Group>
  );
}
