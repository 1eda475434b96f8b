import { ActionIcon, Badge, Button, Checkbox, Menu, Table } from '@mantine/core';
import { IconDots, IconPencil, IconTrash } from '@tabler/icons-react';
import { type KeyboardEvent, type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { isActive, type RunHead } from '../../../src-shared/model/run.ts';
import { formatCount, formatLatency } from '../../../src-shared/units.ts';
import { HeadRate } from '../../components/HeadRate.tsx';
import { TimeAgo } from '../../components/TimeAgo.tsx';
import { RunVerdicts } from '../../components/VerdictBadge.tsx';
import { paths } from '../../routes.ts';
import { EditRun } from '../Run/EditRun.tsx';
import { useRemoveRuns } from '../Run/useRunActions.ts';
import classes from './Runs.module.css';

/** Rows that are drawn at once: a thousand would take seconds. */
const pageSize = 100;

/** Tags that are shown beside a name; the others are in a tooltip. */
const shownTags = 5;

/** A row per run. Arrow keys go from row to row, Enter opens, x chooses. */
export function RunsTable(props: {
  heads: readonly RunHead[];
  chosen: readonly string[];
  onChoose: (ids: readonly string[]) => void;
}): ReactNode {
  const { heads, chosen, onChoose } = props;
  const [editing, setEditing] = useState<RunHead | null>(null);
  const [most, setMost] = useState(pageSize);
  const more = Math.min(pageSize, heads.length - most);
  const toggle = (id: string): void =>
    onChoose(chosen.includes(id) ? chosen.filter((other) => other !== id) : [...chosen, id]);
  return (
    <>
      <Table.ScrollContainer minWidth={960}>
        <Table className={`panel ${classes.table}`} aria-label="Runs" highlightOnHover>
          <Table.Thead>
            <Table.Tr>
              <Table.Th w={40}>
                <Checkbox
                  aria-label="Choose all runs"
                  checked={chosen.length === heads.length}
                  indeterminate={chosen.length > 0 && chosen.length < heads.length}
                  onChange={() => onChoose(chosen.length === heads.length ? [] : heads.map(({ id }) => id))}
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
          <Table.Tbody onKeyDown={(event) => handleKey(event, toggle)}>
            {heads.slice(0, most).map((head) => (
              <Row
                key={head.id}
                head={head}
                chosen={chosen.includes(head.id)}
                onToggle={() => toggle(head.id)}
                onEdit={() => setEditing(head)}
              />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {more > 0 && (
        <Button variant="default" mt={12} onClick={() => setMost(most + pageSize)}>
          Show {more} more of {formatCount(heads.length - most)}
        </Button>
      )}
      {editing && <EditRun head={editing} opened onClose={() => setEditing(null)} />}
    </>
  );
}

function Row(props: { head: RunHead; chosen: boolean; onToggle: () => void; onEdit: () => void }): ReactNode {
  const { head, chosen } = props;
  const removeRuns = useRemoveRuns();
  return (
    <Table.Tr data-chosen={chosen || undefined}>
      <Table.Td>
        <Checkbox
          aria-label={`Choose ${head.name} on ${head.targetName}`}
          checked={chosen}
          onChange={props.onToggle}
        />
      </Table.Td>
      <Table.Td className={classes.name}>
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
        {head.notes !== '' && <div className={classes.notes}>{head.notes}</div>}
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
        <TimeAgo iso={head.startedAt} />
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
