import { IconAlertTriangle, IconCircleCheck, IconPlugX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { formatElapsed } from '../../../src-shared/units.ts';
import { bandTotals } from '../../charts/bands.ts';
import { bandLabels } from '../../charts/panel.ts';
import { Figure } from '../../components/Figure.tsx';
import { HealthState, State } from '../../components/HostHealth.tsx';
import type { Healthline } from '../../state/healthline.ts';
import type { FeedSnapshot } from '../../state/runFeed.ts';

/** Longer than this behind the run's own figures, the host is not answering. */
const silentMs = 5_000;

/** The host in one figure: its temperature, and whether it may do what it can; when it has ended, the worst of it. */
export function HostFigure(props: { name: string; feed: FeedSnapshot; live: boolean }): ReactNode {
  const { name, feed, live } = props;
  const { health, timeline } = feed;
  const { last } = health;
  const silent = last === null || timeline.endMs - last.atMs > silentMs;
  const degrees = live ? (silent ? Number.NaN : (last.temperatureC ?? Number.NaN)) : health.hottest;
  const known = !Number.isNaN(degrees);
  return (
    <Figure
      label={live ? name : `${name}, hottest`}
      value={known ? degrees.toFixed(0) : '–'}
      unit="°C"
      exact={known ? `${degrees.toFixed(1)} °C` : 'The temperature is not known.'}
      aside={live ? <HealthState sample={last} silent={silent} /> : <WholeRun health={health} />}
    />
  );
}

function WholeRun(props: { health: Healthline }): ReactNode {
  const { last, bands } = props.health;
  if (last === null) return <State tone="quiet" Icon={IconPlugX} words="not sampled" />;
  const [longest] = bandTotals(bands).sort((a, b) => b.totalMs - a.totalMs);
  if (longest === undefined) return <State tone="good" Icon={IconCircleCheck} words="ok" />;
  const words = `${bandLabels[longest.band.kind]} for ${formatElapsed(longest.totalMs)}`;
  return <State tone="warn" Icon={IconAlertTriangle} words={words} />;
}
