import type { ReactNode } from 'react';
import { headRate } from '../../src-shared/headRate.ts';
import type { RunHead } from '../../src-shared/model/run.ts';
import { formatRate } from '../../src-shared/units.ts';

/** How fast a run was, with its unit: a list has runs of both. */
export function HeadRate(props: { head: RunHead }): ReactNode {
  const rate = headRate(props.head);
  if (rate === null) return '–';
  return (
    <>
      {formatRate(rate.perSecond)} <span className="quiet">{rate.unit}</span>
    </>
  );
}
