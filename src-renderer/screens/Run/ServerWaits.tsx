import { type ReactNode, useMemo } from 'react';
import type { Phase } from '../../../src-shared/model/run.ts';
import { waitProfile } from '../../../src-shared/stats/waits.ts';
import type { FeedSnapshot } from '../../state/runFeed.ts';
import classes from './Server.module.css';
import { WaitRanking } from './WaitRanking.tsx';

const rows = 6;

/** Beside the charts: what the server waits for in the newest phase, so far. */
export function ServerWaits(props: { phases: readonly Phase[]; feed: FeedSnapshot }): ReactNode {
  const { phases, feed } = props;
  const phase = phases.at(-1);
  // Each publication is a new `feed`; the samples in it are the same list, only longer.
  const profile = useMemo(
    () => waitProfile(feed.server.samples, phase?.startedMs ?? 0),
    [feed, phase?.startedMs],
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
