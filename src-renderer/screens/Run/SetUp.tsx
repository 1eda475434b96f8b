import { Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Run } from '../../../src-shared/model/run.ts';
import type { ServerDescription } from '../../../src-shared/model/server.ts';
import { namedSteps, parameterText } from '../../../src-shared/stats/facts.ts';
import { formatBytes, formatLatency } from '../../../src-shared/units.ts';
import { CopyValue } from '../../components/CopyValue.tsx';
import { Facts } from './Facts.tsx';
import { HostMachine } from './HostMachine.tsx';
import classes from './Run.module.css';

/** What was run, against which server, from which machine: as recorded when the run started. */
export function SetUp(props: { run: Run }): ReactNode {
  const { run } = props;
  const { client } = run;
  return (
    <div className={classes.setUp}>
      <section className="panel">
        <h2 className={classes.sideTitle}>Plan: {run.plan.name}</h2>
        <Facts
          facts={[
            ['Seed', run.seed === null ? 'none' : String(run.seed)],
            ['Repeats', String(run.plan.repeat)],
            ['Run', <CopyValue key="id" value={run.id} label="run's id" />],
          ]}
        />
        {namedSteps(run).map((step) => (
          <StepTable key={step.name} step={step} />
        ))}
      </section>
      <div className={classes.stack}>
        {run.host !== null && <HostMachine host={run.host} />}
        <section className="panel">
          <h2 className={classes.sideTitle}>Server</h2>
          {run.server === null ? (
            <Text c="dimmed">The server was not reached.</Text>
          ) : (
            <Server server={run.server} target={run.targetName} />
          )}
        </section>
        {client !== null && (
          <section className="panel">
            <h2 className={classes.sideTitle}>Client machine</h2>
            <Facts
              facts={[
                ['Machine', client.hostname],
                ['System', client.os],
                ['CPU', `${client.cpu}, ${client.cores} cores, ${client.arch}`],
                ['Memory', formatBytes(client.memoryBytes)],
                ['Node', client.node],
                ['Benchberry', client.toolVersion],
              ]}
            />
          </section>
        )}
      </div>
    </div>
  );
}

function StepTable(props: { step: ReturnType<typeof namedSteps>[number] }): ReactNode {
  const { name, parameters } = props.step;
  return (
    <Table fz="sm" mt={16} verticalSpacing={2} aria-label={`Parameters of ${name}`}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{name}</Table.Th>
          <Table.Th>every default filled in</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {Object.entries(parameters).map(([key, value]) => (
          <Table.Tr key={key}>
            <Table.Td className="mono">{key}</Table.Td>
            <Table.Td className={classes.value}>{parameterText(value) || '(empty)'}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function Server(props: { server: ServerDescription; target: string }): ReactNode {
  const { server } = props;
  return (
    <>
      <Facts
        facts={[
          ['Target', props.target],
          ['Product', `${server.product} ${server.version}`],
          ['Edition', server.edition],
          ['Database', server.database === '' ? 'none' : server.database],
          ['Encryption', server.tls ?? 'none'],
          ['Round trip', formatLatency(server.roundTripUs)],
          ['Version text', server.versionText],
        ]}
      />
      {server.notes.map((note) => (
        <Text key={note} size="sm" mt={8}>
          {note}
        </Text>
      ))}
      {server.settings.length === 0 ? (
        <Text size="sm" c="dimmed" mt={8}>
          No setting differs from the server's defaults.
        </Text>
      ) : (
        <Table
          fz="sm"
          mt={16}
          verticalSpacing={2}
          aria-label="Settings that differ from the server's defaults"
        >
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Setting that differs from its default</Table.Th>
              <Table.Th>Value</Table.Th>
              <Table.Th>Set by</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {server.settings.map((setting) => (
              <Table.Tr key={setting.name}>
                <Table.Td className="mono">{setting.name}</Table.Td>
                <Table.Td className={classes.value}>
                  {setting.value === '' ? '(empty)' : setting.value} {setting.unit}
                </Table.Td>
                <Table.Td>{setting.source}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </>
  );
}
