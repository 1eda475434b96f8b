import { Anchor, Button, Text } from '@mantine/core';
import { IconPlus, IconServerCog } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Host } from '../../../src-shared/model/host.ts';
import { useCommand } from '../../api.tsx';
import { EmptyState } from '../../components/EmptyState.tsx';
import { Loaded } from '../../components/Loaded.tsx';
import { Page } from '../../components/Page.tsx';
import { SkeletonRows } from '../../components/Skeletons.tsx';
import { paths } from '../../routes.ts';
import classes from './Hosts.module.css';
import { HostTable } from './HostTable.tsx';

/** The machines that databases run on. */
export function HostsScreen(): ReactNode {
  const hosts = useCommand('hosts.list', null);
  const add = (
    <Button component={Link} href={paths.newHost} leftSection={<IconPlus size={16} aria-hidden />}>
      Add a host
    </Button>
  );
  return (
    <Page title="Hosts" wide actions={hosts.data?.length === 0 ? undefined : add}>
      <Text c="dimmed" mb={16} maw={880}>
        A host is a machine that a database runs on: a Raspberry Pi, or another Debian or Ubuntu machine.
        Benchberry looks at it, sets it up, and watches its health while a benchmark runs.
      </Text>
      <Loaded query={hosts} skeleton={<SkeletonRows rows={4} />}>
        {(list) =>
          list.length === 0 ? (
            <EmptyState Icon={IconServerCog} title="No host yet" action={add}>
              A bare Raspberry Pi with SSH switched on is enough: an address, a user name and a password.
            </EmptyState>
          ) : (
            racks(list).map(([rack, members]) => (
              <section key={rack ?? ''} aria-label={rack ?? 'Hosts'} className={classes.rack}>
                {rack !== null && (
                  <h2 className={classes.heading}>
                    <Anchor component={Link} href={paths.rack(rack)} c="inherit" fw={600}>
                      {rack}
                    </Anchor>
                  </h2>
                )}
                <HostTable hosts={members} label={rack ?? 'Hosts'} />
              </section>
            ))
          )
        }
      </Loaded>
    </Page>
  );
}

/** Hosts by rack, those of none first. */
function racks(hosts: readonly Host[]): [string | null, Host[]][] {
  const names = [...new Set(hosts.map((host) => host.group))].sort((a, b) =>
    (a ?? '').localeCompare(b ?? ''),
  );
  return names.map((name) => [name, hosts.filter((host) => host.group === name)]);
}
