import { Checkbox, Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { RunHead } from '../../../src-shared/model/run.ts';
import type { RunSeries } from '../../../src-shared/model/runSeries.ts';
import { groupKey } from '../../../src-shared/model/sideKey.ts';
import { cellName, mainRate, seriesCells, spreadText } from '../../../src-shared/stats/runSeries.ts';
import { useCommand } from '../../api.tsx';
import { TimeAgo } from '../../components/TimeAgo.tsx';
import { RunList } from '../Runs/RunList.tsx';
import classes from './Compare.module.css';

/** A run or a group that was chosen, in the order of choosing. */
export interface ChosenSide {
  key: string;
  /** null of a group. */
  head: RunHead | null;
}

/** Groups of repeats, then runs; any of both can stand side by side. */
export function SideChoice(props: {
  chosen: readonly ChosenSide[];
  onChoose: (chosen: readonly ChosenSide[]) => void;
}): ReactNode {
  const { chosen, onChoose } = props;
  const heads = chosen.flatMap(({ head }) => head ?? []);
  return (
    <>
      <GroupChoice chosen={chosen} onChoose={onChoose} />
      <RunList
        chosen={heads}
        onChoose={(next) => {
          const ids = new Set(next.map(({ id }) => id));
          const before = new Set(heads.map(({ id }) => id));
          onChoose([
            ...chosen.filter(({ head }) => head === null || ids.has(head.id)),
            ...next.filter(({ id }) => !before.has(id)).map((head) => ({ key: head.id, head })),
          ]);
        }}
      />
    </>
  );
}

interface GroupRow {
  key: string;
  name: string;
  target: string;
  figures: string;
  startedAt: string;
}

/** Newest first; what has no finished run yet has nothing to compare. */
function groupsOf(all: readonly RunSeries[]): GroupRow[] {
  return all.flatMap((series) => {
    const rate = mainRate(series);
    return seriesCells(series).flatMap(({ cell, target, spread, members }) => {
      if (members.every(({ runIds }) => runIds.length === 0)) return [];
      const values = cellName(series.parameters, cell);
      return [
        {
          key: groupKey({ series: series.id, cell, target }),
          name: values === '' ? series.plan.name : `${series.plan.name}, ${values}`,
          target: series.targets[target] ?? '',
          figures: spreadText(spread, rate) ?? 'no finished run',
          startedAt: series.startedAt,
        },
      ];
    });
  });
}

const shownGroups = 12;

function GroupChoice(props: {
  chosen: readonly ChosenSide[];
  onChoose: (chosen: readonly ChosenSide[]) => void;
}): ReactNode {
  const { chosen, onChoose } = props;
  const groups = groupsOf(useCommand('series.list', null).data ?? []);
  if (groups.length === 0) return null;
  const picked = new Set(chosen.map(({ key }) => key));
  const shown = groups.filter(({ key }, i) => i < shownGroups || picked.has(key));
  return (
    <section className="panel" aria-labelledby="groups-title">
      <h2 id="groups-title" className={classes.title}>
        Groups of repeats
      </h2>
      <Table verticalSpacing={4} aria-label="Groups of repeats">
        <Table.Tbody>
          {shown.map(({ key, name, target, figures, startedAt }) => (
            <Table.Tr key={key} data-chosen={picked.has(key) || undefined}>
              <Table.Td w={40}>
                <Checkbox
                  aria-label={`Choose the group ${name} on ${target}`}
                  checked={picked.has(key)}
                  onChange={() =>
                    onChoose(
                      picked.has(key)
                        ? chosen.filter((each) => each.key !== key)
                        : [...chosen, { key, head: null }],
                    )
                  }
                />
              </Table.Td>
              <Table.Td fw={600}>{name}</Table.Td>
              <Table.Td>{target}</Table.Td>
              <Table.Td className="num">{figures}</Table.Td>
              <Table.Td>
                <TimeAgo iso={startedAt} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {groups.length > shown.length && (
        <Text size="sm" c="dimmed" mt={8}>
          The newest {shownGroups} of {groups.length}. Older ones can be compared from the page of their
          series.
        </Text>
      )}
    </section>
  );
}
