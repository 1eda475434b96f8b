import type { ReactNode } from 'react';
import type { ComparisonRow } from '../../../src-shared/model/comparison.ts';
import { parseGroupKey } from '../../../src-shared/model/sideKey.ts';
import { cellValues } from '../../../src-shared/stats/runSeries.ts';
import { spreadOf } from '../../../src-shared/stats/spread.ts';
import { formatLatency } from '../../../src-shared/units.ts';
import { formatTick } from '../../charts/panel.ts';
import { ScalingChart } from '../../charts/ScalingChart.tsx';
import type { Side } from './useSides.ts';

/** A figure over the first parameter of a sweep, a point a side in its colour. Nothing where the sides are of no sweep. */
export function SideScaling(props: { row: ComparisonRow; sides: readonly Side[] }): ReactNode {
  const { row, sides } = props;
  const swept = sides.flatMap(({ key, label, color, group }, i) => {
    const [along] = group?.parameters ?? [];
    const cell = parseGroupKey(key)?.cell;
    const spread = spreadOf(row.cells[i]?.values ?? []);
    if (group === null || along === undefined || cell === undefined || spread === null) return [];
    const x = cellValues(group.parameters, cell)[0] ?? Number.NaN;
    return [{ along: along.label, x, line: { key, label, color, points: [{ x, spread }] } }];
  });
  const along = swept[0]?.along;
  const own = swept.filter((each) => each.along === along);
  if (along === undefined || new Set(own.map(({ x }) => x)).size < 2) return null;
  return (
    <ScalingChart
      title={`${along} against ${row.metric.label.toLowerCase()}`}
      unit={row.metric.kind === 'latency' ? '' : row.metric.unit}
      parameter={along}
      format={row.metric.kind === 'latency' ? formatLatency : formatTick}
      lines={own.map(({ line }) => line)}
    />
  );
}
