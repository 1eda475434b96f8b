import { Button, Group, Text } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { Link, useLocation } from 'wouter';
import type { Host } from '../../../src-shared/model/host.ts';
import type { Provisioning, ProvisionPlan, RecipeInfo } from '../../../src-shared/model/provision.ts';
import { useApi, useCommand, useCommands } from '../../api.tsx';
import { Loaded } from '../../components/Loaded.tsx';
import { Page } from '../../components/Page.tsx';
import { SkeletonRows } from '../../components/Skeletons.tsx';
import { toastError } from '../../components/toasts.tsx';
import { Waiting } from '../../components/Waiting.tsx';
import { parseIds, paths } from '../../routes.ts';
import { NothingHere } from '../NothingHere.tsx';
import { type Draft, draftOf, emptyDraft } from '../Provision/draft.ts';
import { RecipeStage } from '../Provision/RecipeStage.tsx';
import { lacksSudo } from '../Provision/usePlanning.ts';
import { changing, isAtWork, isOver } from '../Provision/words.ts';
import classes from './Rack.module.css';
import { RackPart } from './RackPart.tsx';
import { SecretsDialog } from './SecretsDialog.tsx';
import { useRackPlanning } from './useRackPlanning.ts';

/** All hosts of a rack set up side by side; `ids` are the plans that were made, in the address so that it can be left. */
export function ProvisionRackScreen(props: { rack: string; ids: string }): ReactNode {
  const hosts = useCommand('hosts.list', null);
  const recipes = useCommand('provision.recipes', null);
  const inPage = (children: ReactNode) => (
    <Page title={`Provision ${props.rack}`} crumbs={crumbsOf(props.rack)} wide>
      {children}
    </Page>
  );
  return (
    <Loaded query={hosts} skeleton={inPage(<SkeletonRows />)} frame={inPage}>
      {(all) => {
        const members = all.filter(({ group }) => group === props.rack);
        if (members.length === 0) return <NothingHere />;
        return (
          <Loaded query={recipes} skeleton={inPage(<SkeletonRows />)} frame={inPage}>
            {(known) => inPage(<SideBySide {...props} hosts={members} recipes={known} />)}
          </Loaded>
        );
      }}
    </Loaded>
  );
}

const crumbsOf = (rack: string) => [
  { label: 'Hosts', href: paths.hosts },
  { label: rack, href: paths.rack(rack) },
];

