import type { ReactNode } from 'react';
import classes from './Run.module.css';

/** Names and values side by side. */
export function Facts(props: { facts: readonly (readonly [name: string, value: ReactNode])[] }): ReactNode {
  return (
    <dl className={classes.facts}>
      {props.facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
