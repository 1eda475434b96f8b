import { Checkbox, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useCommand } from '../../api.tsx';

/** Whether the target's host is kept quiet for the length of the run, and what that stops. Nothing without a host. */
export function QuietHost(props: {
  hostId: string | null;
  checked: boolean;
  onChange: (checked: boolean) => void;
}): ReactNode {
  const { hostId, checked } = props;
  const host = useCommand('hosts.list', null).data?.find(({ id }) => id === hostId);
  const wanted = checked && host !== undefined;
  const on = useCommand('hosts.disturbers', { id: hostId ?? '' }, { enabled: wanted });
  if (host === undefined) return null;
  return (
    <div>
      <Checkbox
        label={`Keep ${host.name} quiet during the run`}
        description="Stops the timers and services that disturb a measurement, and starts them again after; also when Benchberry or the connection is gone. Needs administrator rights there."
        checked={checked}
        onChange={(event) => props.onChange(event.currentTarget.checked)}
      />
      {wanted && (
        <Text size="sm" mt={8} role="status">
          {on.data === undefined
            ? on.isError
              ? `What will be stopped is not known yet: ${on.error.message}.`
              : `Looking what is on there …`
            : on.data.length === 0
              ? 'Nothing of that kind is on now.'
              : `Will be stopped: ${on.data.join(', ')}.`}
        </Text>
      )}
    </div>
  );
}
