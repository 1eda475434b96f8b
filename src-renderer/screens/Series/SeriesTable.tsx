import { Anchor, Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { RunSeries, SeriesMember } from '../../../src-shared/model/runSeries.ts';
import {
  cellName,
  cellState,
  formatParameter,
  mainRate,
  memberState,
  type SeriesCell,
  type SeriesRate,
  seriesCells,
  seriesRateUnits,
} from '../../../src-shared/stats/runSeries.ts';
import { formatLatency, formatRate } from '../../../src-shared/units.ts';
import { useCommand } from '../../api.tsx';
import { paths } from '../../routes.ts';
import classes from './Series.module.css';

/** A row a cell and target: what its runs came to, how far they lie apart, and the way to each of them. */
export function SeriesTable(props: { series: RunSeries }): ReactNode {
  const { series } = props;
  const progress = useCommand('series.progress', null).data;
  const present =
    progress?.id === series.id && progress.settling === null ? series.members[progress.member] : undefined;
  const cells = seriesCells(series);
  const rate = mainRate(series);
  const over = series.plan.repeat > 1 ? 'runs' : 'seconds';
  const several = series.targets.length > 1 || series.parameters.length === 0;
  return (
    <section aria-label="Cells">
      <Table.ScrollContainer minWidth={720}>
        <Table className={`panel ${classes.table}`} aria-label="Cells of the series">
          <Table.Thead>
            <Table.Tr>
              {several && <Table.Th>Target</Table.Th>}
              {series.parameters.map(({ path, label }) => (
                <Table.Th key={path} ta="right">
                  {label}
                </Table.Th>
              ))}
              <Table.Th ta="right" title="Mean over the finished runs">
                Average{rate !== null && `, ${seriesRateUnits[rate]}`}
              </Table.Th>
              <Table.Th ta="right" title={overTitle[over]}>
                Median
              </Table.Th>
              <Table.Th ta="right" title={overTitle[over]}>
                Highest
              </Table.Th>
              <Table.Th
                ta="right"
                title="Least and highest of the finished runs, and the coefficient of variation"
              >
                Spread
              </Table.Th>
              <Table.Th>Runs</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {cells.map((cell) => (
              <Table.Tr
                key={`${cell.target} ${cell.cell}`}
                data-present={(present !== undefined && cell.members.includes(present)) || undefined}
              >
                {several && <Table.Td>{series.targets[cell.target]}</Table.Td>}
                {cell.values.map((value, i) => (
                  <Table.Td key={series.parameters[i]?.path} ta="right" className="num">
                    {formatParameter(value)}
                  </Table.Td>
                ))}
                <Figures cell={cell} />
                <Table.Td>
                  <Runs series={series} cell={cell} rate={rate} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {rate !== null && (
        <Text size="xs" c="dimmed" mt={4}>
          {over === 'runs'
            ? 'Average, median and highest are over the finished runs of a cell; of a single one there is its average alone.'
            : 'One run a cell: its average is over the whole load, median and highest are of its single seconds.'}
        </Text>
      )}
    </section>
  );
}

const overTitle = {
  runs: 'Over the finished runs of the cell',
  seconds: 'Of the single seconds of the load',
} as const;

function Figures(props: { cell: SeriesCell }): ReactNode {
  const { average, median, max, spread } = props.cell;
  return (
    <>
      {[average, median, max].map((value, i) => (
        <Table.Td
          key={['average', 'median', 'max'][i]}
          ta="right"
          className="num"
          fw={i === 0 ? 600 : undefined}
        >
          {value === null ? '–' : formatRate(value)}
        </Table.Td>
      ))}
      <Table.Td ta="right" className="num">
        {spread === null || spread.n < 2 ? (
          '–'
        ) : (
          <>
            {formatRate(spread.min)}–{formatRate(spread.max)}
            {spread.cv !== null && <span className={classes.cv}>CV {(spread.cv * 100).toFixed(1)} %</span>}
          </>
        )}
      </Table.Td>
    </>
  );
}

/** A link for each run of the cell, and what became of those that do not count. */
function Runs(props: { series: RunSeries; cell: SeriesCell; rate: SeriesRate | null }): ReactNode {
  const { series, cell, rate } = props;
  const ended = series.endedAt !== null;
  const state = cellState(cell.members, ended);
  const notValid = cell.members.filter(
    ({ figures }) => figures?.status === 'finished' && !figures.valid,
  ).length;
  return (
    <>
      <span className={classes.runs}>
        {cell.members.map((member) => {
          const last = member.runIds.at(-1);
          return last === undefined ? null : (
            <Anchor
              key={last}
              component={Link}
              href={paths.run(last)}
              size="sm"
              c="var(--accent-text)"
              underline="always"
              title={tooltip(member, rate, ended)}
              aria-label={runLabel(series, cell, member)}
            >
              {cell.members.length === 1 ? 'Open' : member.round}
            </Anchor>
          );
        })}
      </span>
      {(state !== '' || notValid > 0) && (
        <Text size="xs" c="dimmed">
          {[state, notValid > 0 ? (cell.members.length === 1 ? 'not valid' : `${notValid} not valid`) : '']
            .filter((part) => part !== '')
            .join(', ')}
        </Text>
      )}
    </>
  );
}

function runLabel(
  { parameters, targets }: RunSeries,
  { cell, target }: SeriesCell,
  { round }: SeriesMember,
): string {
  const values = cellName(parameters, cell);
  return `Run ${round}${values === '' ? '' : ` of ${values}`} on ${targets[target] ?? ''}`;
}

function tooltip(member: SeriesMember, rate: SeriesRate | null, ended: boolean): string {
  const value = rate === null ? null : (member.figures?.[rate] ?? null);
  const p99 = member.figures?.p99Us ?? null;
  return [
    memberState(member, ended),
    ...(value === null || rate === null ? [] : [`${formatRate(value)} ${seriesRateUnits[rate]}`]),
    ...(p99 === null ? [] : [`p99 ${formatLatency(p99)}`]),
  ].join(', ');
}
