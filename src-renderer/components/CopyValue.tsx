import { ActionIcon, Tooltip } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './CopyValue.module.css';

/** A path, address or id in the mono face, with a button that copies it. */
export function CopyValue(props: { value: string; label: string }): ReactNode {
  const clipboard = useClipboard({ timeout: 2000 });
  const words = clipboard.error
    ? 'Copy refused: select the text'
    : clipboard.copied
      ? 'Copied'
      : `Copy the ${props.label}`;
  return (
    <span className={classes.line}>
      <code className={classes.value}>{props.value}</code>
      <Tooltip label={words}>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={words}
          onClick={() => void clipboard.copy(props.value)}
        >
          {clipboard.copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
        </ActionIcon>
      </Tooltip>
    </span>
  );
}
