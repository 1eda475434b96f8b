import { Button, Table, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useCommand } from '../../api.tsx';
import { EmptyHint } from '../../components/EmptyHint.tsx';
import { Loaded } from '../../components/Loaded.tsx';
import { Page } from '../../components/Page.tsx';
import { SkeletonRows } from '../../components/Skeletons.tsx';
import { paths } from '../../routes.ts';
import { TargetRow } from './TargetRow.tsx';

/** The databases that can be measured: what came with Benchberry, and what was added. */
export function TargetsScreen(): ReactNode {
  const targets = useCommand('targets.list', null);
  const engines = useCommand('engines.list', null);
  return (
    <Page
      title="Targets"
      wide
      actions={
        <Button component={Link} href={paths.newTarget} leftSection={<IconPlus size={16} aria-hidden />}>
          Add a target
        </Button>
      }
    >
      <Text c="dimmed" mb={16}>
        A target is a database that a benchmark loads and queries. Nothing in it that Benchberry did not make
        is ever dropped or changed.
      </Text>
      <Loaded query={targets} skeleton={<SkeletonRows rows={4} />}>
        {(list) => (
          <>
            <Table.ScrollContainer minWidth={720}>
              <Table className="panel" aria-label="Targets" withRowBorders>
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>Name</Table.Th>
                    <Table.Th>Engine</Table.Th>
                    <Table.Th>Address</Table.Th>
                    <Table.Th>Last seen as</Table.Th>
                    <Table.Th ta="right">Size</Table.Th>
                    <Table.Th>
                      <span className="visually-hidden">Actions</span>
                    </Table.Th>
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {list.map((target) => (
                    <TargetRow
                      key={target.id}
                      target={target}
                      engine={engines.data?.find((engine) => engine.id === target.engine) ?? null}
                    />
                  ))}
                </Table.Tbody>
              </Table>
            </Table.ScrollContainer>
            {list.every((target) => target.builtIn) && (
              <EmptyHint action={{ label: 'Add a target', href: paths.newTarget }}>
                None of your own yet: a host, a user and a password are enough to measure a server.
              </EmptyHint>
            )}
          </>
        )}
      </Loaded>
    </Page>
  );
}
