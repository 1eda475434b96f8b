import { Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { CacheState, Operation, Phase } from '../../../src-shared/model/run.ts';
import { formatBytes, formatCount, formatLatency, formatRate } from '../../../src-shared/units.ts';
import classes from './Run.module.css';

const cacheWords: Record<CacheState, string> = {
  restarted: 'server restarted',
  first: 'never read before',
  warm: 'read before',
};

const columns: readonly (readonly [string, (operation: Operation) => string])[] = [
  ['fetches', ({ count }) => formatCount(count)],
  ['errors', ({ errors }) => formatCount(errors)],
  ['fetches/s', ({ perSecond }) => formatRate(perSecond)],
  ['rows/s', ({ rows, seconds }) => formatRate(rows / seconds)],
  ['data/s', ({ bytes, seconds }) => `${formatBytes(bytes / seconds)}/s`],
  ['first row p50', ({ firstRowUs }) => latency(firstRowUs?.p50)],
  ['first row p99', ({ firstRowUs }) => latency(firstRowUs?.p99)],
  ['last row p50', ({ latencyUs }) => latency(latencyUs?.p50)],
  ['p95', ({ latencyUs }) => latency(latencyUs?.p95)],
  ['p99', ({ latencyUs }) => latency(latencyUs?.p99)],
  ['max', ({ latencyUs }) => latency(latencyUs?.max)],
];

function latency(us: number | undefined): string {
  return us === undefined ? '–' : formatLatency(us);
}

/** Select + fetch: cold and warm fetches by the number of readers. */
export function FetchTable(props: { phase: Phase }): ReactNode {
  const { phase } = props;
  return (
    <section className="panel">
      <h2 className={classes.sideTitle}>{phase.name}: fetches</h2>
      <Table.ScrollContainer minWidth={900}>
        <Table
          fz="sm"
          verticalSpacing={4}
          className={classes.figuresTable}
          aria-label={`Fetches of ${phase.name}`}
        >
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Readers</Table.Th>
              {columns.map(([name]) => (
                <Table.Th key={name}>{name}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {phase.operations.map((operation) => (
              <Table.Tr key={operation.name}>
                <Table.Th scope="row" title={operation.cache && cacheWords[operation.cache]}>
                  {operation.name}
                </Table.Th>
                {columns.map(([name, read]) => (
                  <Table.Td key={name} data-bad={(name === 'errors' && operation.errors > 0) || undefined}>
                    {read(operation)}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <Text size="sm" c="dimmed">
        First read: rows that nobody has read since they were inserted. After a restart: what the server kept
        in memory is gone. Warm: the same rows again. They are never put into one figure. The first row has
        come with the first bytes of the answer.
      </Text>
    </section>
  );
}
