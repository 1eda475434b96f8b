import { Button, Text } from '@mantine/core';
import { IconAlertTriangle, IconArrowsDiff, IconPlayerPlay, IconPlayerStopFilled } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import type { RackResult } from '../../../src-shared/model/rack.ts';
import { aggregateText } from '../../../src-shared/stats/rack.ts';
import { useAction, useCommand } from '../../api.tsx';
import { Loaded } from '../../components/Loaded.tsx';
import { Page } from '../../components/Page.tsx';
import { SkeletonRows } from '../../components/Skeletons.tsx';
import { TimeAgo } from '../../components/TimeAgo.tsx';
import { toastError } from '../../components/toasts.tsx';
import { paths } from '../../routes.ts';
import { useActiveRuns } from '../../shell/useActiveRun.ts';
import classes from './Rack.module.css';
import { RackTable } from './RackTable.tsx';
import { RunOnRack } from './RunOnRack.tsx';

/** A benchmark of a rack, while it is on and ever after: hosts side by side, who stands out and why. */
export function RackRunScreen(props: { id: string }): ReactNode {
  const result = useCommand('racks.result', { id: props.id });
  const inPage = (children: ReactNode) => (
    <Page title="Benchmark of a rack" crumbs={[{ label: 'Runs', href: paths.runs }]} wide>
      {children}
    </Page>
  );
  return (
    <Loaded query={result} skeleton={inPage(<SkeletonRows rows={4} />)} frame={inPage}>
      {(data) => <RackRunPage result={data} />}
    </Loaded>
  );
}

function RackRunPage(props: { result: RackResult }): ReactNode {
  const { result } = props;
  const { run, outliers, aggregates } = result;
  return (
    <Page
      title={`${run.plan.name} on ${run.rack}`}
      crumbs={[
        { label: 'Hosts', href: paths.hosts },
        { label: run.rack, href: paths.rack(run.rack) },
      ]}
      wide
      actions={<Actions result={result} />}
    >
      <div className={classes.stack}>
        <Text size="sm" c="dimmed">
          {run.atOnce
            ? 'All hosts at once: their runs share the processor and the network of this machine.'
            : 'One host after the other.'}{' '}
          Started <TimeAgo iso={run.startedAt} />
          {run.endedAt === null && '; it goes on when you leave this screen'}.
        </Text>
        {outliers.map(({ hostId, sentence }) => (
          <section
            key={hostId}
            className={`panel ${classes.outlier}`}
            aria-label={`Outlier: ${run.members.find((member) => member.hostId === hostId)?.hostName}`}
          >
            <IconAlertTriangle size={20} aria-hidden />
            <p>{sentence}</p>
          </section>
        ))}
        <RackTable result={result} />
        {aggregates.length > 0 && (
          <section className="panel" aria-label="What the rack comes to">
            {aggregates.map((aggregate) => (
              <p key={aggregate.rate} className={`num ${classes.aggregate}`}>
                {aggregateText(aggregate)}
              </p>
            ))}
          </section>
        )}
      </div>
    </Page>
  );
}

function Actions(props: { result: RackResult }): ReactNode {
  const { run, hosts } = props.result;
  const stop = useAction('racks.stop');
  const [again, setAgain] = useState(false);
  const busy = useActiveRuns().length > 0;
  const runIds = run.members.flatMap(({ runIds: ids }, i) => (hosts[i]?.figures === null ? [] : ids));
  if (run.endedAt === null) {
    return (
      <Button
        leftSection={<IconPlayerStopFilled size={16} aria-hidden />}
        loading={stop.isPending}
        title="Ends the runs that are on, and those that would come; what was measured is kept"
        onClick={() => stop.mutate({ id: run.id }, { onError: toastError })}
      >
        Stop all
      </Button>
    );
  }
  return (
    <>
      {runIds.length > 1 && (
        <Button
          variant="default"
          component={Link}
          href={paths.compare(runIds)}
          leftSection={<IconArrowsDiff size={16} aria-hidden />}
        >
          Compare
        </Button>
      )}
      <Button
        leftSection={<IconPlayerPlay size={16} aria-hidden />}
        disabled={busy}
        title={busy ? 'A benchmark is on: another one would disturb it.' : undefined}
        onClick={() => setAgain(true)}
      >
        Run again
      </Button>
      {again && <RunOnRack plan={run.plan} rack={run.rack} onClose={() => setAgain(false)} />}
    </>
  );
}
