import { Anchor, Button, Group, Modal, NativeSelect, Stack, Text } from '@mantine/core';
import { IconPlayerPlayFilled } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { builtInTargets, type Target } from '../../src-shared/model/target.ts';
import { useCommand } from '../api.tsx';
import { StartFailed, useStartRun } from '../components/StartRun.tsx';
import { paths } from '../routes.ts';
import { useActiveBenchmark } from '../shell/useActiveBenchmark.ts';
import { type Preset, useGallery } from './useGallery.ts';

/** The preset whose reference a run is; null where it is none that ships with Benchberry. */
export function usePresetOf(runId: string): Preset | null {
  return useGallery()?.find(({ references }) => references.some(({ id }) => id === runId)) ?? null;
}

/** A button that runs what was published on a target of one's own. @param compact among the rows of a card */
export function RunPreset(props: { preset: Preset; compact?: boolean }): ReactNode {
  const [opened, setOpened] = useState(false);
  const { plan } = props.preset.plan;
  return (
    <>
      <Button
        size={props.compact ? 'compact-sm' : 'sm'}
        variant={props.compact ? 'light' : 'filled'}
        leftSection={<IconPlayerPlayFilled size={12} aria-hidden />}
        aria-label={`Run ${plan.name} on my Pi`}
        onClick={() => setOpened(true)}
      >
        Run this on my Pi
      </Button>
      {opened && <ChooseTarget preset={props.preset} onClose={() => setOpened(false)} />}
    </>
  );
}

/** A target of the published engine on a host of one's own first, then any there, then another server, then the built-in one. */
function mostLikely(targets: readonly Target[], engine: string | undefined): Target | undefined {
  const onHosts = targets.filter(({ hostId }) => hostId !== null);
  return (
    onHosts.find((target) => target.engine === engine) ??
    onHosts[0] ??
    targets.find(({ builtIn }) => !builtIn) ??
    targets.find(({ id }) => id === builtInTargets.sandbox)
  );
}

function ChooseTarget(props: { preset: Preset; onClose: () => void }): ReactNode {
  const { plan: saved, references } = props.preset;
  const { plan } = saved;
  const targets = (useCommand('targets.list', null).data ?? []).filter(
    ({ id }) => id !== builtInTargets.null,
  );
  const [chosen, setChosen] = useState<string | null>(null);
  const judged = useCommand('plans.validate', { plan }).data;
  const run = useStartRun();
  const busy = useActiveBenchmark() !== null;
  const target = targets.find(({ id }) => id === chosen) ?? mostLikely(targets, references[0]?.engine);
  const own = targets.some(({ hostId }) => hostId !== null);
  return (
    <Modal opened onClose={props.onClose} title={plan.name} size="md">
      <Stack gap={16}>
        <NativeSelect
          label="Run it on"
          data={targets.map(({ id, name }) => ({ value: id, label: name }))}
          value={target?.id ?? ''}
          onChange={(event) => setChosen(event.currentTarget.value)}
          data-autofocus
        />
        {!own && (
          <Text size="sm" c="dimmed">
            No target on a Raspberry Pi yet.{' '}
            <Anchor component={Link} href={paths.hosts} c="var(--accent-text)" underline="always">
              Set one up
            </Anchor>
            , or see how this works on the built-in PostgreSQL; its figures say nothing about a Pi.
          </Text>
        )}
        <Text size="sm">{judged?.summary ?? ' '}</Text>
        {run.error !== null && <StartFailed error={run.error} />}
        {run.dialog}
        <Group justify="space-between" gap={8}>
          <Anchor
            component={Link}
            href={paths.plan(saved.id)}
            size="sm"
            c="var(--accent-text)"
            underline="always"
          >
            Look at the plan first
          </Anchor>
          <Group gap={8}>
            <Button variant="default" onClick={props.onClose}>
              Cancel
            </Button>
            <Button
              disabled={target === undefined || busy}
              title={busy ? 'Another benchmark is on: two at once would disturb each other.' : undefined}
              loading={run.pending}
              onClick={() => target && run.start(plan, target)}
            >
              Run on {target?.name ?? 'a target'}
            </Button>
          </Group>
        </Group>
      </Stack>
    </Modal>
  );
}
