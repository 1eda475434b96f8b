import { Badge, Progress as Bar, Button, Group, Text } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { isActive, type Run, type RunGate } from '../../../src-shared/model/run.ts';
import { formatElapsed } from '../../../src-shared/units.ts';
import { useCommand } from '../../api.tsx';
import { Notes } from '../../components/Notes.tsx';
import { TimeAgo } from '../../components/TimeAgo.tsx';
import { RunVerdicts } from '../../components/VerdictBadge.tsx';
import { AgainstBaseline, BaselineStar } from './Baseline.tsx';
import { EditRun } from './EditRun.tsx';
import classes from './Run.module.css';

/** Verdict first, then what, where and when; while the run is on, how far it is. */
export function StatusLine(props: { run: Run }): ReactNode {
  const { run } = props;
  const [editing, setEditing] = useState(false);
  return (
    <div className={classes.status}>
      <Group gap={12} wrap="wrap">
        <RunVerdicts head={run} />
        {isActive(run.status) ? <HowFar run={run} /> : <Ended run={run} />}
        <Text size="sm" c="dimmed">
          {[run.targetName, run.serverLabel].filter(Boolean).join(' · ')}
        </Text>
        {run.tags.map((tag) => (
          <Badge key={tag} variant="default" tt="none" fw={400}>
            {tag}
          </Badge>
        ))}
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          leftSection={<IconPencil size={14} aria-hidden />}
          onClick={() => setEditing(true)}
        >
          {run.notes === '' && run.tags.length === 0 ? 'Add tags or notes' : 'Edit'}
        </Button>
        {run.status === 'finished' && <BaselineStar run={run} />}
      </Group>
      {run.host?.gate && run.host.gate.override !== null && (
        <Text size="sm">
          {run.host.name} was not ready ({notPassed(run.host.gate)}). Begun all the same:{' '}
          {run.host.gate.override}
        </Text>
      )}
      {run.notes !== '' && (
        <div className={classes.notes}>
          <Notes text={run.notes} />
        </div>
      )}
      {run.status === 'finished' && <AgainstBaseline runId={run.id} />}
      <EditRun head={run} opened={editing} onClose={() => setEditing(false)} />
    </div>
  );
}

const notPassed = ({ checks }: RunGate) =>
  checks
    .filter(({ result }) => result === 'fail' || result === 'wait')
    .map(({ title }) => title.toLowerCase())
    .join(', ');

function Ended(props: { run: Run }): ReactNode {
  const { run } = props;
  return (
    <Text size="sm">
      Started <TimeAgo iso={run.startedAt} />
      {run.endedAt !== null && `, took ${formatElapsed(Date.parse(run.endedAt) - Date.parse(run.startedAt))}`}
    </Text>
  );
}

function HowFar(props: { run: Run }): ReactNode {
  const all = useCommand('runs.progress', null).data;
  const progress = all?.find(({ runId }) => runId === props.run.id);
  if (progress === undefined) return null;
  const { fraction, remainingMs } = progress;
  const percent = fraction === null ? null : Math.floor(fraction * 100);
  return (
    <>
      <Bar
        className={classes.bar}
        value={percent ?? 100}
        striped={percent === null}
        aria-label="How far the run is"
      />
      <Text size="sm" className={`num ${classes.howFar}`}>
        {progress.doing}
        {progress.detail !== undefined && ` · ${progress.detail}`}
        {progress.phaseName !== null && ` · ${progress.phaseName}`}
        {percent !== null && ` · ${percent} %`} · {formatElapsed(progress.elapsedMs)}
        {remainingMs !== null && ` · about ${formatElapsed(remainingMs)} left`}
      </Text>
    </>
  );
}
