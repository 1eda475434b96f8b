import { Anchor, Table } from '@mantine/core';
import { IconServerCog } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Host } from '../../../src-shared/model/host.ts';
import { useCommand } from '../../api.tsx';
import { EmptyState } from '../../components/EmptyState.tsx';
import { Loaded } from '../../components/Loaded.tsx';
import { SkeletonRows } from '../../components/Skeletons.tsx';
import { TimeAgo } from '../../components/TimeAgo.tsx';
import { paths } from '../../routes.ts';
import { ProvisioningBadge } from '../Provision/ProvisioningBadge.tsx';
import { changeWords, labelOf } from '../Provision/words.ts';

/** What was planned and made on a host, the newest first. */
export function SetUps(props: { host: Host }): ReactNode {
  const { host } = props;
  const all = useCommand('provision.list', { hostId: host.id });
  const recipes = useCommand('provision.recipes', null).data ?? [];
  return (
    <Loaded query={all} skeleton={<SkeletonRows rows={3} />}>
      {(list) =>
        list.length === 0 ? (
          <EmptyState Icon={IconServerCog} title="Nothing was set up yet">
            Provision shows every change before it is made.
          </EmptyState>
        ) : (
          <Table className="panel" aria-label={`Set up on ${host.name}`}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>What</Table.Th>
                <Table.Th>State</Table.Th>
                <Table.Th>Changes</Table.Th>
                <Table.Th ta="right">When</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {list.map((one) => (
                <Table.Tr key={one.id}>
                  <Table.Td>
                    <Anchor component={Link} href={paths.provision(host.id, one.id)} fw={600} c="inherit">
                      {one.plan.recipes.map(({ id }) => labelOf(recipes, id)).join(', ')}
                    </Anchor>
                  </Table.Td>
                  <Table.Td>
                    <ProvisioningBadge status={one.status} />
                  </Table.Td>
                  <Table.Td>{changeWords(one.steps)}</Table.Td>
                  <Table.Td ta="right">
                    <TimeAgo iso={one.updatedAt} />
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        )
      }
    </Loaded>
  );
}
