import { Button } from '@mantine/core';
import { IconFileImport, IconHistory } from '@tabler/icons-react';
import { type ReactNode, useEffect, useState } from 'react';
import { Link } from 'wouter';
import type { RunHead } from '../../../src-shared/model/run.ts';
import { useCommand } from '../../api.tsx';
import { EmptyState } from '../../components/EmptyState.tsx';
import { Page } from '../../components/Page.tsx';
import { paths } from '../../routes.ts';
import { useDroppedFile } from '../../state/droppedFile.ts';
import { BulkActions } from './BulkActions.tsx';
import { ImportRuns } from './ImportRuns.tsx';
import { RunList } from './RunList.tsx';

/** Every run that was kept: found again by what it is, opened, compared, tagged, archived, exported, deleted. */
export function RunsScreen(): ReactNode {
  // In the order in which they were chosen: the first is the base of a comparison.
  const [chosen, setChosen] = useState<readonly RunHead[]>([]);
  const [importing, setImporting] = useState(false);
  const dropped = useDroppedFile('runs');
  useEffect(() => {
    if (dropped !== null) setImporting(true);
  }, [dropped]);
  const counts = useCommand('runs.facets', {});
  const none = counts.data !== undefined && counts.data.all + counts.data.archived === 0;
  return (
    <Page
      title="Runs"
      wide
      actions={
        <>
          {chosen.length === 0 && (
            <Button
              variant="default"
              leftSection={<IconFileImport size={16} aria-hidden />}
              onClick={() => setImporting(true)}
            >
              Import…
            </Button>
          )}
          <BulkActions chosen={chosen} onDone={() => setChosen([])} />
        </>
      }
    >
      {none ? <NoRuns /> : <RunList chosen={chosen} onChoose={setChosen} />}
      {importing && <ImportRuns onClose={() => setImporting(false)} />}
    </Page>
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
