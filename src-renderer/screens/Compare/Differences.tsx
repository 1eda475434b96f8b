import { Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import {
  type Difference,
  type DifferenceArea,
  differenceAreas,
} from '../../../src-shared/model/comparison.ts';
import { runColor } from '../../charts/panel.ts';
import classes from './Compare.module.css';

const areaLabels: Record<DifferenceArea, string> = {
  target: 'Target',
  host: 'Host',
  storage: 'Storage',
  network: 'Network',
  cooling: 'Cooling',
  plan: 'Plan',
  seed: 'Seed',
  server: 'Server',
  loader: 'Loader',
  client: 'Client machine',
  tool: 'Benchberry',
  health: 'Health',
};

/** Everything that is not the same in the set-ups, before any figure. */
export function Differences(props: {
  differences: readonly Difference[];
  labels: readonly string[];
}): ReactNode {
  const { differences, labels } = props;
  return (
    <section className="panel" aria-labelledby="differences-title">
      <h2 id="differences-title" className={classes.title}>
        What differs
      </h2>
      {differences.length === 0 ? (
        <Text>
          Nothing that is recorded: target, host, plan, seed, server, client machine and version are the same.
        </Text>
      ) : (
        <Table.ScrollContainer minWidth={640}>
          <Table verticalSpacing={4} className={classes.differences} aria-label="Differences of the set-ups">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Of</Table.Th>
                <Table.Th>What</Table.Th>
                {labels.map((label, i) => (
                  <RunTh key={label} label={label} index={i} />
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {differenceAreas.flatMap((area) =>
                differences
                  .filter((difference) => difference.area === area)
                  .map((difference, i) => (
                    <Table.Tr key={`${area} ${difference.name}`}>
                      <Table.Td className="quiet">{i === 0 ? areaLabels[area] : ''}</Table.Td>
                      <Table.Th scope="row">{difference.name}</Table.Th>
                      {difference.values.map((value, column) => (
                        <Table.Td key={labels[column]} className={value === null ? 'quiet' : 'mono'}>
                          {value === ''
                            ? '(empty)'
                            : (value ?? (area === 'server' ? 'default or absent' : 'none'))}
                        </Table.Td>
                      ))}
                    </Table.Tr>
                  )),
              )}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </section>
  );
}

/** Head of a run's column, in the run's colour. */
export function RunTh(props: {
  label: string;
  index: number;
  right?: boolean;
  aside?: string | undefined;
}): ReactNode {
  return (
    <Table.Th ta={props.right ? 'right' : 'left'}>
      <span className={classes.swatch} style={{ background: runColor(props.index) }} aria-hidden />
      {props.label}
      {props.aside !== undefined && <span className="quiet"> {props.aside}</span>}
    </Table.Th>
  );
}
