import { Button, Group, Text } from '@mantine/core';
import { IconFileCode, IconRefresh } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import type { Host } from '../../../src-shared/model/host.ts';
import type { Provisioning, RecipeInfo } from '../../../src-shared/model/provision.ts';
import { formatCounted } from '../../../src-shared/units.ts';
import { GeneratedPasswords } from './GeneratedPasswords.tsx';
import classes from './Provision.module.css';
import { ProvisioningBadge } from './ProvisioningBadge.tsx';
import { ScriptDialog } from './ScriptDialog.tsx';
import { Steps } from './Steps.tsx';
import { TargetReady } from './TargetReady.tsx';
import { UndoButton } from './UndoButton.tsx';
import type { Planning } from './usePlanning.ts';

/** What came of it, and where to go from here. */
export function DoneStage(props: {
  host: Host;
  provisioning: Provisioning;
  recipes: readonly RecipeInfo[];
  planning: Planning;
  onRecipes: () => void;
}): ReactNode {
  const { host, provisioning, planning } = props;
  const [script, setScript] = useState(false);
  const undone = provisioning.status === 'undone';
  const made = provisioning.steps.filter(({ state }) => state === 'done').length;
  const stays = provisioning.steps.filter(({ state }) => state === 'not-undoable').length;
  return (
    <div className={classes.stack}>
      <Group gap={12}>
        <ProvisioningBadge status={provisioning.status} />
        <h2 className={classes.heading}>
          {undone ? `${host.name} is as it was before` : `${host.name} is set up`}
        </h2>
        <Text size="sm" c="dimmed">
          {undone
            ? stays === 0
              ? 'Every change was taken back.'
              : `Every change was taken back but ${stays}, which had no way back.`
            : `${formatCounted(made, 'change was', 'changes were')} made and verified.`}
        </Text>
      </Group>
      {!undone && provisioning.targetId !== null && <TargetReady targetId={provisioning.targetId} />}
      {!undone && <GeneratedPasswords provisioning={provisioning} recipes={props.recipes} />}
      <Group gap={8}>
        {provisioning.targetId === null && <Button onClick={props.onRecipes}>Set up more</Button>}
        <Button
          variant="default"
          leftSection={<IconRefresh size={16} aria-hidden />}
          disabled={planning.call.pending}
          title="Looks at every step again; what is so already stays as it is"
          onClick={() => void planning.start(provisioning.plan)}
        >
          Provision again
        </Button>
        {!undone && <UndoButton host={host} provisioning={provisioning} />}
        <Button
          variant="default"
          leftSection={<IconFileCode size={16} aria-hidden />}
          onClick={() => setScript(true)}
        >
          As a script
        </Button>
      </Group>
      <Steps steps={provisioning.steps} recipes={props.recipes} brief />
      <ScriptDialog
        id={provisioning.id}
        hostName={host.name}
        opened={script}
        onClose={() => setScript(false)}
      />
    </div>
  );
}
