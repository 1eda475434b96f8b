import type { ReactNode } from 'react';
import { isActive, type Phase, type Run } from '../../../src-shared/model/run.ts';
import { tickKind } from '../../../src-shared/model/tick.ts';
import type { TransactionFigures } from '../../../src-shared/model/transactions.ts';
import { distinctOperations, wholeOperation } from '../../../src-shared/model/wholeOperation.ts';
import type { Micros } from '../../../src-shared/units.ts';
import { formatCount, formatCounted, formatLatency, formatRate } from '../../../src-shared/units.ts';
import { Figure, Figures } from '../../components/Figure.tsx';
import { SkeletonFigures } from '../../components/Skeletons.tsx';
import type { FeedSnapshot } from '../../state/runFeed.ts';
import type { Timeline } from '../../state/timeline.ts';
import { HostFigure } from './HostFigure.tsx';

/** Five figures: what is being done now while the run is on, what came out when it has ended. */
export function RunFigures(props: { run: Run; feed: FeedSnapshot }): ReactNode {
  const { run, feed } = props;
  if (feed.status === 'loading') return <SkeletonFigures />;
  const { timeline } = feed;
  // Zeros of a run that measured nothing would look like figures.
  if (timeline.last === null && !isActive(run.status)) return null;
  return (
    <Figures label="Figures of this run">
      {isActive(run.status) ? <LiveFigures timeline={timeline} /> : <SavedFigures run={run} />}
      <Figure
        label="Errors"
        value={formatCount(timeline.errors)}
        aside={
          timeline.last === null
            ? 'nothing measured yet'
            : timeline.errors === 0
              ? 'every operation succeeded'
              : 'operations that failed'
        }
      />
      {run.host === null ? (
        <ClientLoad timeline={timeline} live={isActive(run.status)} />
      ) : (
        <HostFigure name={run.host.name} feed={feed} live={isActive(run.status)} />
      )}
    </Figures>
  );
}

const liveWords = {
  load: { what: 'Rows', unit: 'rows/s', key: 'rows', one: 'batch' },
  initialize: { what: 'Rows', unit: 'rows/s', key: 'rows', one: 'part' },
  queries: { what: 'Queries', unit: 'queries/s', key: 'operations', one: 'query' },
  transactions: { what: 'Transactions', unit: 'TPS', key: 'operations', one: 'transaction' },
} as const;

function LiveFigures(props: { timeline: Timeline }): ReactNode {
  const { last, now, overall } = props.timeline;
  const kind = last === null ? 'load' : tickKind(last);
  const { what, unit, key, one } = liveWords[kind];
  // Percentiles of two histograms cannot be joined: the last operation of the interval speaks.
  const latency = last?.operations.findLast(({ latencyUs }) => latencyUs !== null);
  return (
    <>
      <Figure label={`${what} now`} value={formatRate(now[key])} unit={unit} aside="in the last interval" />
      <Figure label="Overall" value={formatRate(overall[key])} unit={unit} aside="of this phase so far" />
      <Latency
        us={latency?.latencyUs?.p99 ?? null}
        label={`p99 ${one}`}
        aside={kind === 'queries' ? `${latency?.name ?? ''}, last interval` : 'in the last interval'}
      />
    </>
  );
}

