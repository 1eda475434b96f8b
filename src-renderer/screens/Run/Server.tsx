import { Alert, Table, Text } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { type ReactNode, useMemo } from 'react';
import type { CommandOutput } from '../../../src-shared/contract/commands.ts';
import { isActive, type Run } from '../../../src-shared/model/run.ts';
import type { ServerWatch, Statement } from '../../../src-shared/model/telemetry.ts';
import { serverReport } from '../../../src-shared/stats/serverReport.ts';
import { tableGrowth } from '../../../src-shared/stats/serverTotals.ts';
import { formatBytes, formatCount, formatLatency } from '../../../src-shared/units.ts';
import { useCommand } from '../../api.tsx';
import { Loaded } from '../../components/Loaded.tsx';
import { SkeletonBlock } from '../../components/Skeletons.tsx';
import type { FeedSnapshot } from '../../state/runFeed.ts';
import { PhaseServer } from './PhaseServer.tsx';
import classes from './Run.module.css';
import own from './Server.module.css';

/** What the database server did during the run, phase by phase; while it is on, up to now. */
export function Server(props: { run: Run; feed: FeedSnapshot }): ReactNode {
  return isActive(props.run.status) ? <Live run={props.run} feed={props.feed} /> : <Ended run={props.run} />;
}

/** Stalls and steadiness are judged once all of it is there. */
function Live(props: { run: Run; feed: FeedSnapshot }): ReactNode {
  const { run, feed } = props;
  const { server, serverWatch } = feed;
  // A new second, not each publication: the list is the same, only longer.
  const known = server.samples.length;
  const series = useMemo(
    () => ({ ticks: [], events: [], health: [], server: server.samples.slice(0, known), serverWatch }),
    [server, known, serverWatch],
  );
  return <Watched run={run} series={series} />;
}

function Ended(props: { run: Run }): ReactNode {
  const { run } = props;
  const series = useCommand('runs.series', { id: run.id });
  return (
    <Loaded query={series} skeleton={<SkeletonBlock height={320} />}>
      {(data) => <Watched run={run} series={data} />}
    </Loaded>
  );
}

function Watched(props: { run: Run; series: CommandOutput<'runs.series'> }): ReactNode {
  const { run, series } = props;
  const report = useMemo(() => serverReport(run, series), [run, series]);
  return (
    <div className={classes.stack}>
      {series.server.length === 0 && <p className="panel quiet">{whyNothing(run)}</p>}
      {series.serverWatch !== null && <Limits limits={series.serverWatch.limits} />}
      {isActive(run.status) && (
        <p className="quiet">Stalls, and whether the rate was steady, are judged when the run has ended.</p>
      )}
      {report
        .filter(({ waits, drift }) => waits !== null || drift !== null)
        .map((phase) => (
          <PhaseServer key={phase.name} phase={phase} />
        ))}
      {series.serverWatch !== null && <Statements watch={series.serverWatch} active={isActive(run.status)} />}
      <Sizes series={series} />
    </div>
  );
}

function whyNothing(run: Run): string {
  if (run.plan.telemetry === false)
    return 'The server was not watched in this run: its plan says telemetry: false.';
  if (isActive(run.status))
    return 'Nothing is sampled yet: the first sample comes a second after a phase has begun.';
  return 'Nothing is known of the server in this run: its engine tells nothing, nothing was measured, or it could not be watched. The events say which.';
}

function Limits(props: { limits: ServerWatch['limits'] }): ReactNode {
  const { limits } = props;
  if (limits.length === 0) return null;
  return (
    <Alert
      variant="light"
      color="gray"
      icon={<IconInfoCircle aria-hidden />}
      title="Not everything could be seen"
    >
      {limits.map(({ what, role }) => (
        <Text key={what} size="sm">
          {what}. Needs the role {role}.
        </Text>
      ))}
    </Alert>
  );
}

function Statements(props: { watch: ServerWatch; active: boolean }): ReactNode {
  const { statements, noStatements } = props.watch;
  return (
    <section className="panel" aria-labelledby="statements-title">
      <h2 id="statements-title" className={classes.sideTitle}>
        Statements that took the most time
      </h2>
      {statements.length > 0 ? (
        <Table.ScrollContainer minWidth={720}>
          <Table fz="sm" verticalSpacing={4} className={classes.figuresTable} aria-label="Statements">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Statement</Table.Th>
                {['time', 'calls', 'mean', 'rows', 'in the cache'].map((name) => (
                  <Table.Th key={name}>{name}</Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {statements.map((statement) => (
                <StatementRow key={statement.id} statement={statement} />
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      ) : (
        <p className="quiet">
          {noStatements ??
            (props.active
              ? 'They are counted when a phase has ended.'
              : 'No statement of this run was counted.')}
        </p>
      )}
    </section>
  );
}

function StatementRow(props: { statement: Statement }): ReactNode {
  const { text, calls, totalMs, rows, blocksHit, blocksRead } = props.statement;
  const pages = blocksHit + blocksRead;
  return (
    <Table.Tr>
      <Table.Th scope="row">
        <span className={own.statement}>{text.replace(/\s+/g, ' ')}</span>
      </Table.Th>
      <Table.Td>{formatLatency(totalMs * 1000)}</Table.Td>
      <Table.Td>{formatCount(calls)}</Table.Td>
      <Table.Td>{formatLatency((totalMs * 1000) / calls)}</Table.Td>
      <Table.Td>{formatCount(rows)}</Table.Td>
      <Table.Td>{pages > 0 ? `${((100 * blocksHit) / pages).toFixed(1)} %` : '–'}</Table.Td>
    </Table.Tr>
  );
}

function Sizes(props: { series: CommandOutput<'runs.series'> }): ReactNode {
  const tables = tableGrowth(props.series.server);
  if (tables.length === 0) return null;
  return (
    <section className="panel" aria-labelledby="sizes-title">
      <h2 id="sizes-title" className={classes.sideTitle}>
        Largest tables
      </h2>
      <Table.ScrollContainer minWidth={520}>
        <Table fz="sm" verticalSpacing={4} className={classes.figuresTable} aria-label="Largest tables">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Table</Table.Th>
              {['at first', 'at last', 'of which indexes'].map((name) => (
                <Table.Th key={name}>{name}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {tables.map(({ name, before, after, indexBytes }) => (
              <Table.Tr key={name}>
                <Table.Th scope="row">{name}</Table.Th>
                <Table.Td>{before === null ? '–' : formatBytes(before)}</Table.Td>
                <Table.Td>{formatBytes(after)}</Table.Td>
                <Table.Td>{formatBytes(indexBytes)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <p className={own.under}>
        Looked at every ten seconds while something is measured; what a table is divided into counts with it.
      </p>
    </section>
  );
}
