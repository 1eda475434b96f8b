import { Table, Text } from '@mantine/core';
import { Fragment, type ReactNode } from 'react';
import type {
  ComparisonCell,
  ComparisonRow,
  ComparisonVerdict,
  Metric,
} from '../../../src-shared/model/comparison.ts';
import { formatChange, formatFigure, rowsByMetric } from '../../../src-shared/stats/compare.ts';
import { spreadOf } from '../../../src-shared/stats/spread.ts';
import { signed } from '../../../src-shared/stats/words.ts';
import classes from './Compare.module.css';
import { SideTh } from './SideTh.tsx';
import type { Side } from './useSides.ts';
import { VerdictMark } from './VerdictMark.tsx';

/** Operations × sides as benchstat has it, grouped by what is measured: each figure with its spread, then `vs base`. */
export function CompareTable(props: {
  rows: readonly ComparisonRow[];
  sides: readonly Side[];
  base: number;
}): ReactNode {
  const { rows, sides, base } = props;
  const columns = sides.length * 2;
  return (
    <section className="panel" aria-labelledby="figures-title">
      <h2 id="figures-title" className={classes.title}>
        Figures
      </h2>
      <Text size="xs" c="dimmed" mb={8}>
        The mean of the runs, of percentiles that of all their values together, ± the runs’ coefficient of
        variation; vs base: the change with its 95 % interval, and ~ where no difference is shown.
      </Text>
      {rows.length === 0 ? (
        <Text>None of these runs has figures.</Text>
      ) : (
        <Table.ScrollContainer minWidth={640}>
          <Table verticalSpacing={4} className={classes.figures} aria-label="Figures of the runs">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Operation</Table.Th>
                {sides.map((side, i) => (
                  <Fragment key={side.key}>
                    <SideTh side={side} right aside={i === base ? '(base)' : undefined} />
                    {i !== base && <Table.Th ta="right">vs base</Table.Th>}
                  </Fragment>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rowsByMetric(rows).map(({ metric, rows: own }) => (
                <Fragment key={metric.label}>
                  <Table.Tr className={classes.group ?? ''}>
                    <Table.Th scope="rowgroup" colSpan={columns}>
                      {metric.label}
                      <span className="quiet">
                        {metric.better === 'higher' ? ' · more is better' : ' · less is better'}
                      </span>
                    </Table.Th>
                  </Table.Tr>
                  {own.map((row) => (
                    <Table.Tr key={row.name}>
                      <Table.Th scope="row">{row.name}</Table.Th>
                      {row.cells.map((cell, i) => (
                        <Fragment key={sides[i]?.key}>
                          <Figure cell={cell} metric={metric} />
                          {i !== base && <VsBase cell={cell} />}
                        </Fragment>
                      ))}
                    </Table.Tr>
                  ))}
                </Fragment>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </section>
  );
}

function Figure(props: { cell: ComparisonCell; metric: Metric }): ReactNode {
  const { cell, metric } = props;
  const { value, values } = cell;
  const exact = value === null ? undefined : `${value.toLocaleString('en-US')} ${metric.unit}`;
  const spread = spreadOf(values);
  const cv = spread?.cv ?? null;
  const each = values.length > 1 ? ` (${values.map((v) => formatFigure(v, metric)).join(', ')})` : '';
  return (
    <Table.Td title={exact === undefined ? undefined : `${exact}${each}`}>
      {formatFigure(value, metric)}
      {cv !== null && <span className={classes.spread}> ± {(cv * 100).toFixed(cv < 0.0995 ? 1 : 0)} %</span>}
    </Table.Td>
  );
}

function VsBase(props: { cell: ComparisonCell }): ReactNode {
  const { delta, verdict } = props.cell;
  return (
    <Table.Td className={classes.delta}>
      {verdict !== null && <VerdictMark verdict={verdict} short />}
      {delta !== null && verdict?.kind !== 'no-difference' && <span>{formatChange(delta)}</span>}
      {verdict !== null && <Interval verdict={verdict} />}
    </Table.Td>
  );
}

function Interval(props: { verdict: ComparisonVerdict }): ReactNode {
  const { interval, n } = props.verdict;
  if (interval === null) return null;
  return (
    <span className={classes.interval}>
      {' '}
      {signed(interval.low)} to {signed(interval.high)} %, n={n.side}+{n.base}
    </span>
  );
}
