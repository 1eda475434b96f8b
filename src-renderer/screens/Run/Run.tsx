import { Button, Tabs, Text } from '@mantine/core';
import { IconPlayerPlay, IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import { isActive, type Run } from '../../../src-shared/model/run.ts';
import { useCommand } from '../../api.tsx';
import { ChartGroup } from '../../charts/group.tsx';
import { ErrorPanel } from '../../components/ErrorPanel.tsx';
import { Page } from '../../components/Page.tsx';
import { ShareMenu } from '../../components/ShareMenu.tsx';
import { SkeletonBlock, SkeletonFigures } from '../../components/Skeletons.tsx';
import { PublishedBeside } from '../../gallery/PublishedBeside.tsx';
import { paths } from '../../routes.ts';
import { useActiveRuns } from '../../shell/useActiveRun.ts';
import { useRunFeed } from '../../state/useRunFeed.ts';
import { OfSeries } from '../Series/Present.tsx';
import { Method } from './Method.tsx';
import { OfRack } from './OfRack.tsx';
import { PrintedRun } from './PrintedRun.tsx';
import classes from './Run.module.css';
import { RunCharts } from './RunCharts.tsx';
import { RunFigures } from './RunFigures.tsx';
import { RunText } from './RunText.tsx';
import { Server } from './Server.tsx';
import { SetUp } from './SetUp.tsx';
import { StatusLine } from './StatusLine.tsx';
import { Tables } from './Tables.tsx';
import { useRemoveRuns, useRunAgain } from './useRunActions.ts';

const crumbs = [{ label: 'Runs', href: paths.runs }];

/** One run, while it is on and ever after: the same screen. */
export function RunScreen(props: { id: string }): ReactNode {
  const { id } = props;
  const query = useCommand('runs.get', { id });
  const [, navigate] = useLocation();
  if (query.data?.printed) return <PrintedRun run={query.data} printed={query.data.printed} />;
  if (query.data !== undefined) return <RunPage key={id} run={query.data} />;
  return (
    <Page title="Run" crumbs={crumbs} wide>
      {query.isError ? (
        <ErrorPanel error={query.error} next={{ label: 'All runs', onClick: () => navigate(paths.runs) }} />
      ) : (
        <div className={classes.stack}>
          <SkeletonFigures />
          <SkeletonBlock height={240} />
          <SkeletonBlock height={240} />
        </div>
      )}
    </Page>
  );
}

function RunPage(props: { run: Run }): ReactNode {
  const { run } = props;
  const { feed, reload } = useRunFeed(run.id);
  const active = isActive(run.status);
  return (
    <Page
      title={`${run.name} on ${run.targetName}`}
      crumbs={crumbs}
      wide
      actions={active ? undefined : <Actions run={run} />}
    >
      <div className={classes.stack}>
        <StatusLine run={run} />
        {run.error !== null && <ErrorPanel error={run.error} />}
        <OfRack run={run} />
        <OfSeries run={run} />
        <Kept run={run} />
        <RunFigures run={run} feed={feed} />
        {!active && <PublishedBeside run={run} />}
        <Tabs defaultValue="charts" keepMounted={false}>
          <Tabs.List mb={12}>
            <Tabs.Tab value="charts">Charts</Tabs.Tab>
            <Tabs.Tab value="server">Server</Tabs.Tab>
            <Tabs.Tab value="tables">Tables</Tabs.Tab>
            <Tabs.Tab value="method">How the figures were made</Tabs.Tab>
            <Tabs.Tab value="setup">Set-up</Tabs.Tab>
            <Tabs.Tab value="text">Text</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="charts">
            <ChartGroup>
              <RunCharts run={run} feed={feed} reload={reload} />
            </ChartGroup>
          </Tabs.Panel>
          <Tabs.Panel value="server">
            <Server run={run} feed={feed} />
          </Tabs.Panel>
          <Tabs.Panel value="tables">
            <Tables phases={run.phases} active={active} />
          </Tabs.Panel>
          <Tabs.Panel value="method">
            <Method run={run} />
          </Tabs.Panel>
          <Tabs.Panel value="setup">
            <SetUp run={run} />
          </Tabs.Panel>
          <Tabs.Panel value="text">
            <RunText id={run.id} />
          </Tabs.Panel>
        </Tabs>
      </div>
    </Page>
  );
}

/** Stands where Stop stands while a run is on. */
function Actions(props: { run: Run }): ReactNode {
  const { run } = props;
  const [, navigate] = useLocation();
  const removeRuns = useRemoveRuns();
  const { runAgain, pending, dialog } = useRunAgain();
  const busy = useActiveRuns().length > 0;
  return (
    <>
      <ShareMenu sides={[run.id]} steps={run.resolvedSteps.map(({ id }) => id)} />
      <Button
        variant="default"
        leftSection={<IconTrash size={16} aria-hidden />}
        onClick={() => {
          removeRuns([run]);
          navigate(paths.runs);
        }}
      >
        Delete
      </Button>
      <Button
        leftSection={<IconPlayerPlay size={16} aria-hidden />}
        loading={pending}
        disabled={busy}
        title={
          busy
            ? 'Another benchmark is on: two at once would disturb each other.'
            : `Runs the same plan on ${run.targetName} once more`
        }
        onClick={() => runAgain(run)}
      >
        Run again
      </Button>
      {dialog}
    </>
  );
}

/** What is left of a run that did not reach its end; what Stop does while it is on. */
function Kept(props: { run: Run }): ReactNode {
  const words: Partial<Record<Run['status'], string>> = {
    preparing: 'Stop ends the run. What was measured by then is kept, and the run is listed as stopped.',
    running: 'Stop ends the run. What was measured by then is kept, and the run is listed as stopped.',
    failed:
      props.run.phases.length === 0
        ? 'The run failed before anything was measured.'
        : 'The run failed before its end. Every second measured up to then is kept below.',
    cancelled: 'The run was stopped before its end. The figures cover the part that was measured.',
    interrupted: 'Benchberry ended in the middle of this run. At most the last second is missing below.',
  };
  const thinned =
    props.run.thinned === true &&
    'Its single seconds were joined to tens of them to save room: charts have a point every ten seconds, totals are what they were.';
  const text = [words[props.run.status], thinned].filter(Boolean).join(' ');
  return text === '' ? null : (
    <Text size="sm" c="dimmed">
      {text}
    </Text>
  );
}
