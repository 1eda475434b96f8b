import { Button, Collapse, Group, List, Stack, Table, Text } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { type ReactNode, useId, useState } from 'react';
import type { ServerDescription } from '../../../src-shared/model/server.ts';
import { formatBytes, formatCount, formatLatency } from '../../../src-shared/units.ts';
import { TimeAgo } from '../../components/TimeAgo.tsx';
import classes from './Targets.module.css';

/** What a server said of itself: figures, remarks, and the settings that differ from its defaults. */
export function ServerFacts(props: { server: ServerDescription; seenAt: string | null }): ReactNode {
  const { server } = props;
  const [opened, setOpened] = useState(false);
  const listId = useId();
  return (
    <Stack gap={8} component="section" aria-label="What the server says">
      <Group gap={8}>
        <IconCircleCheck size={18} color="var(--good)" aria-hidden />
        <Text fw={600} role="status">
          {props.seenAt === null ? 'The connection works' : 'Last seen'}
        </Text>
        {props.seenAt !== null && (
          <Text c="dimmed">
            <TimeAgo iso={props.seenAt} />
          </Text>
        )}
      </Group>
      <dl className={classes.facts}>
        <Fact label="Version" value={`${server.product} ${server.version}`} exact={server.versionText} />
        <Fact label="Edition" value={server.edition} />
        <Fact
          label={server.database === '' ? 'Size' : `Size of ${server.database}`}
          value={formatBytes(server.sizeBytes)}
          exact={`${formatCount(server.sizeBytes)} bytes`}
        />
        <Fact
          label="Round trip"
          value={formatLatency(server.roundTripUs)}
          exact={`${formatCount(server.roundTripUs)} µs, median of several`}
        />
        <Fact label="Encryption" value={server.tls ?? 'none'} />
      </dl>
      {server.notes.length > 0 && (
        <List size="sm" spacing={4}>
          {server.notes.map((note) => (
            <List.Item key={note}>{note}</List.Item>
          ))}
        </List>
      )}
      {server.settings.length > 0 && (
        <div>
          <Button
            variant="subtle"
            color="gray"
            size="compact-sm"
            aria-expanded={opened}
            aria-controls={listId}
            onClick={() => setOpened(!opened)}
          >
            {opened ? 'Hide' : 'Show'} {server.settings.length} settings that differ from the server’s
            defaults
          </Button>
          <Collapse id={listId} expanded={opened}>
            <Table mt={8} fz="sm">
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>Setting</Table.Th>
                  <Table.Th>Value</Table.Th>
                  <Table.Th>Set by</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {server.settings.map((setting) => (
                  <Table.Tr key={setting.name}>
                    <Table.Td className="mono">{setting.name}</Table.Td>
                    <Table.Td className="mono">
                      {setting.value}
                      {setting.unit !== null && ` ${setting.unit}`}
                    </Table.Td>
                    <Table.Td>{setting.source}</Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Collapse>
        </div>
      )}
    </Stack>
  );
}

function Fact(props: { label: string; value: string; exact?: string }): ReactNode {
  return (
    <div title={props.exact}>
      <dt>{props.label}</dt>
      <dd>{props.value}</dd>
    </div>
  );
}
