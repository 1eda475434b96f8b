import { Anchor, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';

/** One line below a list that has only what came with Benchberry: what could be there, and the way to it. */
export function EmptyHint(props: {
  children: ReactNode;
  action: { label: string; href: string };
}): ReactNode {
  return (
    <Text c="dimmed" mt={16}>
      {props.children}{' '}
      <Anchor component={Link} href={props.action.href} c="var(--accent-text)" underline="always">
        {props.action.label}
      </Anchor>
    </Text>
  );
}
