import { Button } from '@mantine/core';
import {
  IconArchive,
  IconArchiveOff,
  IconClipboardPlus,
  IconColumns,
  IconTags,
  IconTrash,
} from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { isActive, type RunHead } from '../../../src-shared/model/run.ts';
import { compareWords, mostSides, sidesOf } from '../../../src-shared/model/sideKey.ts';
import { formatCount } from '../../../src-shared/units.ts';
import { useApi, useCommand } from '../../api.tsx';
import { ShareMenu } from '../../components/ShareMenu.tsx';
import { toastError, toastUndo } from '../../components/toasts.tsx';
import { paths } from '../../routes.ts';
import { useRemoveRuns } from '../Run/useRunActions.ts';
import { TagDialog } from './TagDialog.tsx';

/** What can be done with the runs that are chosen; without any, the next benchmark. */
export function BulkActions(props: { chosen: readonly RunHead[]; onDone: () => void }): ReactNode {
  const { chosen, onDone } = props;
  const [, navigate] = useLocation();
  const [tagging, setTagging] = useState(false);
  const removeRuns = useRemoveRuns();
  const archiveRuns = useArchiveRuns();
  const ended = chosen.filter(({ status }) => !isActive(status));
  const back = ended.length > 0 && ended.every(({ archived }) => archived === true);
  const n = formatCount(ended.length);
  const series = useCommand('series.list', null).data ?? [];
  const keysOf = (heads: readonly RunHead[]) =>
    sidesOf(
      heads.map(({ id }) => id),
      series,
    ).keys;
  const keys = keysOf(chosen);
  return (
    <>
      {chosen.length > 0 && (
        <Button
          variant="default"
          leftSection={<IconTags size={16} aria-hidden />}
          onClick={() => setTagging(true)}
        >
          Tag {formatCount(chosen.length)}
        </Button>
      )}
      {ended.length > 0 && (
        <>
          <ShareMenu sides={keysOf(ended)} />
          <Button
            variant="default"
            leftSection={
              back ? <IconArchiveOff size={16} aria-hidden /> : <IconArchive size={16} aria-hidden />
            }
            title={
              back
                ? 'They are listed again.'
                : 'They are kept, and listed only where archived runs are asked for.'
            }
            onClick={() => {
              archiveRuns(ended, !back);
              onDone();
            }}
          >
            {back ? `Take ${n} back` : `Archive ${n}`}
          </Button>
          <Button
            variant="default"
            leftSection={<IconTrash size={16} aria-hidden />}
            onClick={() => {
              removeRuns(ended);
              onDone();
            }}
          >
            Delete {n}
          </Button>
        </>
      )}
      {keys.length >= 2 ? (
        <Button
          leftSection={<IconColumns size={16} aria-hidden />}
          disabled={keys.length > mostSides}
          title={keys.length > mostSides ? `At most ${mostSides} stand side by side.` : undefined}
          onClick={() => navigate(paths.compare(keys))}
        >
          {compareWords(keys)}
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
      {tagging && <TagDialog heads={chosen} onClose={() => setTagging(false)} />}
    </>
  );
}

/** Takes runs out of the way or back, with a way to undo it. */
function useArchiveRuns(): (heads: readonly RunHead[], archived: boolean) => void {
  const api = useApi();
  return (heads, archived) => {
    const [first] = heads;
    if (first === undefined) return;
    const what = heads.length === 1 ? first.name : `${formatCount(heads.length)} runs`;
    api
      .call('runs.archive', { ids: heads.map(({ id }) => id), archived })
      .then(
        (changed) =>
          toastUndo(`${what} ${archived ? 'archived' : 'taken back'}`, () =>
            changed.length === 0
              ? Promise.resolve()
              : api.call('runs.archive', { ids: changed, archived: !archived }),
          ),
        toastError,
      );
  };
}
