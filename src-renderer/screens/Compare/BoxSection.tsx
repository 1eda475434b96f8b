import { Select } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { ComparisonRow } from '../../../src-shared/model/comparison.ts';
import { formatFigure } from '../../../src-shared/stats/compare.ts';
import { BoxPlots } from '../../charts/BoxPlots.tsx';
import classes from './Compare.module.css';
import { SideScaling } from './SideScaling.tsx';
import type { Side } from './useSides.ts';

/** How far the repeats lie apart, and how a sweep scales, for a figure of choice. Nothing where the sides are neither. */
export function BoxSection(props: { rows: readonly ComparisonRow[]; sides: readonly Side[] }): ReactNode {
  const { rows, sides } = props;
  const swept = sides.some(({ group }) => group !== null && group.parameters.length > 0);
  const repeated = rows.filter(
    ({ metric, cells }) =>
      metric.kind !== 'count' && (swept || cells.some(({ values }) => values.length > 1)),
  );
  const [chosen, setChosen] = useState<string | null>(null);
  const names = repeated.map((row) => `${row.metric.label} · ${row.name}`);
  const index = Math.max(0, names.indexOf(chosen ?? ''));
  const row = repeated[index];
  if (row === undefined) return null;
  return (
    <section aria-labelledby="repeats-title" className={classes.stack}>
      <div className={classes.chartsHead}>
        <h2 id="repeats-title" className={classes.title}>
          {swept ? 'Repeats and scaling' : 'Repeats'}
        </h2>
        <Select
          aria-label="Figure of the repeats"
          data={[...new Set(names)]}
          value={names[index] ?? null}
          onChange={setChosen}
          allowDeselect={false}
          w={360}
        />
      </div>
      <BoxPlots
        id="repeats"
        title={row.metric.label}
        unit={row.name}
        format={(value) => formatFigure(value, row.metric)}
        sides={sides.map(({ key, label, color }, i) => ({
          ...{ key, label, color },
          values: row.cells[i]?.values ?? [],
        }))}
      />
      <SideScaling row={row} sides={sides} />
    </section>
  );
}
