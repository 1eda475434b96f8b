import { Button, Group, Stack, Text } from '@mantine/core';
import { type ReactNode, useRef } from 'react';
import { Link, useLocation } from 'wouter';
import type { Host } from '../../../src-shared/model/host.ts';
import { useCommand } from '../../api.tsx';
import { ErrorPanel } from '../../components/ErrorPanel.tsx';
import { Loaded } from '../../components/Loaded.tsx';
import { Page } from '../../components/Page.tsx';
import { SkeletonForm } from '../../components/Skeletons.tsx';
import { useFocusProblem } from '../../form/useFocusProblem.ts';
import { paths } from '../../routes.ts';
import { NothingHere } from '../NothingHere.tsx';
import { Discovered } from './Discovered.tsx';
import { draftOf, freshDraft, nameOf, picked } from './draft.ts';
import { HostFields } from './HostFields.tsx';
import classes from './Hosts.module.css';
import { useHostForm } from './useHostForm.ts';

const crumbs = [{ label: 'Hosts', href: paths.hosts }];

/** A new host (`id` null), or the sign-in of one that is there. */
export function EditHostScreen(props: { id: string | null }): ReactNode {
  const hosts = useCommand('hosts.list', null);
  const inPage = (children: ReactNode) => (
    <Page title={props.id === null ? 'Add a host' : 'Host'} crumbs={crumbs}>
      {children}
    </Page>
  );
  return (
    <Loaded query={hosts} skeleton={inPage(<SkeletonForm fields={4} />)} frame={inPage}>
      {(all) => {
        const host = all.find((candidate) => candidate.id === props.id) ?? null;
        if (host === null && props.id !== null) return <NothingHere />;
        return <HostPage host={host} others={all.map(({ name }) => name)} />;
      }}
    </Loaded>
  );
}

function HostPage(props: { host: Host | null; others: readonly string[] }): ReactNode {
  const { host } = props;
  const [, navigate] = useLocation();
  const form = useHostForm(host === null ? freshDraft : draftOf(host));
  const root = useRef<HTMLFormElement>(null);
  // The next step is to type.
  const focusProblem = useFocusProblem(root);
  const name = nameOf(form.draft);

  async function handleSubmit(): Promise<void> {
    const saved = await form.submit();
    if (saved === null) return focusProblem();
    navigate(paths.host(saved.id));
  }

  return (
    <Page
      title={host === null ? 'Add a host' : `Sign-in to ${host.name}`}
      crumbs={host === null ? crumbs : [...crumbs, { label: host.name, href: paths.host(host.id) }]}
    >
      <Text c="dimmed" mb={16}>
        A Raspberry Pi, or any other Debian or Ubuntu machine that answers to SSH. Looking at it changes
        nothing on it.
      </Text>
      <div className={host === null ? classes.connect : undefined}>
        <form
          ref={root}
          onSubmit={(event) => {
            event.preventDefault();
            void handleSubmit();
          }}
        >
          <Stack gap={16}>
            <div className="panel">
              <HostFields form={form} />
            </div>
            {form.error !== null && <ErrorPanel error={form.error} />}
            <Group gap={8}>
              <Button type="submit" loading={form.saving}>
                {name === '' ? 'Connect' : `Connect to ${name}`}
              </Button>
              <Button
                variant="default"
                component={Link}
                href={host === null ? paths.hosts : paths.host(host.id)}
              >
                Cancel
              </Button>
            </Group>
          </Stack>
        </form>
        {host === null && (
          <Discovered
            chosen={form.draft.address}
            onChoose={(found) => {
              form.set(picked(found, props.others));
              root.current?.querySelector<HTMLInputElement>('input[type="password"]')?.focus();
            }}
          />
        )}
      </div>
    </Page>
  );
}
