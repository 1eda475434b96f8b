import { Table, Text } from '@mantine/core';
import { Fragment, type ReactNode } from 'react';
import type { ComparisonCell, ComparisonRow, Metric } from '../../../src-shared/model/comparison.ts';
import { formatChange, formatFigure } from '../../../src-shared/stats/compare.ts';
import classes from './Compare.module.css';
import { RunTh } from './Differences.tsx';

/** Operations × runs, grouped by what is measured; each figure beside its change against the base. */
export function CompareTable(props: {
  rows: readonly ComparisonRow[];
  labels: readonly string[];
  base: number;
}): ReactNode {
  const { rows, labels, base } = props;
  const metrics = [...new Map(rows.map(({ metric }) => [metric.key, metric])).values()];
  return (
    <section className="panel" aria-labelledby="figures-title">
      <h2 id="figures-title" className={classes.title}>
        Figures
      </h2>
      {rows.length === 0 ? (
        <Text>None of these runs has figures.</Text>
      ) : (
        <Table.ScrollContainer minWidth={640}>
          <Table verticalSpacing={4} className={classes.figures} aria-label="Figures of the runs">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Operation</Table.Th>
                {labels.map((label, i) => (
                  <RunTh
                    key={label}
                    label={label}
                    index={i}
                    right
                    aside={i === base ? '(base)' : undefined}
                  />
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {metrics.map((metric) => (
                <Fragment key={metric.key}>
                  <Table.Tr className={classes.group ?? ''}>
                    <Table.Th scope="rowgroup" colSpan={labels.length + 1}>
                      {metric.label}
                      <span className="quiet">
                        {metric.better === 'higher' ? ' · more is better' : ' · less is better'}
                      </span>
                    </Table.Th>
                  </Table.Tr>
                  {rows
                    .filter((row) => row.metric.key === metric.key)
                    .map((row) => (
                      <Table.Tr key={row.name}>
                        <Table.Th scope="row">{row.name}</Table.Th>
                        {row.cells.map((cell, i) => (
                          <Figure key={labels[i]} cell={cell} metric={metric} />
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
  const { value, delta } = props.cell;
  const exact = value === null ? undefined : `${value.toLocaleString('en-US')} ${props.metric.unit}`;
  return (
    <Table.Td title={exact}>
      {formatFigure(value, props.metric)}
      <span className={classes.delta}>{delta === null ? '' : formatChange(delta)}</span>
    </Table.Td>
  );
}
