import { Anchor, Button, Group, Table } from '@mantine/core';
import { IconColumns } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { ComparisonRow } from '../../src-shared/model/comparison.ts';
import type { Run } from '../../src-shared/model/run.ts';
import { formatFigure } from '../../src-shared/stats/compare.ts';
import { useCommand } from '../api.tsx';
import { paths } from '../routes.ts';
import classes from './Gallery.module.css';
import { sameSteps, useGallery } from './useGallery.ts';

/** Of a run of a preset: its figures beside the published ones; what was not published stays empty. */
export function PublishedBeside(props: { run: Run }): ReactNode {
  const preset = useGallery()?.find(({ plan }) => sameSteps(plan.plan, props.run.plan));
  if (preset === undefined) return null;
  return <Beside run={props.run} references={preset.references} />;
}

/** The figures that articles give; percentiles above the median they seldom have. */
const told: readonly ComparisonRow['metric']['key'][] = ['rows', 'operations', 'mean', 'p50', 'seconds'];

function Beside(props: { run: Run; references: readonly Run[] }): ReactNode {
  const { run, references } = props;
  const columns = [...references, run];
  const comparison = useCommand('comparisons.make', {
    sides: columns.map(({ id }) => ({ label: id, runIds: [id] })),
  }).data;
  const rows =
    comparison?.table.filter(
      ({ metric, cells }) =>
        told.includes(metric.key) && cells.slice(0, -1).some(({ value }) => value !== null),
    ) ?? [];
  return (
    <section className="panel" aria-label="Published figures">
      <Group justify="space-between" mb={4}>
        <h2 className={classes.heading}>Beside what was published</h2>
        <Button
          component={Link}
          href={paths.compare(columns.map(({ id }) => id))}
          size="compact-sm"
          variant="default"
          leftSection={<IconColumns size={14} aria-hidden />}
        >
          Compare in full
        </Button>
      </Group>
      <Table.ScrollContainer minWidth={480}>
        <Table verticalSpacing={4} aria-label="Beside what was published">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Figure</Table.Th>
              {references.map(({ id, name, targetName }) => (
                <Table.Th key={id} ta="right">
                  <Anchor
                    component={Link}
                    href={paths.run(id)}
                    size="sm"
                    c="var(--accent-text)"
                    underline="always"
                  >
                    {name}
                  </Anchor>
                  <div className="quiet">{targetName}</div>
                </Table.Th>
              ))}
              <Table.Th ta="right">
                This run<div className="quiet">{run.targetName}</div>
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map(({ name, metric, cells }) => (
              <Table.Tr key={`${name} ${metric.key} ${metric.unit}`}>
                <Table.Th scope="row" fw={500}>
                  {name} <span className="quiet">{metric.label.toLowerCase()}</span>
                </Table.Th>
                {cells.map(({ value }, i) => (
                  <Table.Td key={columns[i]?.id} ta="right" className="num">
                    {formatFigure(value, metric)}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </section>
  );
}
