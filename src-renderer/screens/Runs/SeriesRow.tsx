import { ActionIcon, Checkbox, Table, Text } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { RunHead } from '../../../src-shared/model/run.ts';
import type { RunSeries } from '../../../src-shared/model/runSeries.ts';
import { seriesHeadlines, seriesSentence } from '../../../src-shared/stats/runSeries.ts';
import { formatCount, formatCounted } from '../../../src-shared/units.ts';
import { TimeAgo } from '../../components/TimeAgo.tsx';
import { paths } from '../../routes.ts';
import classes from './Runs.module.css';

/** A row of the list: a run alone, or a series with those of its runs that are listed. */
export type ListRow = { series: null; head: RunHead } | { series: RunSeries; heads: readonly RunHead[] };

/** Runs of one series are one row, where the first of them stands. */
export function groupRows(heads: readonly RunHead[], all: readonly RunSeries[]): ListRow[] {
  const known = new Map(all.map((series) => [series.id, series]));
  const rows = new Map<string, ListRow>();
  for (const head of heads) {
    const series = head.group === null ? undefined : known.get(head.group);
    if (series === undefined) {
      rows.set(head.id, { series: null, head });
      continue;
    }
    const row = rows.get(series.id);
    const before = row !== undefined && row.series !== null ? row.heads : [];
    rows.set(series.id, { series, heads: [...before, head] });
  }
  return [...rows.values()];
}

/** A series as one row, with its spread; it opens to its runs. */
export function SeriesRow(props: {
  series: RunSeries;
  /** Those of its runs that fit the filter, the newest first. */
  heads: readonly RunHead[];
  chosen: readonly RunHead[];
  /** That the series has where it is compared as one side; null where it is not about to be. */
  color: string | null;
  opened: boolean;
  onOpen: () => void;
  onChoose: (chosen: boolean) => void;
}): ReactNode {
  const { series, heads, opened } = props;
  const ids = new Set(props.chosen.map(({ id }) => id));
  const picked = heads.filter(({ id }) => ids.has(id)).length;
  const { plan, targets, parameters } = series;
  const what =
    parameters.length > 0
      ? `Sweep over ${parameters.map(({ label, values }) => `${label} (${values.length})`).join(' × ')}`
      : 'Repeats';
  const rows = heads.reduce((sum, head) => sum + (head.rows ?? 0), 0);
  return (
    <Table.Tr data-chosen={picked > 0 || undefined}>
      <Table.Td style={props.color === null ? undefined : { boxShadow: `inset 4px 0 ${props.color}` }}>
        <Checkbox
          aria-label={`Choose the ${heads.length} runs of ${plan.name}`}
          checked={picked === heads.length}
          indeterminate={picked > 0 && picked < heads.length}
          onChange={() => props.onChoose(picked < heads.length)}
        />
      </Table.Td>
      <Table.Td className={classes.name}>
        <div className={classes.series}>
          <ActionIcon
            variant="subtle"
            color="gray"
            size={24}
            aria-expanded={opened}
            aria-label={`${opened ? 'Hide' : 'Show'} the runs of ${plan.name}`}
            onClick={props.onOpen}
          >
            {opened ? <IconChevronDown size={16} aria-hidden /> : <IconChevronRight size={16} aria-hidden />}
          </ActionIcon>
          <Link
            href={paths.series(series.id)}
            className={`long ${classes.link}`}
            title={plan.name}
            data-row={series.id}
          >
            {plan.name}
          </Link>
        </div>
        <div className={classes.apart}>
          {what}, {formatCounted(series.members.length, 'run')}
        </div>
      </Table.Td>
      <Table.Td className={classes.wrap}>
        <Text size="sm">
          {series.endedAt === null ? `On now: ${seriesSentence(series)}` : seriesSentence(series)}
        </Text>
      </Table.Td>
      <Table.Td>
        {targets.map((name) => (
          <div key={name} className={classes.target} title={name}>
            {name}
          </div>
        ))}
      </Table.Td>
      <Table.Td colSpan={2} ta="right" className={`num ${classes.wrap}`}>
        {seriesHeadlines(series).map(({ target, figure, detail }) => (
          <div key={target}>
            {figure}
            <div className={classes.apart}>
              {target !== '' && `${target}: `}
              {detail}
            </div>
          </div>
        ))}
      </Table.Td>
      <Table.Td ta="right">{rows === 0 ? '–' : formatCount(rows)}</Table.Td>
      <Table.Td>
        <TimeAgo iso={series.startedAt} />
      </Table.Td>
      <Table.Td />
    </Table.Tr>
  );
}
