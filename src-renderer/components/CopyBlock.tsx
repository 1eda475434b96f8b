import { Button } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './CopyBlock.module.css';

/** Text in the mono face, as it is, with a button that copies all of it; at most `maxLines` (24) high. */
export function CopyBlock(props: { text: string; label: string; maxLines?: number }): ReactNode {
  const clipboard = useClipboard({ timeout: 2000 });
  const lines = props.text.trimEnd().split('\n').length;
  return (
    <figure className={classes.block}>
      <figcaption className={classes.caption}>
        <span>{props.label}</span>
        <Button
          size="compact-sm"
          variant="subtle"
          color="gray"
          leftSection={clipboard.copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
          onClick={() => void clipboard.copy(props.text)}
        >
          {clipboard.error ? 'Copy refused: select the text' : clipboard.copied ? 'Copied' : 'Copy'}
        </Button>
      </figcaption>
      <textarea
        className={classes.text}
        aria-label={props.label}
        readOnly
        spellCheck={false}
        wrap="off"
        value={props.text}
        rows={Math.min(lines, props.maxLines ?? 24)}
      />
    </figure>
  );
}
