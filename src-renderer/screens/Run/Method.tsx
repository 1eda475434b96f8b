import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Phase, Run } from '../../../src-shared/model/run.ts';
import { verdictLabels } from '../../../src-shared/model/verdict.ts';
import { formatCount, formatCounted, formatRate } from '../../../src-shared/units.ts';
import { Facts } from './Facts.tsx';
import classes from './Run.module.css';

const definitions = [
  [
    'Rows per second',
    'Rows acknowledged by the server ÷ wall time of the load. The clock starts after the tables are made and stops with the last acknowledgement; the final count is outside. A batch counts once it is acknowledged, never when it is sent, unless the server answers nothing: the load then says that its rate is that of sending.',
  ],
  [
    'Metrics per second',
    'Field values written ÷ the same time; nulls are counted, tags and time are not. This is what TSBS calls a metric.',
  ],
  [
    'TPS',
    'Transactions done ÷ wall time from the moment all clients were connected to the end of the last transaction. Failed and skipped ones are not among them, nor those of the warm-up. One transaction is one run of a script, tries that were repeated included.',
  ],
  [
    'Latency',
    'From handing a batch or a query to the connection until its last row or its acknowledgement is read, in microseconds. Making the rows of a batch is not part of it. With a rate set the clock starts when the operation was due, so that waiting is not hidden; the time from the actual start is kept beside it as service time.',
  ],
  [
    'Percentiles',
    'From one HDR histogram per operation over the whole phase, merged from the workers. They are never averaged and never taken from other percentiles.',
  ],
  [
    'Rates in charts',
    'The count of an interval ÷ its measured length, which is about a second and never assumed to be one. Means are sums ÷ time.',
  ],
  [
    'Client load',
    'Event-loop utilisation of the busiest worker. When it is near 100 % the loader was the limit, and the run is marked client-bound.',
  ],
  [
    'Health of the host',
    'Raw counters of the kernel, read once a second through one SSH connection by a script that is not stored there; every rate is the difference of two readings ÷ the time between them on the host’s own clock. Bits of the firmware are read every five seconds. What was not sampled is a gap.',
  ],
  [
    'Telemetry of the server',
    "Read on a connection of its own: what the run's sessions do ten times a second, counters once a second. Shares of waits are shares of what was found at those looks. A checkpoint's start comes from the server's control file and the moment its process began to work, its end from the control file; both are within a second. What was not sampled is a gap.",
  ],
  [
    'Stalls and steadiness',
    'A stall is a second with less than a tenth of the median second of its phase; beside it stands what else was seen then, which is no proof. For steadiness the first tenth of a phase, a minute at most, is left out; the halves of the rest are compared by a block bootstrap and its slope is Theil and Sen’s, both with 95 % intervals. Changes below 2 % count as none; where an interval reaches beyond 5 % the question is left open.',
  ],
  [
    'Verified rows',
    'After a load the rows in the database are counted and compared with the rows acknowledged.',
  ],
] as const;

/** How each figure came about: the rule, and the sums with this run's own numbers. */
export function Method(props: { run: Run }): ReactNode {
  const { run } = props;
  return (
    <div className={classes.setUp}>
      <section className="panel">
        <h2 className={classes.sideTitle}>With the numbers of this run</h2>
        {run.phases.length === 0 && <Text c="dimmed">No phase has ended yet.</Text>}
        {run.phases.map((phase) => (
          <Sums key={phase.index} phase={phase} />
        ))}
        {run.verdicts.map((verdict) => (
          <div key={verdict.code} className={classes.sums}>
            <h3>Verdict: {verdictLabels[verdict.code]}</h3>
            <Text size="sm">{verdict.reason}</Text>
            {verdict.advice !== '' && <Text size="sm">{verdict.advice}</Text>}
          </div>
        ))}
      </section>
      <section className="panel">
        <h2 className={classes.sideTitle}>Rules</h2>
        <Facts facts={definitions} />
      </section>
    </div>
  );
}

function Sums(props: { phase: Phase }): ReactNode {
  const { phase } = props;
  const seconds = `${phase.seconds.toFixed(3)} s`;
  return (
    <div className={classes.sums}>
      <h3>{phase.name}</h3>
      <ul>
        {phase.kind === 'load' ? (
          <>
            <li>
              {formatCount(phase.rows)} rows ÷ {seconds} = {formatRate(phase.rowsPerSecond)} rows/s
            </li>
            <li>
              {formatCount(phase.metrics)} metrics ÷ {seconds} = {formatRate(phase.metricsPerSecond)}{' '}
              metrics/s
            </li>
            {phase.visible !== undefined && (
              <li>
                {phase.visible === null
                  ? 'Not all rows could be queried when waiting for them was given up.'
                  : `${formatCount(phase.rows)} rows ÷ ${phase.visible.seconds.toFixed(3)} s = ${formatRate(phase.visible.rowsPerSecond)} rows/s, from the start until all could be queried`}
              </li>
            )}
            <li>
              {phase.verifiedRows === null
                ? 'The rows were not counted in the database.'
                : `${formatCounted(phase.verifiedRows, 'row')} counted in the database, ${formatCount(phase.rows)} ${phase.unanswered ? 'sent' : 'acknowledged'}`}
            </li>
          </>
        ) : phase.kind === 'initialize' ? (
          <li>
            {formatCounted(phase.rows, 'row')} in {seconds}, all steps one after the other
          </li>
        ) : (
          phase.operations.map((operation) => (
            <li key={operation.name}>
              {operation.name}: {formatCount(operation.count)} {phase.transactions ? 'done' : 'queries'} ÷{' '}
              {operation.seconds.toFixed(3)} s = {formatRate(operation.perSecond)}{' '}
              {phase.transactions ? 'TPS' : 'q/s'}
            </li>
          ))
        )}
        <li>{formatCounted(phase.workers, phase.transactions ? 'client' : 'connection')}</li>
      </ul>
    </div>
  );
}
