import { Button, Group, Select, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconClipboardPlus, IconColumns, IconHistory, IconSearch, IconTrash } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { toAppError } from '../../../src-shared/errors.ts';
import { isActive, type RunHead } from '../../../src-shared/model/run.ts';
import { commandKey, useApi, useCommand } from '../../api.tsx';
import { EmptyState } from '../../components/EmptyState.tsx';
import { ErrorPanel } from '../../components/ErrorPanel.tsx';
import { Page } from '../../components/Page.tsx';
import { SkeletonRows } from '../../components/Skeletons.tsx';
import { paths } from '../../routes.ts';
import { useRemoveRuns } from '../Run/useRunActions.ts';
import { RunsTable } from './RunsTable.tsx';

/** Every run that was kept: found again by name, target, note or tag, opened, compared, deleted. */
export function RunsScreen(): ReactNode {
  const [search, setSearch] = useState('');
  const [tag, setTag] = useState<string | null>(null);
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [typed] = useDebouncedValue(search.trim(), 150);
  const all = useCommand('runs.list', {});
  const found = useFound(typed, tag);
  const heads = found.data ?? [];
  // In the order in which they were chosen: the first is the base of a comparison.
  const selection = chosen.flatMap((id) => heads.find((head) => head.id === id) ?? []);
  const tags = [...new Set(all.data?.flatMap((head) => head.tags))].sort();
  return (
    <Page title="Runs" wide actions={<Actions selection={selection} onDeleted={() => setChosen([])} />}>
      {all.data?.length === 0 ? (
        <NoRuns />
      ) : (
        <>
          <Group gap={8} mb={12}>
            <TextInput
              aria-label="Search runs"
              placeholder="Name, target, server, notes"
              leftSection={<IconSearch size={16} aria-hidden />}
              value={search}
              onChange={(event) => setSearch(event.currentTarget.value)}
              w={320}
            />
            {tags.length > 0 && (
              <Select
                aria-label="Only runs with this tag"
                placeholder="Any tag"
                data={tags}
                value={tag}
                onChange={setTag}
                clearable
                searchable
                w={200}
              />
            )}
          </Group>
          {found.isError && (
            <ErrorPanel
              error={toAppError(found.error)}
              next={{ label: 'Try again', onClick: () => void found.refetch() }}
            />
          )}
          {found.isPending && <SkeletonRows rows={8} />}
          {found.data?.length === 0 && (
            <EmptyState
              Icon={IconSearch}
              title="No run fits"
              action={
                <Button
                  variant="default"
                  onClick={() => {
                    setSearch('');
                    setTag(null);
                  }}
                >
                  Show all runs
                </Button>
              }
            >
              The search looks at names, targets, servers, notes and tags.
            </EmptyState>
          )}
          {heads.length > 0 && (
            <RunsTable heads={heads} chosen={selection.map(({ id }) => id)} onChoose={setChosen} />
          )}
        </>
      )}
    </Page>
  );
}

/** The list for a search; the former one stays in view until the new one is there. */
function useFound(search: string, tag: string | null) {
  const api = useApi();
  const input = { filter: [search, ...(tag === null ? [] : [`tag:${JSON.stringify(tag)}`])].join(' ') };
  return useQuery({
    queryKey: commandKey('runs.list', input),
    queryFn: ({ signal }) => api.call('runs.list', input, signal),
    placeholderData: keepPreviousData,
  });
}

function Actions(props: { selection: readonly RunHead[]; onDeleted: () => void }): ReactNode {
  const { selection } = props;
  const [, navigate] = useLocation();
  const removeRuns = useRemoveRuns();
  const ids = selection.map(({ id }) => id);
  const ended = selection.filter(({ status }) => !isActive(status));
  return (
    <>
      {ended.length > 0 && (
        <Button
          variant="default"
          leftSection={<IconTrash size={16} aria-hidden />}
          onClick={() => {
            removeRuns(ended);
            props.onDeleted();
          }}
        >
          Delete {ended.length}
        </Button>
      )}
      {ids.length >= 2 ? (
        <Button
          leftSection={<IconColumns size={16} aria-hidden />}
          onClick={() => navigate(paths.compare(ids))}
        >
          Compare {ids.length} runs
        </Button>
      ) : (
        <Button
          component={Link}
          href={paths.newPlan}
          leftSection={<IconClipboardPlus size={16} aria-hidden />}
        >
          New benchmark
        </Button>
      )}
    </>
  );
}

function NoRuns(): ReactNode {
  return (
    <EmptyState
      Icon={IconHistory}
      title="No run yet"
      action={
        <Button component={Link} href={paths.newPlan}>
          New benchmark
        </Button>
      }
    >
      Each benchmark that is started is kept here with all its seconds, its plan and its server, to be opened
      and compared.
    </EmptyState>
  );
}
