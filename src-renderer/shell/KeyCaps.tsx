import { Group, Kbd } from '@mantine/core';
import type { ReactNode } from 'react';
import { keyCaps } from './keys.ts';

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** A shortcut as caps: Ctrl K. */
export function KeyCaps(props: { keys: string }): ReactNode {
  return (
    <Group gap={4} wrap="nowrap" component="span">
      {keyCaps(props.keys, isMac).map((cap) => (
        <Kbd key={cap} size="xs">
          {cap}
        </Kbd>
      ))}
    </Group>
  );
}
