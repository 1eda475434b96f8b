import { Button, SegmentedControl, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { settingsSchema } from '../../../src-shared/contract/commands.ts';
import { useAction, useCommand } from '../../api.tsx';
import { CopyValue } from '../../components/CopyValue.tsx';
import { Loaded } from '../../components/Loaded.tsx';
import { Page } from '../../components/Page.tsx';
import { SkeletonForm } from '../../components/Skeletons.tsx';
import { toastError } from '../../components/toasts.tsx';
import { ResetSandbox } from '../Targets/ResetSandbox.tsx';
import classes from './Settings.module.css';
import { Storage } from './Storage.tsx';

const themes = [
  { value: 'system', label: 'As the system' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
];

/** The few things that can be chosen, and where everything is kept. */
export function SettingsScreen(): ReactNode {
  const info = useCommand('app.info', null);
  const save = useAction('settings.save');
  const [resetting, setResetting] = useState(false);
  return (
    <Page title="Settings">
      <Loaded query={info} skeleton={<SkeletonForm fields={4} />}>
        {({ settings, dataFolder, secrets, version }) => (
          <Stack gap={0} className="panel">
            <Setting title="Theme" help="Light and dark show the same.">
              <SegmentedControl
                aria-label="Theme"
                data={themes}
                value={settings.theme}
                onChange={(value) =>
                  save.mutate(settingsSchema.parse({ ...settings, theme: value }), { onError: toastError })
                }
              />
            </Setting>
            <Setting
              title="Data folder"
              help="Runs, plans, targets and the sandbox’s server. The desktop app, the browser and the terminal share it; delete it to remove every trace."
            >
              <CopyValue value={dataFolder} label="data folder" />
            </Setting>
            <Setting title="Storage" help="All seconds of all runs are kept until they are thinned.">
              <Storage />
            </Setting>
            <Setting
              title="Passwords"
              help={
                secrets.kind === 'os-key-store'
                  ? 'Kept encrypted by the operating system, never in a plan, a run or a log.'
                  : 'Kept in memory until Benchberry ends, then asked for again; never in a plan, a run or a log.'
              }
            >
              <Text>{secrets.detail}</Text>
            </Setting>
            <Setting
              title="Sandbox"
              help="The built-in PostgreSQL. Reset deletes its databases; runs are kept."
            >
              <Button variant="default" onClick={() => setResetting(true)}>
                Reset the sandbox
              </Button>
              <ResetSandbox opened={resetting} onClose={() => setResetting(false)} />
            </Setting>
            <Setting title="Version" help="Stored with every run.">
              <Text>Benchberry {version}</Text>
            </Setting>
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}

function Setting(props: { title: string; help: string; children: ReactNode }): ReactNode {
  return (
    <section className={classes.setting}>
      <div>
        <h2 className={classes.title}>{props.title}</h2>
        <Text size="sm" c="dimmed">
          {props.help}
        </Text>
      </div>
      <div className={classes.control}>{props.children}</div>
    </section>
  );
}
