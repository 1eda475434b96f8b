import { Button, Group, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import type { RunHead } from '../../../src-shared/model/run.ts';
import { formatCount } from '../../../src-shared/units.ts';
import { useApi, useCommand } from '../../api.tsx';
import { EmptyState } from '../../components/EmptyState.tsx';
import { ErrorPanel } from '../../components/ErrorPanel.tsx';
import { SkeletonRows } from '../../components/Skeletons.tsx';
import { toastError } from '../../components/toasts.tsx';
import { FilterBar } from './FilterBar.tsx';
import { readableFilter, useFilterText } from './filterText.ts';
import { RunsTable } from './RunsTable.tsx';

/** Rows that are fetched and drawn at once: ten thousand would take seconds. */
const pageSize = 100;
/** As many as one command takes. */
const mostChosen = 10_000;

const nobody: readonly string[] = [];

/** The runs that fit the filter, newest first, a page at a time; those that are chosen stay chosen while they fit. */
export function RunList(props: {
  chosen: readonly RunHead[];
  onChoose: (heads: readonly RunHead[]) => void;
  /** Sides that are there already; they keep their colours. */
  beside?: readonly string[];
}): ReactNode {
  const { chosen, onChoose, beside = nobody } = props;
  const api = useApi();
  const [text, setText] = useFilterText();
  const [typed] = useDebouncedValue(text, 150);
  const filter = readableFilter(typed);
  const [page, setPage] = useState({ filter, limit: pageSize });
  const limit = page.filter === filter ? page.limit : pageSize;
  const found = useCommand('runs.list', { filter, limit }, { keepPrevious: true });
  const counts = useCommand('runs.facets', { filter }, { keepPrevious: true });
  const heads = found.data ?? [];
  const total = counts.data?.found ?? heads.length;
  const left = Math.max(0, total - heads.length);
  function changeText(next: string): void {
    setText(next);
    if (chosen.length > 0) onChoose([]);
  }
  return (
    <>
      <FilterBar
        text={text}
        onText={changeText}
        facets={counts.data?.facets ?? []}
        archived={counts.data?.archived ?? 0}
      />
      {found.isError && (
        <ErrorPanel error={found.error} next={{ label: 'Try again', onClick: () => void found.refetch() }} />
      )}
      {found.isPending && <SkeletonRows rows={8} />}
      {found.data?.length === 0 && (
        <EmptyState
          Icon={IconSearch}
          title="No run fits"
          action={
            <Button variant="default" onClick={() => changeText('')}>
              Show all runs
            </Button>
          }
        >
          The search looks at names, plans, targets, servers, notes and tags.
        </EmptyState>
      )}
      {heads.length > 0 && (
        <>
          <RunsTable heads={heads} chosen={chosen} onChoose={onChoose} beside={beside} />
          <Group gap={12} mt={12} mih={36}>
            {left > 0 && (
              <Button variant="default" onClick={() => setPage({ filter, limit: limit + pageSize })}>
                Show {formatCount(Math.min(pageSize, left))} more
              </Button>
            )}
            <Text size="sm" c="dimmed">
              {left > 0
                ? `${formatCount(heads.length)} of ${formatCount(total)} runs`
                : `${formatCount(total)} ${total === 1 ? 'run' : 'runs'}`}
              {filter !== '' && counts.data !== undefined && `; ${formatCount(counts.data.all)} in all`}
            </Text>
            {left > 0 && chosen.length >= heads.length && chosen.length < Math.min(total, mostChosen) && (
              <Button
                variant="subtle"
                size="compact-sm"
                onClick={() =>
                  void api.call('runs.list', { filter, limit: mostChosen }).then(onChoose, toastError)
                }
              >
                Choose all {formatCount(total)}
              </Button>
            )}
          </Group>
        </>
      )}
    </>
  );
}
