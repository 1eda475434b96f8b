import { Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { IconPlugConnected, IconTrash } from '@tabler/icons-react';
import { type ReactNode, useRef } from 'react';
import { Link, useLocation } from 'wouter';
import type { EngineInfo } from '../../../src-shared/model/engine.ts';
import type { Target } from '../../../src-shared/model/target.ts';
import { ErrorPanel } from '../../components/ErrorPanel.tsx';
import { Page } from '../../components/Page.tsx';
import { Waiting } from '../../components/Waiting.tsx';
import { FieldsForm } from '../../form/FieldsForm.tsx';
import classes from '../../form/Form.module.css';
import { useFocusProblem } from '../../form/useFocusProblem.ts';
import { paths } from '../../routes.ts';
import { address } from './address.ts';
import { type Draft, nameOf } from './draft.ts';
import { HostField } from './HostField.tsx';
import { SecretField } from './SecretField.tsx';
import { ServerFacts } from './ServerFacts.tsx';
import { useRemoveTarget } from './useRemoveTarget.ts';
import { useTargetForm } from './useTargetForm.ts';

/** Where the server is and how to get in; tested before or after it is saved. */
export function TargetForm(props: {
  initial: Draft;
  /** What is saved; null for a new one. */
  target: Target | null;
  engines: readonly EngineInfo[];
}): ReactNode {
  const { target, engines } = props;
  const [, navigate] = useLocation();
  const form = useTargetForm(props.initial, engines);
  const remove = useRemoveTarget();
  const root = useRef<HTMLFormElement>(null);
  const { draft, fields, problems, test, save } = form;
  const name = nameOf(draft, fields);
  const server = test.data ?? (form.changed ? null : (target?.lastSeen ?? null));

  // The next step is to type.
  const focusProblem = useFocusProblem(root);

  async function handleSave(): Promise<void> {
    const saved = await form.submit();
    if (saved === null) return focusProblem();
    navigate(paths.targets);
  }

  async function handleTest(): Promise<void> {
    if (!(await form.tryOut())) focusProblem();
  }

  return (
    <Page
      title={target === null ? 'Add a target' : target.name}
      crumbs={[{ label: 'Targets', href: paths.targets }]}
      actions={
        target !== null && (
          <>
            <Button
              variant="default"
              leftSection={<IconTrash size={16} aria-hidden />}
              onClick={() => {
                remove(target);
                navigate(paths.targets);
              }}
            >
              Remove
            </Button>
            <Button variant="default" component={Link} href={paths.newPlanOn(target.name)}>
              New benchmark on it
            </Button>
          </>
        )
      }
    >
      <form
        ref={root}
        onSubmit={(event) => {
          event.preventDefault();
          void handleSave();
        }}
      >
        <Stack gap={16}>
          <Stack gap={16} className="panel">
            {engines.length > 1 && (
              <NativeSelect
                label="Engine"
                maw={320}
                disabled={target !== null}
                value={draft.engine}
                data={engines.map(({ id, label }) => ({ value: id, label }))}
                onChange={(event) => form.setEngine(event.currentTarget.value)}
              />
            )}
            <Text c="dimmed">{form.engine?.description}</Text>
            <div className={classes.grid}>
              <TextInput
                label="Name"
                description="What plans and runs call it."
                placeholder={name === '' ? 'The host, unless you give one' : name}
                value={draft.name}
                error={problems.get('name')}
                onChange={(event) => form.setName(event.currentTarget.value)}
                onBlur={() => form.leave('name')}
              />
            </div>
            <FieldsForm
              fields={fields}
              values={draft.connection}
              showChanges={false}
              problems={problems}
              onChange={form.setField}
              onLeave={form.leave}
              extra={{
                after: 'user',
                control: (
                  <SecretField
                    value={draft.secret}
                    kept={target?.hasSecret === true}
                    error={problems.get('secret')}
                    onChange={form.setSecret}
                  />
                ),
              }}
            />
            <HostField draft={draft} hosts={form.hosts} onChange={form.setHost} />
          </Stack>
          {save.error !== null && <ErrorPanel error={save.error} />}
          <Group gap={8}>
            <Button type="submit" loading={save.isPending}>
              {name === '' ? 'Save' : `Save ${name}`}
            </Button>
            <Button
              variant="default"
              leftSection={<IconPlugConnected size={16} aria-hidden />}
              // Not `disabled`: that would throw the focus away.
              aria-disabled={test.pending}
              data-disabled={test.pending}
              onClick={() => void (test.pending || handleTest())}
            >
              Test connection
            </Button>
          </Group>
          {test.startedAt !== null && (
            <Waiting
              doing={`Connecting to ${address(draft.connection) ?? name}`}
              startedAt={test.startedAt}
              onCancel={test.cancel}
            />
          )}
          {test.error !== null && <ErrorPanel error={test.error} />}
          {server !== null && !test.pending && test.error === null && (
            <ServerFacts server={server} seenAt={test.data === null ? (target?.lastSeenAt ?? null) : null} />
          )}
        </Stack>
      </form>
    </Page>
  );
}
