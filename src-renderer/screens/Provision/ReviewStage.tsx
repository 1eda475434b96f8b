import { Button, Group, Text } from '@mantine/core';
import { IconCircleCheck, IconFileCode, IconPencil } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import type { Host } from '../../../src-shared/model/host.ts';
import type { Provisioning, RecipeInfo } from '../../../src-shared/model/provision.ts';
import { useAction } from '../../api.tsx';
import { ErrorPanel } from '../../components/ErrorPanel.tsx';
import { HostSecretDialog } from '../../components/HostSecretDialog.tsx';
import { MachineChecks } from '../../components/MachineChecks.tsx';
import classes from './Provision.module.css';
import { ScriptDialog } from './ScriptDialog.tsx';
import { Steps } from './Steps.tsx';
import { lacksSudo, type Planning, refusedSudo } from './usePlanning.ts';
import { changeWords, changing, consequences } from './words.ts';

/** Every change before it is made; then the one button that makes them. */
export function ReviewStage(props: {
  host: Host;
  provisioning: Provisioning;
  recipes: readonly RecipeInfo[];
  planning: Planning;
  onApplied: () => void;
  onRecipes: () => void;
}): ReactNode {
  const { host, provisioning, planning } = props;
  const { steps, preflight, plan } = provisioning;
  const apply = useAction('provision.apply');
  const [script, setScript] = useState(false);
  const noSudo = lacksSudo(provisioning, host);
  const [asking, setAsking] = useState(noSudo);
  const blocked = preflight.some(({ result }) => result === 'fail');
  const nothing = changing(steps).length === 0;
  const planned = provisioning.status === 'planned';

  return (
    <div className={classes.stack}>
      <div>
        <h2 className={classes.heading}>
          {nothing ? `Everything is so already on ${host.name}` : `${changeWords(steps)} to ${host.name}`}
        </h2>
        <ul className={classes.sum}>
          {consequences(steps, host).map((sentence) => (
            <li key={sentence}>
              <Text size="sm" c="dimmed">
                {sentence}
              </Text>
            </li>
          ))}
        </ul>
      </div>
      <section className="panel" aria-label="Looked at first">
        <h2 className={classes.small}>Looked at first</h2>
        <MachineChecks checks={preflight} label="Looked at first" />
      </section>
      <Steps steps={steps} recipes={props.recipes} />
      {apply.error !== null && <ErrorPanel error={apply.error} />}
      <Group gap={8} className={classes.foot}>
        {noSudo ? (
          <Button onClick={() => setAsking(true)}>Give the password for sudo</Button>
        ) : (
          planned && (
            <Button
              loading={apply.isPending}
              disabled={blocked || nothing}
              leftSection={nothing ? <IconCircleCheck size={16} aria-hidden /> : undefined}
              onClick={() => apply.mutate({ id: provisioning.id }, { onSuccess: props.onApplied })}
            >
              {nothing
                ? 'Nothing to change'
                : blocked
                  ? 'Something is in the way'
                  : `Apply ${changeWords(steps)}`}
            </Button>
          )
        )}
        {blocked && !noSudo && (
          <Button
            variant="default"
            disabled={planning.call.pending}
            onClick={() => void planning.start(plan)}
          >
            Look again
          </Button>
        )}
        <Button
          variant="default"
          leftSection={<IconPencil size={16} aria-hidden />}
          onClick={props.onRecipes}
        >
          Change the recipes
        </Button>
        <Button
          variant="default"
          leftSection={<IconFileCode size={16} aria-hidden />}
          onClick={() => setScript(true)}
        >
          As a script
        </Button>
      </Group>
      <ScriptDialog
        id={provisioning.id}
        hostName={host.name}
        opened={script}
        onClose={() => setScript(false)}
      />
      {asking && (
        <HostSecretDialog
          host={host}
          kind="sudo"
          complaint={refusedSudo(provisioning)}
          onClose={() => setAsking(false)}
          onKept={() => {
            setAsking(false);
            void planning.start(plan);
          }}
        />
      )}
    </div>
  );
}
