import type { ReactNode } from 'react';
import { useCommand } from '../../api.tsx';
import { Loaded } from '../../components/Loaded.tsx';
import { Page } from '../../components/Page.tsx';
import { SkeletonRows } from '../../components/Skeletons.tsx';
import { paths } from '../../routes.ts';
import { NothingHere } from '../NothingHere.tsx';
import { Wizard } from './Wizard.tsx';

/** Setting up a host: from its recipes (`id` null) or from a plan that was made before. */
export function ProvisionScreen(props: { hostId: string; id: string | null }): ReactNode {
  const { hostId, id } = props;
  const hosts = useCommand('hosts.list', null);
  const recipes = useCommand('provision.recipes', null);
  const earlier = useCommand('provision.list', { hostId });
  const current = useCommand('provision.get', { id: id ?? '' }, { enabled: id !== null });
  const inPage = (children: ReactNode) => (
    <Page title="Provision" crumbs={[{ label: 'Hosts', href: paths.hosts }]} wide>
      {children}
    </Page>
  );
  const waiting = inPage(<SkeletonRows />);
  return (
    <Loaded query={hosts} skeleton={waiting} frame={inPage}>
      {(all) => {
        const host = all.find((candidate) => candidate.id === hostId);
        if (host === undefined) return <NothingHere />;
        return (
          <Loaded query={recipes} skeleton={waiting} frame={inPage}>
            {(known) => (
              <Loaded query={earlier} skeleton={waiting} frame={inPage}>
                {(list) => {
                  const last = list[0] ?? null;
                  if (id === null) {
                    return <Wizard host={host} recipes={known} provisioning={null} last={last} />;
                  }
                  return (
                    <Loaded query={current} skeleton={waiting} frame={inPage}>
                      {(one) => <Wizard host={host} recipes={known} provisioning={one} last={one} />}
                    </Loaded>
                  );
                }}
              </Loaded>
            )}
          </Loaded>
        );
      }}
    </Loaded>
  );
}
