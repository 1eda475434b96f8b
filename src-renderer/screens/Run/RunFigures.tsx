import type { ReactNode } from 'react';
import { isActive, type Phase, type Run } from '../../../src-shared/model/run.ts';
import type { Micros } from '../../../src-shared/units.ts';
import { formatCount, formatLatency, formatRate } from '../../../src-shared/units.ts';
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

function LiveFigures(props: { timeline: Timeline }): ReactNode {
  const { last, now, overall } = props.timeline;
  const load = last === null || last.operations.some(({ name }) => name === 'batch');
  const unit = load ? 'rows/s' : 'queries/s';
  const key = load ? 'rows' : 'operations';
  // Percentiles of two histograms cannot be joined: the last operation of the interval speaks.
  const latency = last?.operations.findLast(({ latencyUs }) => latencyUs !== null);
  return (
    <>
      <Figure
        label={`${load ? 'Rows' : 'Queries'} now`}
        value={formatRate(now[key])}
        unit={unit}
        aside="in the last interval"
      />
      <Figure label="Overall" value={formatRate(overall[key])} unit={unit} aside="of this phase so far" />
      <Latency
        us={latency?.latencyUs?.p99 ?? null}
        label={load ? 'p99 batch' : 'p99 query'}
        aside={load ? 'in the last interval' : `${latency?.name ?? ''}, last interval`}
      />
    </>
  );
}

function SavedFigures(props: { run: Run }): ReactNode {
  const { run } = props;
  const load = run.phases.find(({ kind }) => kind === 'load');
  const queries = run.phases.find(({ kind }) => kind === 'queries');
  const first = run.phases[0]?.operations[0];
  return (
    <>
      {load ? (
        <>
          <Figure
            label="Rows per second"
            value={formatRate(load.rowsPerSecond)}
            unit="rows/s"
            aside={`${formatRate(load.metricsPerSecond)} metrics/s`}
          />
          <Figure label="Rows" value={formatCount(load.rows)} aside={verified(load)} />
        </>
      ) : (
        <>
          <Figure
            label="Queries per second"
            value={formatRate(queries?.operations.at(-1)?.perSecond ?? Number.NaN)}
            unit="queries/s"
            aside={queries?.operations.at(-1)?.name}
          />
          <Figure
            label="Queries"
            value={formatCount(queries?.operations.at(-1)?.count ?? 0)}
            aside={`${formatCount(queries?.rows ?? 0)} rows read`}
          />
        </>
      )}
      <Latency
        us={run.p99Us}
        label={first?.name === 'batch' ? 'p99 batch' : 'p99 query'}
        aside={
          first === undefined ? 'nothing measured' : first.name === 'batch' ? 'of all batches' : first.name
        }
      />
    </>
  );
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
      exact="Busiest worker's event loop. Near 100 % the client, not the server, is the limit."
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
