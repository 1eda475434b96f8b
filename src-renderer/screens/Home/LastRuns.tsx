import { Button, Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import type { RunHead } from '../../../src-shared/model/run.ts';
import { formatCount, formatLatency } from '../../../src-shared/units.ts';
import { HeadRate } from '../../components/HeadRate.tsx';
import { RunWhen } from '../../components/RunWhen.tsx';
import { RunVerdicts } from '../../components/VerdictBadge.tsx';
import { paths } from '../../routes.ts';
import classes from './Home.module.css';

/** The newest runs with their figures, none without its verdict. */
export function LastRuns(props: { heads: readonly RunHead[] }): ReactNode {
  const [, navigate] = useLocation();
  return (
    <section aria-label="Last runs">
      <div className={classes.headline}>
        <h2 className={classes.heading}>Last runs</h2>
        <Button size="compact-sm" variant="subtle" color="gray" component={Link} href={paths.runs}>
          All runs
        </Button>
      </div>
      <Table.ScrollContainer minWidth={720}>
        <Table className="panel" aria-label="Last runs" highlightOnHover>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Run</Table.Th>
              <Table.Th>Target</Table.Th>
              <Table.Th>Verdict</Table.Th>
              <Table.Th ta="right">Rows</Table.Th>
              <Table.Th ta="right" title="Transactions a second (TPS), or rows a second of a load">
                Rate
              </Table.Th>
              <Table.Th
                ta="right"
                title="Of the transactions, the batches of a load, or the first type of query"
              >
                p99
              </Table.Th>
              <Table.Th ta="right">When</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {props.heads.map((head) => (
              <Table.Tr key={head.id} className={classes.row} onClick={() => navigate(paths.run(head.id))}>
                <Table.Td>
                  <Link
                    href={paths.run(head.id)}
                    className={`long ${classes.runLink}`}
                    title={head.name}
                    onClick={(e) => e.stopPropagation()}
                  >
                    {head.name}
                  </Link>
                </Table.Td>
                <Table.Td>
                  <span className="long" title={head.targetName}>
                    {head.targetName}
                  </span>
                  {head.serverLabel !== null && (
                    <Text size="xs" c="dimmed">
                      {head.serverLabel}
                    </Text>
                  )}
                </Table.Td>
                <Table.Td>
                  <RunVerdicts head={head} />
                </Table.Td>
                <Table.Td ta="right">{head.rows === null ? '–' : formatCount(head.rows)}</Table.Td>
                <Table.Td ta="right">
                  <HeadRate head={head} />
                </Table.Td>
                <Table.Td
                  ta="right"
                  title={head.p99Us === null ? undefined : `${formatCount(head.p99Us)} µs`}
                >
                  {head.p99Us === null ? '–' : formatLatency(head.p99Us)}
                </Table.Td>
                <Table.Td ta="right">
                  <RunWhen head={head} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </section>
  );
}
