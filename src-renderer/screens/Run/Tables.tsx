import { Table, Text } from '@mantine/core';
import { Fragment, type ReactNode } from 'react';
import type { Latency } from '../../../src-shared/model/latency.ts';
import type { Operation, Phase } from '../../../src-shared/model/run.ts';
import {
  formatBytes,
  formatCount,
  formatElapsed,
  formatLatency,
  formatRate,
} from '../../../src-shared/units.ts';
import { FetchTable } from './FetchTable.tsx';
import classes from './Run.module.css';
import { verified } from './RunFigures.tsx';
import { TransactionTables } from './TransactionTables.tsx';

/** Phases and operations of a run, full digits. */
export function Tables(props: { phases: readonly Phase[]; active: boolean }): ReactNode {
  const { phases } = props;
  if (phases.length === 0) {
    return (
      <Text className="panel" c="dimmed">
        {props.active
          ? 'Totals come when the first phase has ended. Until then the charts show each second.'
          : 'No phase was measured.'}
      </Text>
    );
  }
  return (
    <div className={classes.stack}>
      <section className="panel">
        <h2 className={classes.sideTitle}>Phases</h2>
        <Table.ScrollContainer minWidth={900}>
          <Table fz="sm" verticalSpacing={4} className={classes.figuresTable} aria-label="Phases">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Phase</Table.Th>
                {['workers', 'seconds', 'rows', 'rows/s', 'metrics', 'metrics/s', 'data'].map((name) => (
                  <Table.Th key={name}>{name}</Table.Th>
                ))}
                <Table.Th>verified</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {phases.map((phase) => (
                <PhaseRow key={phase.index} phase={phase} />
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
        {phases.flatMap((phase) =>
          phase.notes.map((note) => (
            <Text key={`${phase.index} ${note}`} size="sm" c="dimmed">
              {phase.name}: {note}
            </Text>
          )),
        )}
      </section>
      {phases.map((phase) => (
        <Fragment key={phase.index}>
          <OfPhase phase={phase} />
          {phase.transactions && <TransactionTables phase={phase} figures={phase.transactions} />}
        </Fragment>
      ))}
    </div>
  );
}

function OfPhase(props: { phase: Phase }): ReactNode {
  const { phase } = props;
  if (phase.kind === 'initialize') return <Steps phase={phase} />;
  if (phase.operations.some(({ readers }) => readers !== undefined)) return <FetchTable phase={phase} />;
  return <Operations phase={phase} />;
}

function PhaseRow(props: { phase: Phase }): ReactNode {
  const { phase } = props;
  const load = phase.kind === 'load';
  const rows = phase.kind !== 'transactions';
  return (
    <Table.Tr>
      <Table.Th scope="row">{phase.name}</Table.Th>
      <Table.Td>{formatCount(phase.workers)}</Table.Td>
      <Table.Td title={formatElapsed(phase.seconds * 1000)}>{phase.seconds.toFixed(3)}</Table.Td>
      <Table.Td>
        {rows ? formatCount(phase.rows) : '–'}
        {phase.plannedRows !== null && phase.plannedRows !== phase.rows && (
          <span className="quiet"> of {formatCount(phase.plannedRows)}</span>
        )}
      </Table.Td>
      <Table.Td>{rows ? formatRate(phase.rowsPerSecond) : '–'}</Table.Td>
      <Table.Td>{load ? formatCount(phase.metrics) : '–'}</Table.Td>
      <Table.Td>{load ? formatRate(phase.metricsPerSecond) : '–'}</Table.Td>
      <Table.Td title={`${formatCount(phase.bytes)} bytes`}>
        {phase.kind === 'initialize' ? '–' : formatBytes(phase.bytes)}
      </Table.Td>
      <Table.Td>{load ? verified(phase) : (unverified[phase.kind] ?? '–')}</Table.Td>
    </Table.Tr>
  );
}

const unverified: Partial<Record<Phase['kind'], string>> = {
  queries: 'rows read',
  initialize: 'rows written',
};

const rates: Record<Phase['kind'], string> = {
  load: 'batches/s',
  queries: 'q/s',
  initialize: 'parts/s',
  transactions: 'TPS',
};

const latencies: readonly (readonly [string, keyof Latency])[] = [
  ['min', 'min'],
  ['p50', 'p50'],
  ['mean', 'mean'],
  ['p90', 'p90'],
  ['p95', 'p95'],
  ['p99', 'p99'],
  ['p99.9', 'p999'],
  ['max', 'max'],
  ['stddev', 'stddev'],
];

function Operations(props: { phase: Phase }): ReactNode {
  const { phase } = props;
  const rate = rates[phase.kind];
  const paced = phase.operations.some(({ serviceUs }) => serviceUs !== null);
  return (
    <section className="panel">
      <h2 className={classes.sideTitle}>{phase.name}: operations</h2>
      <Table.ScrollContainer minWidth={900}>
        <Table
          fz="sm"
          verticalSpacing={4}
          className={classes.figuresTable}
          aria-label={`Operations of ${phase.name}`}
        >
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Operation</Table.Th>
              {[
                'count',
                phase.kind === 'transactions' ? 'failed' : 'errors',
                ...(paced ? ['late', 'dropped'] : []),
                rate,
                ...latencies.map(([name]) => name),
              ].map((name) => (
                <Table.Th key={name}>{name}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {phase.operations.map((operation) => (
              <OperationRows key={operation.name} operation={operation} paced={paced} />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {paced && (
        <Text size="sm" c="dimmed">
          A rate was set: latency counts from the scheduled start, service time from the actual one.
        </Text>
      )}
    </section>
  );
}

/** Making tables: how long each step took. */
function Steps(props: { phase: Phase }): ReactNode {
  const { phase } = props;
  return (
    <section className="panel">
      <h2 className={classes.sideTitle}>{phase.name}: steps</h2>
      <Table
        fz="sm"
        verticalSpacing={4}
        className={classes.figuresTable}
        aria-label={`Steps of ${phase.name}`}
      >
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Step</Table.Th>
            <Table.Th>seconds</Table.Th>
            <Table.Th>rows</Table.Th>
            <Table.Th>rows/s</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {phase.operations.map(({ name, seconds, rows }) => (
            <Table.Tr key={name}>
              <Table.Th scope="row">{name}</Table.Th>
              <Table.Td>{seconds.toFixed(3)}</Table.Td>
              <Table.Td>{rows > 0 ? formatCount(rows) : '–'}</Table.Td>
              <Table.Td>{rows > 0 && seconds > 0 ? formatRate(rows / seconds) : '–'}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}

function OperationRows(props: { operation: Operation; paced: boolean }): ReactNode {
  const { operation, paced } = props;
  return (
    <>
      <Table.Tr>
        <Table.Th scope="row">{operation.name}</Table.Th>
        <Table.Td>{formatCount(operation.count)}</Table.Td>
        <Table.Td data-bad={operation.errors > 0 || undefined}>{formatCount(operation.errors)}</Table.Td>
        {paced && (
          <>
            <Table.Td>{formatCount(operation.late)}</Table.Td>
            <Table.Td>{formatCount(operation.dropped)}</Table.Td>
          </>
        )}
        <Table.Td>{formatRate(operation.perSecond)}</Table.Td>
        <LatencyCells latency={operation.latencyUs} />
      </Table.Tr>
      {paced && operation.serviceUs && (
        <Table.Tr>
          <Table.Th scope="row" className="quiet">
            service time
          </Table.Th>
          <Table.Td colSpan={5} />
          <LatencyCells latency={operation.serviceUs} />
        </Table.Tr>
      )}
    </>
  );
}

function LatencyCells(props: { latency: Latency | null }): ReactNode {
  return latencies.map(([name, key]) => {
    const value = props.latency?.[key];
    return (
      <Table.Td key={name} title={value === undefined ? undefined : `${value.toLocaleString('en-US')} µs`}>
        {value === undefined ? '–' : formatLatency(value)}
      </Table.Td>
    );
  });
}
