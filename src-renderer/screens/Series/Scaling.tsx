import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { RunSeries } from '../../../src-shared/model/runSeries.ts';
import { mostSides } from '../../../src-shared/model/sideKey.ts';
import {
  formatParameter,
  mainRate,
  type SeriesCell,
  seriesCells,
  seriesRateUnits,
} from '../../../src-shared/stats/runSeries.ts';
import { formatTick, runColor } from '../../charts/panel.ts';
import { ScalingChart, type ScalingLine } from '../../charts/ScalingChart.tsx';

/** The rate over the first parameter, a line for each value of the others and for each target. */
export function Scaling(props: { series: RunSeries }): ReactNode {
  const { series } = props;
  const rate = mainRate(series);
  const [along] = series.parameters;
  if (rate === null || along === undefined) return null;
  const lines = linesOf(series);
  const unit = seriesRateUnits[rate];
  return (
    <>
      <ScalingChart
        title={`Rate by ${along.label}`}
        unit={unit}
        parameter={along.unit === null ? along.label : `${along.label} (${along.unit})`}
        format={formatTick}
        lines={lines.slice(0, mostSides)}
      />
      {lines.length > mostSides && (
        <Text size="sm" c="dimmed">
          {lines.length - mostSides} further lines are in the table: more than {mostSides} cannot be told
          apart.
        </Text>
      )}
    </>
  );
}

function linesOf(series: RunSeries): ScalingLine[] {
  const groups = new Map<string, SeriesCell[]>();
  for (const cell of seriesCells(series)) {
    const label = lineLabel(series, cell);
    groups.set(label, [...(groups.get(label) ?? []), cell]);
  }
  return [...groups].map(([label, cells], i) => ({
    key: label,
    label,
    color: runColor(i),
    points: cells
      .flatMap(({ values, spread }) => (spread === null ? [] : [{ x: values[0] ?? 0, spread }]))
      .sort((a, b) => a.x - b.x),
  }));
}

function lineLabel({ parameters, targets }: RunSeries, { values, target }: SeriesCell): string {
  const others = parameters.slice(1).map(({ label }, i) => `${label} ${formatParameter(values[i + 1] ?? 0)}`);
  return [...others, ...(targets.length > 1 || others.length === 0 ? [targets[target] ?? ''] : [])].join(
    ', ',
  );
}
