import { Anchor, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { RunHead } from '../../../src-shared/model/run.ts';
import { useCommand } from '../../api.tsx';
import { paths } from '../../routes.ts';

/** Of a run that belongs to a rack's benchmark: the way to it, and to the runs of the other hosts. */
export function OfRack(props: { run: Pick<RunHead, 'id' | 'group'> }): ReactNode {
  const { run } = props;
  const racks = useCommand('racks.list', {}, { enabled: run.group !== null }).data;
  const rack = racks?.find(({ id }) => id === run.group);
  if (rack === undefined) return null;
  const others = rack.members.flatMap(({ hostName, runIds }) => {
    const last = runIds.at(-1);
    return last === undefined || runIds.includes(run.id) ? [] : [{ hostName, id: last }];
  });
  return (
    <Text size="sm">
      One of the runs of{' '}
      <Anchor
        component={Link}
        href={paths.rackRun(rack.id)}
        size="sm"
        c="var(--accent-text)"
        underline="always"
      >
        {rack.plan.name} on {rack.rack}
      </Anchor>
      {rack.atOnce ? ', all at once' : ', one after the other'}
      {others.length > 0 && '. The others: '}
      {others.map(({ hostName, id }, i) => (
        <span key={id}>
          {i > 0 && ', '}
          <Anchor component={Link} href={paths.run(id)} size="sm" c="var(--accent-text)" underline="always">
            {hostName}
          </Anchor>
        </span>
      ))}
    </Text>
  );
}
