import { Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Phase } from '../../../src-shared/model/run.ts';
import {
  conflictName,
  type StatementFigures,
  type TransactionFigures,
} from '../../../src-shared/model/transactions.ts';
import { formatCount, formatCounted, formatLatency, formatRate } from '../../../src-shared/units.ts';
import { Facts } from './Facts.tsx';
import classes from './Run.module.css';

/** What became of a phase's transactions, and its statements one by one where figures of them were asked for. */
export function TransactionTables(props: { phase: Phase; figures: TransactionFigures }): ReactNode {
  const { phase, figures } = props;
  return (
    <>
      <section className="panel">
        <h2 className={classes.sideTitle}>{phase.name}: transactions</h2>
        <Facts facts={facts(phase, figures)} />
      </section>
      {figures.statements.length > 0 && <Statements name={phase.name} figures={figures} />}
    </>
  );
}

function facts(phase: Phase, figures: TransactionFigures): (readonly [string, string])[] {
  const { failed, retried, retries, skipped, late, latencyLimitMs: limit, lag } = figures;
  const done = phase.operations[0]?.count ?? 0;
  const ofAll = (n: number) => share(n, done + failed + skipped);
  const conflicts = Object.entries(figures.conflicts);
  return [
    ['TPS', `${formatRate(figures.tps)}, without the time until all clients were connected`],
    ['Clients', `${formatCount(figures.clients)} on ${formatCounted(figures.threads, 'thread')}`],
    // What only the end of a phase tells is left out where the end is missing.
    ...(figures.connectSeconds > 0
      ? [['Connecting', `${(figures.connectSeconds * 1000).toFixed(1)} ms until all were open`] as const]
      : []),
    ...(figures.reconnects > 0
      ? [
          [
            'Connections for one transaction',
            `${formatCount(figures.reconnects)}, ${formatLatency((figures.reconnectSeconds / figures.reconnects) * 1e6)} each; TPS has that time in it`,
          ] as const,
        ]
      : []),
    ['Done', formatCount(done)],
    ['Failed', `${formatCount(failed)} ${ofAll(failed)}`],
    [
      'Tried again',
      `${formatCount(retried)} ${ofAll(retried)}, ${formatCounted(retries, 'retry', 'retries')} in all`,
    ],
    [
      'Conflicts',
      conflicts.length === 0
        ? 'none'
        : conflicts.map(([state, n]) => `${formatCount(n)} × ${conflictName(state)}`).join(', '),
    ],
    ...(limit === null
      ? []
      : [
          [`Above ${limit} ms`, `${formatCount(late)} ${share(late, done)} of those done`] as const,
          ['Skipped', `${formatCount(skipped)} ${ofAll(skipped)}`] as const,
        ]),
    ...(lag === null
      ? []
      : [
          [
            'Behind the schedule',
            `${formatLatency(lag.meanUs)} on average, ${formatLatency(lag.maxUs)} at most`,
          ] as const,
        ]),
    [
      'Statements',
      `${formatCount(figures.reads)} that read, ${formatCount(figures.writes)} that wrote, ${formatCount(figures.others)} others`,
    ],
    ...(figures.fairness.count.mean > 0
      ? [
          [
            'Shared among the clients',
            `${figures.fairness.count.mean.toFixed(1)} each on average, standard deviation ${figures.fairness.count.stddev.toFixed(1)}`,
          ] as const,
        ]
      : []),
    ...(figures.endedClients > 0
      ? [['Ended in an error', formatCounted(figures.endedClients, 'client')] as const]
      : []),
  ];
}

/** Texts may repeat; a statement's place is its name. */
function numbered(statements: readonly StatementFigures[]): { statement: StatementFigures; key: string }[] {
  return statements.map((statement, place) => ({ statement, key: `statement ${place}` }));
}

function share(n: number, of: number): string {
  return of === 0 ? '' : `(${((n / of) * 100).toFixed(3)} %)`;
}

function Statements(props: { name: string; figures: TransactionFigures }): ReactNode {
  const { name, figures } = props;
  const several = figures.scripts.length > 1;
  const script = (statement: StatementFigures) => figures.scripts[statement.script]?.name ?? '';
  return (
    <section className="panel">
      <h2 className={classes.sideTitle}>{name}: statements</h2>
      <Table.ScrollContainer minWidth={700}>
        <Table
          fz="sm"
          verticalSpacing={4}
          className={classes.figuresTable}
          aria-label={`Statements of ${name}`}
        >
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Statement</Table.Th>
              {['mean', 'executions', 'failures', 'retries'].map((column) => (
                <Table.Th key={column}>{column}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {numbered(figures.statements).map(({ statement, key }) => (
              <Table.Tr key={key}>
                <Table.Th scope="row">
                  <code className={classes.statement}>{statement.text}</code>
                  {several && <span className="quiet"> {script(statement)}</span>}
                </Table.Th>
                <Table.Td title={`${statement.meanUs.toFixed(1)} µs`}>
                  {statement.count === 0 ? '–' : formatLatency(statement.meanUs)}
                </Table.Td>
                <Table.Td>{formatCount(statement.count)}</Table.Td>
                <Table.Td>{formatCount(statement.failures)}</Table.Td>
                <Table.Td>{formatCount(statement.retries)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <Text size="sm" c="dimmed">
        From sending a statement to its last answer, successful executions only. Taking these times costs some
        throughput.
      </Text>
    </section>
  );
}
