import { NativeSelect } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Host } from '../../../src-shared/model/host.ts';
import { type Draft, hostOf } from './draft.ts';

const none = 'none';

/** Which of the workbench's hosts the database runs on; proposed by its address. Nothing without hosts. */
export function HostField(props: {
  draft: Draft;
  hosts: readonly Host[];
  onChange: (hostId: string | null) => void;
}): ReactNode {
  const { draft, hosts } = props;
  const chosen = hostOf(draft, hosts);
  const known = hosts.some(({ id }) => id === chosen);
  if (hosts.length === 0) return null;
  return (
    <NativeSelect
      label="Runs on"
      maw={320}
      description={
        draft.hostId === undefined && known
          ? 'Proposed, since it has the same address. Its gate, health and quiet go with each run.'
          : 'One of your hosts that it runs on: its gate, health and quiet go with each run.'
      }
      value={known && chosen !== null ? chosen : none}
      data={[
        { value: none, label: 'None that is known here' },
        ...hosts.map(({ id, name, address }) => ({
          value: id,
          label: name === address ? name : `${name} (${address})`,
        })),
      ]}
      onChange={(event) =>
        props.onChange(event.currentTarget.value === none ? null : event.currentTarget.value)
      }
    />
  );
}
