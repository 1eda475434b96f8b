import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { isIn, type Place, places, settingsPlace } from './places.ts';
import classes from './Shell.module.css';

/** The nouns in the order of the work; Settings at the foot. */
export function Rail(): ReactNode {
  const [location] = useLocation();
  return (
    <nav className={classes.rail} aria-label="Main">
      <svg className={classes.mark} viewBox="0 0 24 24" aria-hidden="true">
        {drupelets.map(([x, y]) => (
          <circle key={`${x} ${y}`} cx={x} cy={y} r="3.1" />
        ))}
      </svg>
      {places.map((place) => (
        <RailLink key={place.href} place={place} current={isIn(place, location)} />
      ))}
      <span className={classes.spring} />
      <RailLink place={settingsPlace} current={isIn(settingsPlace, location)} />
    </nav>
  );
}

const drupelets: readonly [number, number][] = [
  [7.5, 8],
  [12, 6.5],
  [16.5, 8],
  [8.5, 13],
  [12, 11.5],
  [15.5, 13],
  [12, 17],
];

function RailLink(props: { place: Place; current: boolean }): ReactNode {
  const { label, href, Icon } = props.place;
  return (
    <Link href={href} className={classes.railLink ?? ''} aria-current={props.current ? 'page' : undefined}>
      <Icon size={20} stroke={1.75} aria-hidden />
      {label}
    </Link>
  );
}
