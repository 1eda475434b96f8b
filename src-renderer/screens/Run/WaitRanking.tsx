import type { ReactNode } from 'react';
import {
  type WaitProfile,
  waitClass,
  waitClassLabels,
  waitDoubt,
  waitWords,
} from '../../../src-shared/stats/waits.ts';
import { formatCount } from '../../../src-shared/units.ts';
import classes from './Server.module.css';
import { waitColors } from './serverPanels.ts';

/** What the server's sessions wait for, the most frequent first, in plain words beside the server's own. */
export function WaitRanking(props: { profile: WaitProfile; rows: number }): ReactNode {
  const { waits, samples, active, idle } = props.profile;
  const shown = waits.slice(0, props.rows);
  const doubt = waitDoubt(props.profile);
  if (shown.length === 0)
    return (
      <p className="quiet">
        {samples === 0
          ? 'Nothing has been sampled yet.'
          : `The server was looked at ${formatCount(samples)} times, and no session of the run was ever found within a transaction.`}
      </p>
    );
  return (
    <>
      <ol className={classes.ranking} aria-label="What the sessions wait for">
        {shown.map(({ event, share, error }) => (
          <li key={event}>
            <span
              className={classes.share}
              title={`${(share * 100).toFixed(2)} % ± ${(error * 100).toFixed(2)} (standard error)`}
            >
              {(share * 100).toFixed(share < 0.1 ? 1 : 0)} %
            </span>
            <span className={classes.bar} aria-hidden>
              <span
                style={{ width: `${share * 100}%`, background: waitColors[waitClass(event)] }}
                title={waitClassLabels[waitClass(event)]}
              />
            </span>
            <span className={classes.words}>
              {waitWords(event)}{' '}
              {event !== waitWords(event) && <span className={classes.event}>{event}</span>}
            </span>
          </li>
        ))}
      </ol>
      <p className={classes.under}>
        {active.toFixed(active < 10 ? 1 : 0)} sessions within a transaction on average,{' '}
        {idle.toFixed(idle < 10 ? 1 : 0)} between two; {formatCount(samples)} looks. {doubt}
      </p>
    </>
  );
}
