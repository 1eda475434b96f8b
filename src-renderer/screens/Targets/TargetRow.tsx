import { ActionIcon, Anchor, Group, Menu, Table, Text } from '@mantine/core';
import {
  IconDots,
  IconEraser,
  IconPencil,
  IconPlayerPlay,
  IconPlugConnected,
  IconTrash,
} from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { Link, useLocation } from 'wouter';
import type { EngineInfo } from '../../../src-shared/model/engine.ts';
import { builtInTargets, type Target } from '../../../src-shared/model/target.ts';
import { formatBytes } from '../../../src-shared/units.ts';
import { ErrorPanel } from '../../components/ErrorPanel.tsx';
import { TimeAgo } from '../../components/TimeAgo.tsx';
import { useCancellable } from '../../components/useCancellable.ts';
import { Waiting } from '../../components/Waiting.tsx';
import { paths } from '../../routes.ts';
import { address } from './address.ts';
import { ResetSandbox } from './ResetSandbox.tsx';
import { useRemoveTarget } from './useRemoveTarget.ts';

/** One target: what it is, what it last said, and what can be done with it. */
export function TargetRow(props: { target: Target; engine: EngineInfo | null }): ReactNode {
  const { target, engine } = props;
  const [, navigate] = useLocation();
  const test = useCancellable('targets.test');
  const remove = useRemoveTarget();
  const [resetting, setResetting] = useState(false);
  const { lastSeen, lastSeenAt } = target;
  return (
    <>
      <Table.Tr>
        <Table.Td>
          <Anchor
            component={Link}
            href={paths.target(target.id)}
            fw={600}
            c="inherit"
            className="long"
            title={target.name}
          >
            {target.name}
          </Anchor>
        </Table.Td>
        <Table.Td>{engine?.label ?? target.engine}</Table.Td>
        <Table.Td className={target.builtIn ? 'quiet' : 'mono'}>
          {target.builtIn ? 'built in' : (address(target.connection) ?? '–')}
        </Table.Td>
        <Table.Td>
          {lastSeen === null || lastSeenAt === null ? (
            <Text c="dimmed">not tested yet</Text>
          ) : (
            <>
              <Text>
                {lastSeen.product} {lastSeen.version}, {lastSeen.edition}
              </Text>
              <Text size="xs" c="dimmed">
                <TimeAgo iso={lastSeenAt} />
              </Text>
            </>
          )}
        </Table.Td>
        <Table.Td ta="right">{lastSeen === null ? '–' : formatBytes(lastSeen.sizeBytes)}</Table.Td>
        <Table.Td>
          <Group gap={4} justify="flex-end" wrap="nowrap">
            <Menu position="bottom-end">
              <Menu.Target>
                <ActionIcon variant="subtle" color="gray" aria-label={`What can be done with ${target.name}`}>
                  <IconDots size={18} aria-hidden />
                </ActionIcon>
              </Menu.Target>
              <Menu.Dropdown>
                <Menu.Item
                  leftSection={<IconPlugConnected size={16} aria-hidden />}
                  onClick={() => void test.start({ id: target.id, secret: null })}
                >
                  Test connection
                </Menu.Item>
                <Menu.Item
                  leftSection={<IconPlayerPlay size={16} aria-hidden />}
                  onClick={() => navigate(paths.newPlanOn(target.name))}
                >
                  New benchmark on it
                </Menu.Item>
                {!target.builtIn && (
                  <>
                    <Menu.Item
                      leftSection={<IconPencil size={16} aria-hidden />}
                      onClick={() => navigate(paths.target(target.id))}
                    >
                      Edit
                    </Menu.Item>
                    <Menu.Item
                      leftSection={<IconTrash size={16} aria-hidden />}
                      onClick={() => remove(target)}
                    >
                      Remove
                    </Menu.Item>
                  </>
                )}
                {target.id === builtInTargets.sandbox && (
                  <Menu.Item
                    leftSection={<IconEraser size={16} aria-hidden />}
                    onClick={() => setResetting(true)}
                  >
                    Reset
                  </Menu.Item>
                )}
              </Menu.Dropdown>
            </Menu>
            <ResetSandbox opened={resetting} onClose={() => setResetting(false)} />
          </Group>
        </Table.Td>
      </Table.Tr>
      {(test.pending || test.error !== null) && (
        <Table.Tr>
          <Table.Td colSpan={6}>
            {test.startedAt !== null && (
              <Waiting
                doing={`Connecting to ${target.name}`}
                startedAt={test.startedAt}
                onCancel={test.cancel}
              />
            )}
            {test.error !== null && (
              <ErrorPanel
                error={test.error}
                next={
                  target.builtIn
                    ? { label: 'Try again', onClick: () => void test.start({ id: target.id, secret: null }) }
                    : { label: 'Edit the target', onClick: () => navigate(paths.target(target.id)) }
                }
              />
            )}
          </Table.Td>
        </Table.Tr>
      )}
    </>
  );
}