function SideBySide(props: {
  rack: string;
  ids: string;
  hosts: readonly Host[];
  recipes: readonly RecipeInfo[];
}): ReactNode {
  const { rack, hosts, recipes } = props;
  const api = useApi();
  const [, navigate] = useLocation();
  const ids = parseIds(props.ids);
  const planning = useRackPlanning();
  const found = useCommands(
    'provision.get',
    ids.map((id) => ({ id })),
  ).flatMap(({ data }) => data ?? []);
  const [draft, setDraft] = useState<Draft | null>(null);
  const [template, setTemplate] = useState<Omit<ProvisionPlan, 'hostId'> | null>(null);
  const [choosing, setChoosing] = useState(ids.length === 0);
  const [asking, setAsking] = useState(true);
  const of = (host: Host) => found.find(({ hostId }) => hostId === host.id) ?? null;

  async function plan(next: Omit<ProvisionPlan, 'hostId'>, on: readonly Host[]): Promise<void> {
    setTemplate(next);
    setChoosing(false);
    setAsking(true);
    const planned = await planning.start(next, on);
    const kept = found.filter(({ hostId }) => planned.every((one) => one.hostId !== hostId));
    const all = [...(on.length === hosts.length ? [] : kept), ...planned];
    navigate(
      paths.provisionRack(
        rack,
        all.map(({ id }) => id),
      ),
    );
  }
  /** Made from what was chosen, or, after coming back, from a plan that is there; passwords of recipes are then typed anew. */
  const again = template ?? found[0]?.plan ?? null;
  const replan = (on: readonly Host[]) => {
    if (again !== null) void plan(again, on);
  };

  if (choosing) {
    const first = found[0];
    return (
      <RecipeStage
        hostId=""
        hostName={`all ${hosts.length} hosts of ${rack}`}
        recipes={recipes}
        draft={draft ?? (first === undefined ? emptyDraft : draftOf(first.plan, recipes))}
        error={null}
        pending={planning.startedAt !== null}
        onChange={setDraft}
        onPlan={({ hostId: _, ...next }) => void plan(next, hosts)}
      />
    );
  }

  const planned = found.filter(({ status }) => status === 'planned');
  const ready = planned.filter(
    ({ steps, preflight }) => changing(steps).length > 0 && preflight.every((c) => c.result !== 'fail'),
  );
  const nothing = planned.length > 0 && planned.every(({ steps }) => changing(steps).length === 0);
  const atWork = found.filter(({ status }) => isAtWork(status));
  const lackLogin = hosts.filter((host) => {
    const error = planning.errors.get(host.id);
    return error?.code === 'password-needed' && error.secret === 'login';
  });
  const lackRoot = hosts.filter((host) => {
    const one = of(host);
    return one?.status === 'planned' && lacksSudo(one, host);
  });
  const kind = lackLogin.length > 0 ? ('login' as const) : ('sudo' as const);
  const lacking = kind === 'login' ? lackLogin : lackRoot;
  const all = (command: 'provision.apply' | 'provision.cancel', list: readonly Provisioning[]) => {
    for (const { id } of list) api.call(command, { id }).catch(toastError);
  };

  return (
    <div className={classes.stack}>
      {planning.startedAt !== null && (
        <Waiting
          doing={`Looking at every step on ${planning.pending.size === 1 ? '1 host' : `${planning.pending.size} hosts`}; nothing is changed`}
          startedAt={planning.startedAt}
          onCancel={planning.cancel}
        />
      )}
      <Group gap={8}>
        {ready.length > 0 && (
          <Button disabled={planning.startedAt !== null} onClick={() => all('provision.apply', ready)}>
            {ready.length === 1 ? 'Apply on 1 host' : `Apply on ${ready.length} hosts`}
          </Button>
        )}
        {nothing && atWork.length === 0 && (
          <Button disabled leftSection={<IconCircleCheck size={16} aria-hidden />}>
            Nothing to change
          </Button>
        )}
        {atWork.length > 0 && (
          <Button variant="default" onClick={() => all('provision.cancel', atWork)}>
            Stop all
          </Button>
        )}
        {atWork.length === 0 && (
          <Button variant="default" onClick={() => setChoosing(true)}>
            Choose recipes
          </Button>
        )}
        {lacking.length > 0 && !asking && (
          <Button variant="default" onClick={() => setAsking(true)}>
            Give the passwords
          </Button>
        )}
        {found.length > 0 && found.every(({ status }) => isOver(status)) && (
          <Button component={Link} href={paths.rack(rack)}>
            Back to the rack
          </Button>
        )}
        <Text size="sm" c="dimmed">
          Each host goes its own way: one that fails does not keep the others.
        </Text>
      </Group>
      {hosts.map((host) => (
        <RackPart
          key={host.id}
          host={host}
          recipes={recipes}
          provisioning={of(host)}
          error={planning.errors.get(host.id) ?? null}
          pending={planning.pending.has(host.id)}
          onPlan={again === null ? null : () => replan([host])}
        />
      ))}
      {lacking.length > 0 && asking && planning.startedAt === null && (
        <SecretsDialog
          title={kind === 'login' ? 'Passwords of the hosts' : 'Passwords for sudo'}
          asked={lacking.map(({ id, name, user }) => ({ id, label: `Password of ${user} on ${name}` }))}
          keep={(id, secret) => api.call('hosts.setSecret', { id, kind, secret })}
          onClose={() => setAsking(false)}
          onKept={() => {
            setAsking(false);
            replan(lacking);
          }}
        >
          {kind === 'login'
            ? 'They are needed to sign in.'
            : 'Some steps work as root, and sudo asks for a password there.'}
        </SecretsDialog>
      )}
    </div>
  );
}
