import { Button, List, Text } from '@mantine/core';
import { IconArrowBackUp } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import type { Host } from '../../../src-shared/model/host.ts';
import type { Provisioning, ProvisionStep } from '../../../src-shared/model/provision.ts';
import { formatCounted } from '../../../src-shared/units.ts';
import { useAction } from '../../api.tsx';
import { ConfirmDialog } from '../../components/ConfirmDialog.tsx';

/** Takes back what was made, after saying what that is; where a database goes with it, the host's name has to be typed. */
export function UndoButton(props: { host: Host; provisioning: Provisioning }): ReactNode {
  const { host, provisioning } = props;
  const [asked, setAsked] = useState(false);
  const undo = useAction('provision.undo');
  const made = provisioning.steps.filter(begun);
  const back = made.filter((step) => step.reversible);
  const stays = made.filter((step) => !step.reversible);
  if (back.length === 0) return null;
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconArrowBackUp size={16} aria-hidden />}
        onClick={() => setAsked(true)}
      >
        Undo
      </Button>
      <ConfirmDialog
        opened={asked}
        title={`Undo what was set up on ${host.name}`}
        confirmLabel={`Undo ${formatCounted(back.length, 'change')}`}
        {...(provisioning.targetId !== null && { typeName: host.name })}
        pending={undo.isPending}
        error={undo.error}
        onConfirm={() => undo.mutate({ id: provisioning.id }, { onSuccess: () => setAsked(false) })}
        onClose={() => {
          undo.reset();
          setAsked(false);
        }}
      >
        {provisioning.targetId !== null && (
          <Text mb={8}>The database that was set up goes, with everything in it.</Text>
        )}
        <Text>Taken back, the last first:</Text>
        <StepTitles steps={[...back].reverse()} />
        {stays.length > 0 && (
          <>
            <Text mt={8}>This stays, since it has no way back:</Text>
            <StepTitles steps={stays} />
          </>
        )}
      </ConfirmDialog>
    </>
  );
}

/** Made, or begun: what was stopped or failed half-way is taken back too. */
function begun({ state, log }: ProvisionStep): boolean {
  return state === 'done' || state === 'failed' || (state === 'to-do' && log !== '');
}

function StepTitles(props: { steps: readonly ProvisionStep[] }): ReactNode {
  return (
    <List size="sm" mt={4}>
      {props.steps.map(({ id, title }) => (
        <List.Item key={id}>{title}</List.Item>
      ))}
    </List>
  );
}
