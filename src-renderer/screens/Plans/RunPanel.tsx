import { Anchor, Button, Checkbox, MultiSelect, NativeSelect, Stack, Text } from '@mantine/core';
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleX,
  IconPlayerPlayFilled,
  IconServer2,
} from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import type { Target } from '../../../src-shared/model/target.ts';
import { useCommand } from '../../api.tsx';
import { ErrorPanel } from '../../components/ErrorPanel.tsx';
import { PasswordDialog, StartFailed, useStartRun } from '../../components/StartRun.tsx';
import { useCancellable } from '../../components/useCancellable.ts';
import { Waiting } from '../../components/Waiting.tsx';
import { paths } from '../../routes.ts';
import { useActiveRun } from '../../shell/useActiveRun.ts';
import { RunOnRack, useRacks } from '../Rack/RunOnRack.tsx';
import { withHint } from './draft.ts';
import classes from './Plans.module.css';
import { QuietHost } from './QuietHost.tsx';
import { SeriesPreview } from './SeriesPreview.tsx';
import type { PlanForm } from './usePlanForm.ts';
import { usePlanTarget } from './usePlanTarget.ts';

/** On which target, what will happen, and the button for it; the check tells before what a run would find. */
export function RunPanel(props: {
  form: PlanForm;
  targets: readonly Target[];
  targetProblem: string | undefined;
  /** Ids of the targets that the plan is run on in turn beside its own. */
  alsoOn: readonly string[];
  onAlsoOn: (ids: readonly string[]) => void;
  onProblem: () => void;
}): ReactNode {
  const { form, targets } = props;
  const { draft, plan, judged } = form;
  const run = useStartRun();
  const check = useCancellable('plans.check');
  const { target, error: targetError } = usePlanTarget(draft.target);
  const active = useActiveRun();
  const settling = useCommand('series.progress', null).data ?? null;
  const racks = useRacks();
  const [onRack, setOnRack] = useState(false);
  const wrong = judged?.problems.length ?? 0;
  const ready = plan !== null && target !== undefined && wrong === 0;
  const busyAt =
    active !== null ? paths.run(active.progress.runId) : settling === null ? null : paths.series(settling.id);
  const others = targets.filter(({ id }) => id !== target?.id && props.alsoOn.includes(id));
  const all = target === undefined ? [] : [target, ...others];
  const isSeries = all.length > 1 || (judged?.cells ?? 1) > 1 || (plan?.repeat ?? 1) > 1;

  function startCheck(): void {
    if (plan !== null && target !== undefined) void check.start({ plan, targetId: target.id });
  }

  // What the plan names is in the list whatever it is: a connection URL, or a target that is gone.
  const choices = targets.map(({ name }) => ({ value: name, label: name }));
  if (!targets.some(({ name }) => name === draft.target)) {
    choices.unshift({ value: draft.target, label: target?.name ?? draft.target });
  }

  return (
    <aside className={classes.side} aria-label="Run">
      <Stack gap={12} className="panel">
        <NativeSelect
          label="Target"
          value={draft.target}
          data={choices}
          error={
            targetError === null
              ? props.targetProblem
              : withHint({ message: targetError.message, hint: targetError.hint ?? null })
          }
          onChange={(event) => {
            form.set({ target: event.currentTarget.value });
            check.clear();
          }}
        />
        <Anchor component={Link} href={paths.newTarget} size="sm" c="var(--accent-text)" underline="always">
          Add a target
        </Anchor>
        <MultiSelect
          label="In turn with"
          description="Each run is made on all of them, one after the other: A B A B …"
          placeholder={others.length === 0 ? 'No other target' : ''}
          data={targets
            .filter(({ id }) => id !== target?.id)
            .map(({ id, name }) => ({ value: id, label: name }))}
          value={others.map(({ id }) => id)}
          onChange={props.onAlsoOn}
          clearable
        />
        <QuietHost
          hostId={target?.hostId ?? null}
          checked={draft.quietHost}
          onChange={(quietHost) => form.set({ quietHost })}
        />
        <Checkbox
          label="Watch the database server during the run"
          description="What it waits for, its checkpoints, its log and its cache, on a connection of its own, where the engine tells. Takes about half a percent of one of its cores."
          checked={draft.telemetry}
          onChange={(event) => form.set({ telemetry: event.currentTarget.checked })}
        />
        {ready && isSeries && <SeriesPreview plan={plan} targetIds={all.map(({ id }) => id)} />}
        <Button
          className={classes.primary ?? ''}
          leftSection={
            ready ? (
              <IconPlayerPlayFilled size={16} aria-hidden />
            ) : (
              <IconAlertTriangle size={16} aria-hidden />
            )
          }
          loading={run.pending}
          disabled={ready && busyAt !== null}
          onClick={() => (ready ? run.start(plan, ...all) : props.onProblem())}
        >
          {ready
            ? sentence(judged?.summary ?? '', all.map(({ name }) => name).join(', then '))
            : correction(wrong, target === undefined)}
        </Button>
        {busyAt !== null && (
          <Text size="sm">
            One run at a time, since two would disturb each other’s figures.{' '}
            <Anchor component={Link} href={busyAt} c="var(--accent-text)" underline="always">
              Watch the one that is on
            </Anchor>
          </Text>
        )}
        {racks.length > 0 && (
          <Button
            variant="default"
            leftSection={<IconServer2 size={16} aria-hidden />}
            disabled={plan === null || wrong > 0 || busyAt !== null || (judged?.cells ?? 1) > 1}
            onClick={() => setOnRack(true)}
          >
            Run on a rack
          </Button>
        )}
        <Button variant="default" disabled={!ready || check.pending} onClick={startCheck}>
          Check first
        </Button>
        <Text size="sm" c="dimmed">
          The check connects, writes a hundred rows of a load into a database of its own, runs each query once
          and cleans up. Tables that exist are only looked at.
        </Text>
      </Stack>
      {run.dialog}
      {onRack && plan !== null && <RunOnRack plan={plan} rack={null} onClose={() => setOnRack(false)} />}
      {run.error !== null && <StartFailed error={run.error} />}
      {check.startedAt !== null && (
        <Waiting doing="Checking" startedAt={check.startedAt} onCancel={check.cancel} />
      )}
      {check.error?.code === 'password-needed' && ready ? (
        <PasswordDialog target={target} onClose={check.clear} onKept={startCheck} />
      ) : (
        check.error !== null && <ErrorPanel error={check.error} />
      )}
      {check.data !== null && (
        <section className="panel" aria-label="What the check found">
          <Text fw={600} mb={8} role="status">
            {check.data.ok ? 'The check found nothing in the way' : 'The check found something in the way'}
          </Text>
          <ul className={classes.items}>
            {check.data.items.map((item) => (
              <li key={item.title} className={classes.item}>
                {item.ok ? (
                  <IconCircleCheck size={18} color="var(--good)" role="img" aria-label="Fine" />
                ) : (
                  <IconCircleX size={18} color="var(--bad)" role="img" aria-label="In the way" />
                )}
                <div>
                  <b>{item.title}</b>
                  {item.detail !== '' && <div className="quiet">{item.detail}</div>}
                </div>
              </li>
            ))}
          </ul>
        </section>
      )}
    </aside>
  );
}

/** The summary as the button says it: `Load 1,000,000 rows into benchmark on rpi-3`. */
function sentence(summary: string, target: string): string {
  if (summary === '') return 'Run';
  const text = summary.charAt(0).toUpperCase() + summary.slice(1).replace(/[.]$/, '');
  return text.endsWith(` on ${target}`) ? text : `${text} on ${target}`;
}

function correction(wrong: number, noTarget: boolean): string {
  if (wrong === 0) return noTarget ? 'Choose a target first' : 'Run';
  return wrong === 1 ? 'One value to correct first' : `${wrong} values to correct first`;
}
