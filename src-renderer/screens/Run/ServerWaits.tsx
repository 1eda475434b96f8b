import { type ReactNode, useMemo } from 'react';
import type { Phase } from '../../../src-shared/model/run.ts';
import { waitProfile } from '../../../src-shared/stats/waits.ts';
import type { FeedSnapshot } from '../../state/runFeed.ts';
import classes from './Server.module.css';
import { WaitRanking } from './WaitRanking.tsx';

const rows = 6;

/** Beside the charts: what the server waits for in the phase that is on; once the run has ended, in its longest. */
export function ServerWaits(props: {
  phases: readonly Phase[];
  live: boolean;
  feed: FeedSnapshot;
}): ReactNode {
  const { phases, live, feed } = props;
  const phase = live ? phases.at(-1) : [...phases].sort((a, b) => b.seconds - a.seconds)[0];
  const from = phase?.startedMs ?? 0;
  // While it is on, its seconds are not known yet.
  const to = live ? Infinity : from + (phase?.seconds ?? 0) * 1000;
  // Each publication is a new `feed`; the samples in it are the same list, only longer.
  const profile = useMemo(
    () => waitProfile(feed.server.samples.filter(({ atMs }) => atMs > from && atMs <= to)),
    [feed, from, to],
  );
  if (feed.server.last === null) return null;
  return (
    <section className={classes.waits} aria-labelledby="waits-title">
      <h2 id="waits-title" className={classes.title}>
        What the server waits for <span className="quiet">{phase?.name}</span>
      </h2>
      <WaitRanking profile={profile} rows={rows} />
    </section>
  );
}
