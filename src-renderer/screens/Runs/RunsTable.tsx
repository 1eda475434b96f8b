import { ActionIcon, Badge, Checkbox, Menu, Table } from '@mantine/core';
import { IconDots, IconPencil, IconTrash } from '@tabler/icons-react';
import { Fragment, type KeyboardEvent, memo, type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { isActive, type RunHead } from '../../../src-shared/model/run.ts';
import { mostSides, sidesOf } from '../../../src-shared/model/sideKey.ts';
import { formatCount, formatLatency } from '../../../src-shared/units.ts';
import { useCommand } from '../../api.tsx';
import { useSideColors } from '../../charts/sideColors.ts';
import { HeadRate } from '../../components/HeadRate.tsx';
import { RunWhen } from '../../components/RunWhen.tsx';
import { RunVerdicts } from '../../components/VerdictBadge.tsx';
import { paths } from '../../routes.ts';
import { EditRun } from '../Run/EditRun.tsx';
import { useRemoveRuns } from '../Run/useRunActions.ts';
import classes from './Runs.module.css';
import { groupRows, SeriesRow } from './SeriesRow.tsx';

/** Tags that are shown beside a name; the others are in a tooltip. */
const shownTags = 5;

/**
 * A row per run or series. Arrow keys go from row to row, Enter opens, x chooses. Drawn anew only when its rows change, not
 * with every key in the field above it.
 */
export const RunsTable = memo(function RunsTable(props: {
  heads: readonly RunHead[];
  /** In the order in which they were chosen; some may be on no page that is shown. */
  chosen: readonly RunHead[];
  onChoose: (heads: readonly RunHead[]) => void;
  /** Sides that the chosen ones come to stand beside. */
  beside: readonly string[];
}): ReactNode {
  const { heads, chosen, onChoose } = props;
  const [editing, setEditing] = useState<RunHead | null>(null);
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const series = useCommand('series.list', null).data ?? [];
  const rows = groupRows(heads, series);
  const ids = new Set(chosen.map(({ id }) => id));
  // Those that can stand side by side have their colours already.
  const sides = sidesOf([...ids], series);
  const keys = [...new Set([...props.beside, ...sides.keys])].slice(0, mostSides);
  const sideColor = useSideColors(keys);
  function colorOf(id: string): string | null {
    const key = sides.keyOf.get(id);
    return keys.length > 1 && key !== undefined && keys.includes(key) ? sideColor(key) : null;
  }
  const all = heads.every(({ id }) => ids.has(id));
  const toggle = (head: RunHead): void =>
    onChoose(ids.has(head.id) ? chosen.filter(({ id }) => id !== head.id) : [...chosen, head]);
  const chooseAll = (part: readonly RunHead[], wanted: boolean): void => {
    const others = chosen.filter(({ id }) => part.every((head) => head.id !== id));
    onChoose(wanted ? [...others, ...part] : others);
  };
  const open = (id: string): void =>
    setOpened((old) => {
      const next = new Set(old);
      if (!next.delete(id)) next.add(id);
      return next;
    });
  const row = (head: RunHead, part: boolean): ReactNode => (
    <Row
      key={head.id}
      head={head}
      part={part}
      chosen={ids.has(head.id)}
      color={colorOf(head.id)}
      onToggle={() => toggle(head)}
      onEdit={() => setEditing(head)}
    />
  );
  return (
    <>
      <Table.ScrollContainer minWidth={960}>
        <Table className={`panel ${classes.table}`} aria-label="Runs" highlightOnHover>
          <Table.Thead>
            <Table.Tr>
              <Table.Th w={40}>
                <Checkbox
                  aria-label="Choose all runs"
                  checked={all}
                  indeterminate={chosen.length > 0 && !all}
                  onChange={() => onChoose(all ? [] : heads)}
                />
              </Table.Th>
              <Table.Th>Run</Table.Th>
              <Table.Th>Verdict</Table.Th>
              <Table.Th>Target</Table.Th>
              <Table.Th ta="right" title="Transactions a second (TPS), or rows a second of a load">
                Rate
              </Table.Th>
              <Table.Th
                ta="right"
                title="Of the transactions, the batches of a load, or the first type of query"
              >
                p99
              </Table.Th>
              <Table.Th ta="right">Rows</Table.Th>
              <Table.Th>Started</Table.Th>
              <Table.Th w={48}>
                <span className={classes.hidden}>Actions</span>
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody
            onKeyDown={(event) =>
              handleKey(event, (id) => {
                const found = rows.find((each) => each.series?.id === id);
                const head = heads.find((each) => each.id === id);
                if (found && found.series !== null)
                  chooseAll(found.heads, !found.heads.every((each) => ids.has(each.id)));
                else if (head) toggle(head);
              })
            }
          >
            {rows.map((each) =>
              each.series === null ? (
                row(each.head, false)
              ) : (
                <Fragment key={each.series.id}>
                  <SeriesRow
                    series={each.series}
                    heads={each.heads}
                    chosen={chosen}
                    color={commonColor(each.heads.map(({ id }) => colorOf(id)))}
                    opened={opened.has(each.series.id)}
                    onOpen={() => open(each.series.id)}
                    onChoose={(wanted) => chooseAll(each.heads, wanted)}
                  />
                  {opened.has(each.series.id) && each.heads.map((head) => row(head, true))}
                </Fragment>
              ),
            )}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {editing && <EditRun head={editing} opened onClose={() => setEditing(null)} />}
    </>
  );
});

/** The colour that all runs of a row have. */
function commonColor(colors: readonly (string | null)[]): string | null {
  const [first = null] = colors;
  return colors.every((color) => color === first) ? first : null;
}

function Row(props: {
  head: RunHead;
  /** It stands below its series. */
  part: boolean;
  chosen: boolean;
  /** That the run has where it is compared; null where it is not about to be. */
  color: string | null;
  onToggle: () => void;
  onEdit: () => void;
}): ReactNode {
  const { head, chosen } = props;
  const removeRuns = useRemoveRuns();
  return (
    <Table.Tr data-chosen={chosen || undefined}>
      <Table.Td style={props.color === null ? undefined : { boxShadow: `inset 4px 0 ${props.color}` }}>
        <Checkbox
          aria-label={`Choose ${head.name} on ${head.targetName}`}
          checked={chosen}
          onChange={props.onToggle}
        />
      </Table.Td>
      <Table.Td className={`${classes.name} ${props.part ? classes.part : ''}`}>
        <Link
          href={paths.run(head.id)}
          className={`long ${classes.link}`}
          title={head.name}
          data-row={head.id}
        >
          {head.name}
        </Link>
        {head.tags.slice(0, shownTags).map((tag) => (
          <Badge key={tag} variant="default" size="sm" tt="none" fw={400} ml={4}>
            {tag}
          </Badge>
        ))}
        {head.tags.length > shownTags && (
          <Badge variant="default" size="sm" ml={4} title={head.tags.slice(shownTags).join(', ')}>
            +{head.tags.length - shownTags}
          </Badge>
        )}
        {head.archived === true && (
          <Badge variant="outline" color="gray" size="sm" tt="none" fw={400} ml={4}>
            archived
          </Badge>
        )}
        {head.leftOut !== undefined && (
          <div className={classes.notes} title={head.leftOut}>
            Left out of its group: {head.leftOut}
          </div>
        )}
        {head.notes !== '' && <div className={classes.notes}>{plainLine(head.notes)}</div>}
      </Table.Td>
      <Table.Td>
        <RunVerdicts head={head} />
      </Table.Td>
      <Table.Td>
        <span className="long" title={head.targetName}>
          {head.targetName}
        </span>
        {head.serverLabel !== null && <div className={classes.notes}>{head.serverLabel}</div>}
      </Table.Td>
      <Table.Td ta="right">
        <HeadRate head={head} />
      </Table.Td>
      <Table.Td ta="right" title={head.p99Us === null ? undefined : `${formatCount(head.p99Us)} µs`}>
        {head.p99Us === null ? '–' : formatLatency(head.p99Us)}
      </Table.Td>
      <Table.Td ta="right">{head.rows === null ? '–' : formatCount(head.rows)}</Table.Td>
      <Table.Td>
        <RunWhen head={head} />
      </Table.Td>
      <Table.Td>
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon variant="subtle" color="gray" aria-label={`Actions for ${head.name}`}>
              <IconDots size={16} aria-hidden />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item leftSection={<IconPencil size={14} aria-hidden />} onClick={props.onEdit}>
              Name, tags and notes
            </Menu.Item>
            <Menu.Item
              leftSection={<IconTrash size={14} aria-hidden />}
              disabled={isActive(head.status)}
              onClick={() => removeRuns([head])}
            >
              Delete
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </Table.Td>
    </Table.Tr>
  );
}

/** The first line of a note that has words, without the marks of Markdown at its beginning. */
function plainLine(notes: string): string {
  const lines = notes.split('\n').map((line) => line.replace(/^[\s#>*+-]+/, '').trim());
  return lines.find((line) => line !== '') ?? '';
}

/** Moves the focus between the rows' links, wherever in a row it is. */
function handleKey(event: KeyboardEvent<HTMLElement>, toggle: (id: string) => void): void {
  if (event.ctrlKey || event.metaKey || event.altKey || !(event.target instanceof HTMLElement)) return;
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-row]')];
  const here = links.findIndex((link) =>
    link.closest('tr')?.contains(event.target instanceof Node ? event.target : null),
  );
  if (here < 0) return;
  const moves: Record<string, number> = {
    ArrowDown: here + 1,
    ArrowUp: here - 1,
    Home: 0,
    End: links.length - 1,
  };
  const goal = moves[event.key];
  if (goal !== undefined) links[Math.min(links.length - 1, Math.max(0, goal))]?.focus();
  else if (event.key === 'x') toggle(links[here]?.dataset.row ?? '');
  else return;
  event.preventDefault();
}
