import { Anchor, Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useCommand } from '../../api.tsx';
import { Loaded } from '../../components/Loaded.tsx';
import { SkeletonRows } from '../../components/Skeletons.tsx';
import { TimeAgo } from '../../components/TimeAgo.tsx';
import { paths } from '../../routes.ts';
import classes from './Rack.module.css';

/** The benchmarks of a rack, the newest first. */
export function RackRuns(props: { rack: string }): ReactNode {
  const runs = useCommand('racks.list', { rack: props.rack });
  return (
    <section aria-label="Benchmarks of this rack">
      <h2 className={classes.heading}>Benchmarks of this rack</h2>
      <Loaded query={runs} skeleton={<SkeletonRows rows={2} />}>
        {(list) =>
          list.length === 0 ? (
            <Text c="dimmed">
              None yet. A plan that is run on all hosts shows which of them is slower than the others, and
              why.
            </Text>
          ) : (
            <Table.ScrollContainer minWidth={560}>
              <Table className="panel" aria-label="Benchmarks of this rack">
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>Plan</Table.Th>
                    <Table.Th>Hosts</Table.Th>
                    <Table.Th>How</Table.Th>
                    <Table.Th>Started</Table.Th>
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {list.map((run) => (
                    <Table.Tr key={run.id}>
                      <Table.Td>
                        <Anchor component={Link} href={paths.rackRun(run.id)} fw={600} c="inherit">
                          {run.plan.name}
                        </Anchor>
                      </Table.Td>
                      <Table.Td>{run.members.map(({ hostName }) => hostName).join(', ')}</Table.Td>
                      <Table.Td>{run.atOnce ? 'All at once' : 'One after the other'}</Table.Td>
                      <Table.Td>{run.endedAt === null ? 'On now' : <TimeAgo iso={run.startedAt} />}</Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
            </Table.ScrollContainer>
          )
        }
      </Loaded>
    </section>
  );
}
