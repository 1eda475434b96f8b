import { Tooltip } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './Figure.module.css';

/**
 * One figure: label, value, unit. The width is fixed and the digits are tabular, so that nothing jumps while it changes.
 * `exact` is what the tooltip shows; `aside` stands below (a verdict badge, a share).
 */
export function Figure(props: {
  label: string;
  value: string;
  unit?: string | undefined;
  exact?: string | undefined;
  aside?: ReactNode;
}): ReactNode {
  const value = (
    <dd className={classes.value}>
      {props.value}
      {props.unit !== undefined && <span className={classes.unit}> {props.unit}</span>}
    </dd>
  );
  return (
    <div className={classes.figure}>
      <dt className={classes.label}>{props.label}</dt>
      {props.exact === undefined ? value : <Tooltip label={props.exact}>{value}</Tooltip>}
      {props.aside !== undefined && <dd className={classes.aside}>{props.aside}</dd>}
    </div>
  );
}

/** A row of figures; it wraps where the window is narrow. */
export function Figures(props: { label: string; children: ReactNode }): ReactNode {
  return (
    <dl className={classes.figures} aria-label={props.label}>
      {props.children}
    </dl>
  );
}
