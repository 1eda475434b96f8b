import { Text } from '@mantine/core';
import { Fragment, type ReactNode, useMemo } from 'react';
import { isActive, type Run, type RunEvent } from '../../../src-shared/model/run.ts';
import { BandLegend } from '../../charts/BandLegend.tsx';
import type { Mark, Panel } from '../../charts/panel.ts';
import { TimeChart } from '../../charts/TimeChart.tsx';
import { useStaggered } from '../../charts/useStaggered.ts';
import { ErrorPanel } from '../../components/ErrorPanel.tsx';
import { SkeletonBlock } from '../../components/Skeletons.tsx';
import type { FeedSnapshot } from '../../state/runFeed.ts';
import { Events } from './Events.tsx';
import { hostPanels } from './hostPanels.ts';
import { runPanels } from './panels.ts';
import classes from './Run.module.css';
import { ServerWaits } from './ServerWaits.tsx';
import { serverPanels } from './serverPanels.ts';

/** Charts beside the list of events; a click on an event moves the crosshair of all charts there. */
export function RunCharts(props: { run: Run; feed: FeedSnapshot; reload: () => void }): ReactNode {
  const { run, feed } = props;
  const { timeline, health, server, events } = feed;
  // Each publication is a new `feed`; the timeline in it is the same, only longer.
  const newest = useMemo(
    () => inOrder(runPanels(feed.timeline), serverPanels(feed.server), hostPanels(feed.health)),
    [feed],
  );
  const panels = useStaggered(newest);
  const bands = useMemo(() => [...server.bands, ...health.bands], [server.bands, health.bands]);
  const marks = useMemo(() => eventMarks(events), [events]);
  const lastEvent = events.at(-1)?.atMs ?? 0;
  const measured = Math.max(timeline.endMs, health.last?.atMs ?? 0);
  const duration = isActive(run.status) ? roomFor(measured) : Math.max(measured, lastEvent);
  return (
    <div className={classes.chartsAndEvents}>
      <div className={classes.charts}>
        {feed.error !== null && (
          <ErrorPanel error={feed.error} next={{ label: 'Try again', onClick: props.reload }} />
        )}
        {feed.status === 'loading' && [1, 2, 3, 4].map((n) => <SkeletonBlock key={n} height={240} />)}
        {feed.status === 'ready' && panels.length === 0 && (
          <Text className="panel" c="dimmed">
            {isActive(run.status)
              ? 'Nothing is measured yet: the first figures come one second after the load or the queries start.'
              : 'Nothing was measured in this run.'}
          </Text>
        )}
        {feed.status === 'ready' && <BandLegend bands={bands} />}
        {panels.map((panel) => (
          <Fragment key={panel.id}>
            <TimeChart panel={panel} marks={marks} bands={bands} duration={duration} />
            {panel.id === 'server-waits' && (
              <ServerWaits phases={run.phases} live={isActive(run.status)} feed={feed} />
            )}
          </Fragment>
        ))}
      </div>
      <Events events={events} startedAt={run.startedAt} loading={feed.status === 'loading'} />
    </div>
  );
}

/** What the server and its host did right under what was measured; what concerns the client last. */
function inOrder(run: readonly Panel[], server: readonly Panel[], host: readonly Panel[]): Panel[] {
  const last = (panel: Panel) => panel.id === 'errors' || panel.id === 'client';
  return [...run.filter((panel) => !last(panel)), ...server, ...run.filter(last), ...host];
}

/** An axis that is longer than the run so far, so that it moves now and then instead of with each second. */
function roomFor(ms: number): number {
  const minute = 60_000;
  const step =
    ms < 2 * minute ? minute / 2 : ms < 10 * minute ? minute : ms < 60 * minute ? 5 * minute : 15 * minute;
  return Math.ceil((ms + 1000) / step) * step;
}

/** Phase boundaries, errors and the stop; notes stay in the list. */
function eventMarks(events: readonly RunEvent[]): Mark[] {
  const kinds: Partial<Record<RunEvent['kind'], Mark['kind']>> = {
    'phase-start': 'phase',
    error: 'error',
    stop: 'stop',
  };
  return events.flatMap(({ kind, atMs, text }) => {
    const mark = kinds[kind];
    return mark
      ? [{ atMs, kind: mark, label: mark === 'phase' ? text : mark === 'stop' ? 'stopped' : 'error' }]
      : [];
  });
}
