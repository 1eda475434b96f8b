import { Button } from '@mantine/core';
import { IconPlayerPlayFilled, IconServerCog } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import type { Host } from '../../../src-shared/model/host.ts';
import { useCommand } from '../../api.tsx';
import { Loaded } from '../../components/Loaded.tsx';
import { Page } from '../../components/Page.tsx';
import { SkeletonRows } from '../../components/Skeletons.tsx';
import { paths } from '../../routes.ts';
import { useActiveRuns } from '../../shell/useActiveRun.ts';
import { HostTable } from '../Hosts/HostTable.tsx';
import { NothingHere } from '../NothingHere.tsx';
import { MeasureAll } from './MeasureAll.tsx';
import classes from './Rack.module.css';
import { RackRuns } from './RackRuns.tsx';
import { RunOnRack } from './RunOnRack.tsx';

const crumbs = [{ label: 'Hosts', href: paths.hosts }];

/** Hosts that share a rack's name: set up and measured side by side. */
export function RackScreen(props: { name: string }): ReactNode {
  const hosts = useCommand('hosts.list', null);
  const inPage = (children: ReactNode) => (
    <Page title={props.name} crumbs={crumbs} wide>
      {children}
    </Page>
  );
  return (
    <Loaded query={hosts} skeleton={inPage(<SkeletonRows rows={4} />)} frame={inPage}>
      {(all) => {
        const members = all.filter(({ group }) => group === props.name);
        return members.length === 0 ? <NothingHere /> : <RackPage name={props.name} hosts={members} />;
      }}
    </Loaded>
  );
}

function RackPage(props: { name: string; hosts: readonly Host[] }): ReactNode {
  const { name, hosts } = props;
  const [running, setRunning] = useState(false);
  const busy = useActiveRuns().length > 0;
  return (
    <Page
      title={name}
      crumbs={crumbs}
      wide
      actions={
        <>
          <Button
            variant="default"
            component={Link}
            href={paths.provisionRack(name)}
            leftSection={<IconServerCog size={16} aria-hidden />}
          >
            Provision all
          </Button>
          <Button
            leftSection={<IconPlayerPlayFilled size={16} aria-hidden />}
            disabled={busy}
            title={busy ? 'A benchmark is on: another one would disturb it.' : undefined}
            onClick={() => setRunning(true)}
          >
            Run a plan on all
          </Button>
        </>
      }
    >
      <div className={classes.stack}>
        <section aria-label="Hosts of this rack">
          <HostTable hosts={hosts} label={name} />
        </section>
        <MeasureAll hosts={hosts} />
        <RackRuns rack={name} />
      </div>
      {running && <RunOnRack plan={null} rack={name} onClose={() => setRunning(false)} />}
    </Page>
  );
}
