import { Button, Group, Loader, Text } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';

/** Says what is being done and for how long, and offers to cancel it. */
export function Waiting(props: { doing: string; startedAt: number; onCancel: () => void }): ReactNode {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.max(0, Math.floor((now - props.startedAt) / 1000));
  return (
    <Group gap={12} className="panel">
      <Loader size="xs" />
      <Text role="status">{props.doing}</Text>
      <Text c="dimmed" aria-hidden>
        {seconds} s
      </Text>
      <Button size="compact-sm" variant="default" onClick={props.onCancel}>
        Cancel
      </Button>
    </Group>
  );
}
