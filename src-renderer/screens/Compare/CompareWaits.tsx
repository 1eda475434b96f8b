import { Table } from '@mantine/core';
import type { ReactNode } from 'react';
import type { WaitComparison } from '../../../src-shared/stats/compareWaits.ts';
import { waitWords } from '../../../src-shared/stats/waits.ts';
import classes from './Compare.module.css';
import { SideTh } from './SideTh.tsx';
import type { Side } from './useSides.ts';

/** What each server waited for in the part that is drawn, the largest share first. Nothing where none was watched. */
export function CompareWaits(props: {
  waits: readonly WaitComparison[];
  sides: readonly Pick<Side, 'key' | 'label' | 'color'>[];
}): ReactNode {
  const { waits, sides } = props;
  if (waits.length === 0) return null;
  return (
    <section className={`panel ${classes.waits}`} aria-labelledby="compare-waits-title">
      <h3 id="compare-waits-title" className={classes.title}>
        What the servers waited for <span className="quiet">share of what sessions were found at</span>
      </h3>
      <Table.ScrollContainer minWidth={640}>
        <Table verticalSpacing={4} className={classes.figures} aria-label="Waits of the servers">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Waiting for</Table.Th>
              {sides.map((side) => (
                <SideTh key={side.key} side={side} right />
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {waits.map(({ event, shares }) => (
              <Table.Tr key={event}>
                <Table.Th scope="row">
                  {waitWords(event)}{' '}
                  {waitWords(event) !== event && <span className="quiet mono">{event}</span>}
                </Table.Th>
                {shares.map((share, i) => (
                  <Table.Td key={sides[i]?.key}>
                    {share === null ? '–' : `${(share * 100).toFixed(1)} %`}
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
