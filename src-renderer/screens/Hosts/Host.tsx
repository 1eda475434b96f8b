import { Button, Tabs } from '@mantine/core';
import { IconPencil, IconServerCog, IconTrash } from '@tabler/icons-react';
import { type ReactNode, useEffect } from 'react';
import { Link, useLocation } from 'wouter';
import type { Host } from '../../../src-shared/model/host.ts';
import { useCommand } from '../../api.tsx';
import { HostHealth } from '../../components/HostHealth.tsx';
import { Loaded } from '../../components/Loaded.tsx';
import { Page } from '../../components/Page.tsx';
import { SkeletonBlock, SkeletonFigures } from '../../components/Skeletons.tsx';
import { paths } from '../../routes.ts';
import { NothingHere } from '../NothingHere.tsx';
import { HostChecks } from './HostChecks.tsx';
import { HostStatus } from './HostStatus.tsx';
import classes from './Hosts.module.css';
import { InventoryView } from './Inventory.tsx';
import { SetUps } from './SetUps.tsx';
import { SignInPanel } from './SignInPanel.tsx';
import { useRemoveHost } from './useRemoveHost.ts';
import { useSignIn } from './useSignIn.ts';

const crumbs = [{ label: 'Hosts', href: paths.hosts }];

/** One host: the way in, then what it is, how well it does, and what was set up on it. */
export function HostScreen(props: { id: string }): ReactNode {
  const hosts = useCommand('hosts.list', null);
  const inPage = (children: ReactNode) => (
    <Page title="Host" crumbs={crumbs} wide>
      {children}
    </Page>
  );
  return (
    <Loaded query={hosts} skeleton={inPage(<Shape />)} frame={inPage}>
      {(all) => {
        const host = all.find((candidate) => candidate.id === props.id);
        return host === undefined ? <NothingHere /> : <HostPage host={host} />;
      }}
    </Loaded>
  );
}

function Shape(): ReactNode {
  return (
    <div className={classes.stack}>
      <SkeletonFigures />
      <SkeletonBlock height={320} />
    </div>
  );
}

function HostPage(props: { host: Host }): ReactNode {
  const { host } = props;
  const [, navigate] = useLocation();
  const remove = useRemoveHost();
  const signIn = useSignIn(host.id);
  const inventory = signIn.inventory ?? host.inventory;
  const unseen = host.inventory === null;
  const keyChanged = signIn.question?.standing === 'changed';

  // Whoever has just added a host wants to see it. Once: after a refusal it is the user's turn.
  const { start } = signIn;
  useEffect(() => {
    if (unseen) void start();
  }, [unseen, start]);

  return (
    <Page
      title={host.name}
      crumbs={crumbs}
      wide
      actions={
        <>
          <Button
            variant="default"
            leftSection={<IconTrash size={16} aria-hidden />}
            onClick={() => {
              remove(host);
              navigate(paths.hosts);
            }}
          >
            Remove
          </Button>
          <Button
            variant="default"
            component={Link}
            href={paths.editHost(host.id)}
            leftSection={<IconPencil size={16} aria-hidden />}
          >
            Change the sign-in
          </Button>
          {inventory !== null && !keyChanged && (
            <Button
              component={Link}
              href={paths.provision(host.id)}
              leftSection={<IconServerCog size={16} aria-hidden />}
            >
              Provision
            </Button>
          )}
        </>
      }
    >
      <div className={classes.stack}>
        <HostStatus host={host} keyChanged={keyChanged} />
        <SignInPanel host={host} signIn={signIn} />
        {inventory !== null && !keyChanged && (
          <Tabs defaultValue="inventory" keepMounted={false}>
            <Tabs.List mb={12}>
              <Tabs.Tab value="inventory">Inventory</Tabs.Tab>
              <Tabs.Tab value="checks">Checks</Tabs.Tab>
              <Tabs.Tab value="health">Health now</Tabs.Tab>
              <Tabs.Tab value="set-up">Set up</Tabs.Tab>
            </Tabs.List>
            <Tabs.Panel value="inventory">
              <InventoryView
                inventory={inventory}
                refreshing={signIn.doing !== null}
                onRefresh={() => void signIn.start()}
              />
            </Tabs.Panel>
            <Tabs.Panel value="checks">
              <HostChecks host={host} />
            </Tabs.Panel>
            <Tabs.Panel value="health">
              <HostHealth hostId={host.id} />
            </Tabs.Panel>
            <Tabs.Panel value="set-up">
              <SetUps host={host} />
            </Tabs.Panel>
          </Tabs>
        )}
        {inventory === null && signIn.doing !== null && <Shape />}
      </div>
    </Page>
  );
}