function SavedFigures(props: { run: Run }): ReactNode {
  const { run } = props;
  const phaseOf = (kind: Phase['kind']) => run.phases.find((phase) => phase.kind === kind);
  const [transactions, load, queries, made] = [
    phaseOf('transactions'),
    phaseOf('load'),
    phaseOf('queries'),
    phaseOf('initialize'),
  ];
  const first = run.phases.find(({ kind }) => kind !== 'initialize');
  const asked = queries && wholeOperation(queries, queries.operations);
  const distinct = queries ? distinctOperations(queries, queries.operations) : [];
  return (
    <>
      {transactions?.transactions ? (
        <TransactionsDone phase={transactions} figures={transactions.transactions} />
      ) : load ? (
        <>
          <Figure
            label="Rows per second"
            value={formatRate(load.rowsPerSecond)}
            unit={load.unanswered ? 'rows/s sent' : 'rows/s'}
            aside={
              load.visible ? visibleRate(load.visible) : `${formatRate(load.metricsPerSecond)} metrics/s`
            }
            exact={load.visible ? visibleWords(load) : undefined}
          />
          <Figure label="Rows" value={formatCount(load.rows)} aside={verified(load)} />
        </>
      ) : queries ? (
        <>
          <Figure
            label="Queries per second"
            value={formatRate(asked?.perSecond ?? Number.NaN)}
            unit="queries/s"
            aside={asked?.name ?? 'of each below'}
          />
          <Figure
            label="Queries"
            value={formatCount(distinct.reduce((n, { count }) => n + count, 0))}
            aside={`${formatCount(queries.rows)} rows read`}
          />
        </>
      ) : (
        <>
          <Figure
            label="Rows per second"
            value={formatRate(made?.rowsPerSecond ?? Number.NaN)}
            unit="rows/s"
            aside="keys and vacuum included"
          />
          <Figure label="Rows" value={formatCount(made?.rows ?? 0)} aside="in new tables" />
        </>
      )}
      <Latency
        us={run.p99Us}
        label={`p99 ${first === undefined ? 'of a part' : liveWords[first.kind].one}`}
        aside={latencyAside(first)}
      />
    </>
  );
}

function visibleWords({ unanswered }: Phase): string {
  const counted = unanswered ? 'they are sent' : 'the server has acknowledged them';
  return `The large figure counts rows when ${counted}; the small one until queries find them all.`;
}

function visibleRate({ rowsPerSecond }: NonNullable<Phase['visible']>): string {
  return `${formatRate(rowsPerSecond)} rows/s until all can be queried`;
}

function TransactionsDone(props: { phase: Phase; figures: TransactionFigures }): ReactNode {
  const { phase, figures } = props;
  const { failed, skipped, retried } = figures;
  const others = [
    ...(failed > 0 ? [`${formatCount(failed)} failed`] : []),
    ...(skipped > 0 ? [`${formatCount(skipped)} skipped`] : []),
    ...(retried > 0 ? [`${formatCount(retried)} tried again`] : []),
  ];
  return (
    <>
      <Figure
        label="Transactions per second"
        value={formatRate(figures.tps)}
        unit="TPS"
        aside={formatCounted(figures.clients, 'client')}
      />
      <Figure
        label="Transactions"
        value={formatCount(phase.operations[0]?.count ?? 0)}
        aside={others.join(', ') || 'all at the first try'}
      />
    </>
  );
}

function latencyAside(first: Phase | undefined): string {
  const operation = first && wholeOperation(first, first.operations);
  if (first === undefined || first.operations.length === 0) return 'nothing measured';
  if (operation === undefined) return 'of each below';
  if (first.kind === 'load') return 'of all batches';
  if (first.kind === 'queries') return operation.name;
  return operation.serviceUs === null ? 'of all transactions' : 'from the schedule';
}

function Latency(props: { us: Micros | null; label: string; aside: string }): ReactNode {
  const [value = '–', unit] = props.us === null ? [] : formatLatency(props.us).split(' ');
  const exact = props.us === null ? undefined : `${formatCount(props.us)} µs`;
  return <Figure label={props.label} value={value} unit={unit} exact={exact} aside={props.aside} />;
}

function ClientLoad(props: { timeline: Timeline; live: boolean }): ReactNode {
  const { timeline, live } = props;
  const share = live ? (timeline.last?.client.busiest ?? Number.NaN) : timeline.meanBusiest;
  return (
    <Figure
      label="Client load"
      value={Number.isNaN(share) ? '–' : formatCount(share * 100)}
      unit="%"
      exact="Busiest worker's event loop, waits for a data file included. Near 100 % the client, not the server, is the limit."
      aside={live ? 'busiest worker now' : 'busiest worker, mean'}
    />
  );
}

/** Rows counted in the database against rows acknowledged. */
export function verified(phase: Phase): string {
  if (phase.verifiedRows === null) return 'not counted in the database';
  if (phase.verifiedRows === phase.rows) return 'all counted in the database';
  return `${formatCount(phase.verifiedRows)} counted in the database`;
}
