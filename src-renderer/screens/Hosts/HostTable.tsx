import { Table } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Host } from '../../../src-shared/model/host.ts';
import { HostRow } from './HostRow.tsx';

/** A row per host: what it is, how it was when it was last looked at, what was set up on it. */
export function HostTable(props: { hosts: readonly Host[]; label: string }): ReactNode {
  return (
    <Table.ScrollContainer minWidth={720}>
      <Table className="panel" aria-label={props.label}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Name</Table.Th>
            <Table.Th>Board</Table.Th>
            <Table.Th>System</Table.Th>
            <Table.Th>Root disk</Table.Th>
            <Table.Th>State</Table.Th>
            <Table.Th>Set up</Table.Th>
            <Table.Th>
              <span className="visually-hidden">Actions</span>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {props.hosts.map((host) => (
            <HostRow key={host.id} host={host} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
