import { Table } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './Compare.module.css';
import type { Side } from './useSides.ts';

/** Head of a side's column, in the side's colour. */
export function SideTh(props: {
  side: Pick<Side, 'label' | 'color'>;
  right?: boolean;
  aside?: string | undefined;
}): ReactNode {
  const { label, color } = props.side;
  return (
    <Table.Th ta={props.right ? 'right' : 'left'}>
      <span className={classes.swatch} style={{ background: color }} aria-hidden />
      {label}
      {props.aside !== undefined && <span className="quiet"> {props.aside}</span>}
    </Table.Th>
  );
}
