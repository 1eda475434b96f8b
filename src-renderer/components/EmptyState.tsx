import { Text } from '@mantine/core';
import type { TablerIcon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './EmptyState.module.css';

/** Teaches in one line and offers the one next action. */
export function EmptyState(props: {
  Icon: TablerIcon;
  title: string;
  children: ReactNode;
  action?: ReactNode;
}): ReactNode {
  return (
    <div className={classes.empty}>
      <props.Icon size={32} stroke={1.5} aria-hidden />
      <Text fw={600} mt={8} component="h2">
        {props.title}
      </Text>
      <Text c="dimmed" maw={480}>
        {props.children}
      </Text>
      {props.action !== undefined && <div className={classes.action}>{props.action}</div>}
    </div>
  );
}
