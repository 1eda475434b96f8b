import type { TablerIcon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './VerdictBadge.module.css';

export type Tone = 'good' | 'warn' | 'bad' | 'quiet' | 'accent';

/** A state that needs no explaining, in a badge's shape: icon, word and colour. */
export function StateBadge(props: { tone: Tone; Icon: TablerIcon; children: ReactNode }): ReactNode {
  return (
    <span className={classes.badge} data-tone={props.tone}>
      <props.Icon size={14} aria-hidden />
      {props.children}
    </span>
  );
}
