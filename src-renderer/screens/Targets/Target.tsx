import type { ReactNode } from 'react';
import { useCommand } from '../../api.tsx';
import { Loaded } from '../../components/Loaded.tsx';
import { Page } from '../../components/Page.tsx';
import { SkeletonForm } from '../../components/Skeletons.tsx';
import { paths } from '../../routes.ts';
import { NothingHere } from '../NothingHere.tsx';
import { BuiltInTarget } from './BuiltInTarget.tsx';
import { type Draft, draftOf } from './draft.ts';
import { TargetForm } from './TargetForm.tsx';

const crumbs = [{ label: 'Targets', href: paths.targets }];

/** One target: a new one (`id` null), one to be changed, or a built-in one to be looked at. */
export function TargetScreen(props: { id: string | null }): ReactNode {
  const targets = useCommand('targets.list', null);
  const engines = useCommand('engines.list', null);
  const inPage = (children: ReactNode) => (
    <Page title={props.id === null ? 'Add a target' : 'Target'} crumbs={crumbs}>
      {children}
    </Page>
  );
  const waiting = inPage(<SkeletonForm fields={5} />);
  return (
    <Loaded query={engines} skeleton={waiting} frame={inPage}>
      {(allEngines) => (
        <Loaded query={targets} skeleton={waiting} frame={inPage}>
          {(all) => {
            const own = allEngines.filter((engine) => !engine.builtIn);
            const first = own[0];
            if (props.id === null && first !== undefined) {
              const fresh: Draft = {
                id: null,
                name: '',
                engine: first.id,
                connection: {},
                secret: null,
                hostId: undefined,
              };
              return <TargetForm initial={fresh} target={null} engines={own} />;
            }
            const target = all.find((candidate) => candidate.id === props.id);
            if (target === undefined) return <NothingHere />;
            const engine = allEngines.find((candidate) => candidate.id === target.engine);
            return target.builtIn ? (
              <BuiltInTarget target={target} description={engine?.description ?? ''} />
            ) : (
              <TargetForm initial={draftOf(target)} target={target} engines={own} />
            );
          }}
        </Loaded>
      )}
    </Loaded>
  );
}
