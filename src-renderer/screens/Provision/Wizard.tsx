import { Anchor, Button, Group, Text } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import type { Host } from '../../../src-shared/model/host.ts';
import type { Provisioning, RecipeInfo } from '../../../src-shared/model/provision.ts';
import { Page } from '../../components/Page.tsx';
import { Waiting } from '../../components/Waiting.tsx';
import { paths } from '../../routes.ts';
import { HostStatus } from '../Hosts/HostStatus.tsx';
import { InventoryView } from '../Hosts/Inventory.tsx';
import { SignInPanel } from '../Hosts/SignInPanel.tsx';
import { type SignIn, useSignIn } from '../Hosts/useSignIn.ts';
import { ApplyStage } from './ApplyStage.tsx';
import { DoneStage } from './DoneStage.tsx';
import { type Draft, draftOf, emptyDraft } from './draft.ts';
import classes from './Provision.module.css';
import { RecipeStage } from './RecipeStage.tsx';
import { ReviewStage } from './ReviewStage.tsx';
import { StageList } from './StageList.tsx';
import { usePlanning } from './usePlanning.ts';
import { firstStage, isOver, type Stage, stages, unlocked } from './words.ts';

/** The wizard: its steps at the side, the one that is open beside them. */
export function Wizard(props: {
  host: Host;
  recipes: readonly RecipeInfo[];
  provisioning: Provisioning | null;
  /** What the recipes begin with. */
  last: Provisioning | null;
}): ReactNode {
  const { host, recipes, provisioning, last } = props;
  const signIn = useSignIn(host.id);
  const planning = usePlanning(host);
  const [draft, setDraft] = useState<Draft>(() => (last === null ? emptyDraft : draftOf(last.plan, recipes)));
  const [at, setAt] = useStage(host, provisioning);
  const open = unlocked(host, provisioning);
  const passed = new Set(stages.filter((stage) => stages.indexOf(stage) < stages.indexOf(furthest(open))));
  const { call } = planning;

  return (
    <Page
      title={`Provision ${host.name}`}
      crumbs={[
        { label: 'Hosts', href: paths.hosts },
        { label: host.name, href: paths.host(host.id) },
      ]}
      wide
    >
      <div className={classes.wizard}>
        <StageList at={at} open={open} passed={passed} onGo={setAt} />
        <div className={classes.stack}>
          {call.startedAt !== null && (
            <Waiting
              doing={`Looking at every step on ${host.name}; nothing is changed`}
              startedAt={call.startedAt}
              onCancel={call.cancel}
            />
          )}
          {at === 'connect' && <Connect host={host} signIn={signIn} onNext={() => setAt('inventory')} />}
          {at === 'inventory' && host.inventory !== null && (
            <>
              <SignInPanel host={host} signIn={signIn} />
              <InventoryView
                inventory={host.inventory}
                refreshing={signIn.doing !== null}
                onRefresh={() => void signIn.start()}
              />
              <Group className={classes.foot}>
                <Button onClick={() => setAt('recipe')}>Choose recipes</Button>
              </Group>
            </>
          )}
          {at === 'recipe' && (
            <RecipeStage
              hostId={host.id}
              hostName={host.name}
              recipes={recipes}
              draft={draft}
              error={call.error}
              pending={call.pending}
              onChange={(next) => {
                setDraft(next);
                if (!call.pending) call.clear();
              }}
              onPlan={(plan) => void planning.start(plan)}
            />
          )}
          {at === 'review' && provisioning !== null && (
            <ReviewStage
              host={host}
              provisioning={provisioning}
              recipes={recipes}
              planning={planning}
              onApplied={() => setAt('apply')}
              onRecipes={() => setAt('recipe')}
            />
          )}
          {at === 'apply' && provisioning !== null && (
            <ApplyStage host={host} provisioning={provisioning} recipes={recipes} />
          )}
          {at === 'done' && provisioning !== null && (
            <DoneStage
              host={host}
              provisioning={provisioning}
              recipes={recipes}
              planning={planning}
              onRecipes={() => setAt('recipe')}
            />
          )}
        </div>
      </div>
    </Page>
  );
}

function furthest(open: ReadonlySet<Stage>): Stage {
  return stages.findLast((stage) => open.has(stage)) ?? 'connect';
}

/** The open step. Work that ends opens what it came to; work that begins opens what is done. */
function useStage(host: Host, provisioning: Provisioning | null): [Stage, (stage: Stage) => void] {
  const [at, setAt] = useState<Stage>(() => firstStage(host, provisioning));
  const status = provisioning?.status ?? null;
  const before = useRef(status);
  useEffect(() => {
    if (status === before.current || status === null) return;
    before.current = status;
    if (isOver(status)) setAt('done');
    else if (status !== 'planned') setAt('apply');
  }, [status]);
  return [at, setAt];
}

function Connect(props: { host: Host; signIn: SignIn; onNext: () => void }): ReactNode {
  const { host, signIn } = props;
  return (
    <>
      <div className="panel">
        <HostStatus host={host} keyChanged={signIn.question?.standing === 'changed'} />
        <Text size="sm" c="dimmed" mt={8}>
          {host.hostKey === null
            ? 'Its key is shown to you once, and kept.'
            : 'Its key is pinned: a changed one stops everything.'}{' '}
          <Anchor component={Link} href={paths.editHost(host.id)} size="sm" c="var(--accent-text)">
            Change the sign-in
          </Anchor>
        </Text>
      </div>
      <SignInPanel host={host} signIn={signIn} />
      <Group gap={8}>
        <Button
          variant={host.inventory === null ? 'filled' : 'default'}
          disabled={signIn.doing !== null}
          onClick={() => void signIn.start()}
        >
          {host.inventory === null ? `Connect to ${host.name}` : 'Connect again'}
        </Button>
        {host.inventory !== null && <Button onClick={props.onNext}>Look at the inventory</Button>}
      </Group>
    </>
  );
}
