import { ActionIcon, Anchor, Button, Group, Menu, Table, Text } from '@mantine/core';
import { IconDots, IconPencil, IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import type { Host } from '../../../src-shared/model/host.ts';
import { formatBytes } from '../../../src-shared/units.ts';
import { useCommand } from '../../api.tsx';
import { TimeAgo } from '../../components/TimeAgo.tsx';
import { paths } from '../../routes.ts';
import { ProvisioningBadge } from '../Provision/ProvisioningBadge.tsx';
import { diskKinds, whereIs } from './facts.ts';
import { HostStateBadge } from './HostStateBadge.tsx';
import { useRemoveHost } from './useRemoveHost.ts';

/** One host: what it is, how it was when it was last looked at, what was set up on it. */
export function HostRow(props: { host: Host }): ReactNode {
  const { host } = props;
  const { inventory } = host;
  const [, navigate] = useLocation();
  const remove = useRemoveHost();
  const all = useCommand('provision.list', { hostId: host.id }).data;
  // A plan alone changed nothing.
  const last = all?.find(({ status }) => status !== 'planned');
  return (
    <Table.Tr>
      <Table.Td>
        <Anchor component={Link} href={paths.host(host.id)} fw={600} c="inherit">
          {host.name}
        </Anchor>
        <Text size="xs" c="dimmed">
          {whereIs(host)}
        </Text>
      </Table.Td>
      <Table.Td>
        {inventory?.model.value ?? <Unknown />}
        {inventory !== null && inventory.memoryBytes.value !== null && (
          <Text size="xs" c="dimmed">
            {formatBytes(inventory.board?.memoryBytes ?? inventory.memoryBytes.value)}
            {inventory.cores.value !== null && `, ${inventory.cores.value} cores`}
          </Text>
        )}
      </Table.Td>
      <Table.Td>{inventory?.os.value ?? <Unknown />}</Table.Td>
      <Table.Td>
        {inventory === null || inventory.root.kind.value === null ? (
          <Unknown />
        ) : (
          diskKinds[inventory.root.kind.value]
        )}
        {inventory !== null && inventory.root.freeBytes.value !== null && (
          <Text size="xs" c="dimmed">
            {formatBytes(inventory.root.freeBytes.value)} free
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <HostStateBadge host={host} />
        {inventory !== null && (
          <Text size="xs" c="dimmed">
            Seen <TimeAgo iso={inventory.at} />
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        {last === undefined ? (
          <Text c="dimmed">Nothing yet</Text>
        ) : (
          <ProvisioningBadge status={last.status} />
        )}
      </Table.Td>
      <Table.Td>
        <Group gap={4} justify="flex-end" wrap="nowrap">
          <Button
            component={Link}
            href={inventory === null ? paths.host(host.id) : paths.provision(host.id)}
            size="compact-sm"
            variant="default"
          >
            {inventory === null ? 'Connect' : 'Provision'}
          </Button>
          <Menu position="bottom-end">
            <Menu.Target>
              <ActionIcon variant="subtle" color="gray" aria-label={`More for ${host.name}`}>
                <IconDots size={16} aria-hidden />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item
                leftSection={<IconPencil size={16} aria-hidden />}
                onClick={() => navigate(paths.editHost(host.id))}
              >
                Change the sign-in
              </Menu.Item>
              <Menu.Item leftSection={<IconTrash size={16} aria-hidden />} onClick={() => remove(host)}>
                Remove
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        </Group>
      </Table.Td>
    </Table.Tr>
  );
}

function Unknown(): ReactNode {
  return <Text c="dimmed">Not known</Text>;
}
