import { UnstyledButton } from '@mantine/core';
import {
  IconAlertTriangle,
  IconChecks,
  IconInfoCircle,
  IconPlayerPlay,
  IconPlayerSkipForward,
  IconPlayerStop,
  type TablerIcon,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { formatAxisTime } from '../../../src-shared/axis.ts';
import type { RunEvent } from '../../../src-shared/model/run.ts';
import { useGroupStore } from '../../charts/group.tsx';
import { exactTime } from '../../components/timeAgo.ts';
import classes from './Run.module.css';

const icons: Record<RunEvent['kind'], TablerIcon> = {
  'phase-start': IconPlayerPlay,
  'phase-end': IconPlayerSkipForward,
  note: IconInfoCircle,
  error: IconAlertTriangle,
  stop: IconPlayerStop,
  verify: IconChecks,
};

/** What happened and when. A click puts the crosshair there. */
export function Events(props: {
  events: readonly RunEvent[];
  startedAt: string;
  loading: boolean;
}): ReactNode {
  const store = useGroupStore();
  const start = Date.parse(props.startedAt);
  return (
    <section className={classes.events} aria-labelledby="events-title">
      <h2 id="events-title" className={classes.sideTitle}>
        Events
      </h2>
      {props.events.length === 0 && !props.loading && <p className="quiet">Nothing to tell.</p>}
      <ol className={classes.eventList}>
        {props.events.map((event) => {
          const Icon = icons[event.kind];
          return (
            <li key={`${event.atMs} ${event.kind} ${event.text}`}>
              <UnstyledButton
                className={classes.event}
                data-kind={event.kind}
                title={`${exactTime(new Date(start + event.atMs))}. Click to show this moment in the charts.`}
                onClick={() => store.setState({ cursor: event.atMs })}
              >
                <span className={classes.eventTime}>{formatAxisTime(event.atMs, 10_000)}</span>
                <Icon size={14} aria-label={event.kind} />
                <span>{event.text}</span>
              </UnstyledButton>
            </li>
          );
        })}
      </ol>
    </section>
  );
}
