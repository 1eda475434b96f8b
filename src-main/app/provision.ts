import { randomUUID } from 'node:crypto';
import type { RecipeInfo } from '../../src-shared/model/provision.ts';
import { findDriver } from '../databases/registry.ts';
import { createExecutor, type Executor } from '../provision/executor.ts';
import { recipes } from '../provision/registry.ts';
import { planScript } from '../provision/script.ts';
import type { RecipeTarget } from '../provision/step.ts';
import { currentOwner, isAlive } from '../runs/owner.ts';
import { connectionOf } from './connection.ts';
import type { AppContext, HandlersOf } from './context.ts';
import { formFields } from './forms.ts';
import type { HostDirectory } from './hostDirectory.ts';

/** What can be set up on a host: the registry of recipes, their parameters as forms. */
export function recipeInfos(): RecipeInfo[] {
  return recipes.map(({ id, label, description, parameters }) => ({
    id,
    label,
    description,
    fields: formFields(parameters),
  }));
}

/** The executor over the app's store, hosts and targets. */
export function openExecutor(context: AppContext, hosts: HostDirectory): Executor {
  const { store, secrets, publish, now } = context;
  return createExecutor({
    repository: store.provisionings,
    connect: (hostId, signal) => hosts.connect(hostId, signal),
    inventory: (hostId, remote, signal) => hosts.inventory(hostId, remote, signal),
    publish: (provisioning) => publish('provision.changed', provisioning),
    secrets,
    async keepTarget(hostId, target, address) {
      const { name } = await hosts.get(hostId);
      const id = saveTarget(context, hostId, name, target, address);
      await secrets.set(id, target.secret);
      publish('lists.changed', { what: 'targets' });
      return id;
    },
    owner: currentOwner(),
    isAlive,
    now,
  });
}

/** Set up again, the target it had is brought up to date: its runs stay comparable by name. */
function saveTarget(
  { store, now }: AppContext,
  hostId: string,
  hostName: string,
  { engine, connection: made }: RecipeTarget,
  address: string,
): string {
  const connection = connectionOf(findDriver(engine).connection, { ...made, host: address });
  const targets = store.targets.list();
  const known = targets.find(
    (target) =>
      target.hostId === hostId && target.engine === engine && target.connection.port === connection.port,
  );
  const id = known?.id ?? randomUUID();
  store.targets.save({
    id,
    name: known?.name ?? freeName(hostName, new Set(targets.map(({ name }) => name.toLowerCase()))),
    engine,
    connection,
    hostId,
    lastSeen: null,
    lastSeenAt: null,
    createdAt: known?.createdAt ?? now().toISOString(),
  });
  return id;
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  for (let i = 1; ; i++) {
    const candidate = i === 1 ? name : `${name.slice(0, 75)} ${i}`;
    if (!taken.has(candidate.toLowerCase())) return candidate;
  }
}

export function provisionHandlers(
  { store }: AppContext,
  hosts: HostDirectory,
  executor: Executor,
): HandlersOf<'provision'> {
  const infos = recipeInfos();
  return {
    'provision.recipes': async () => infos,
    'provision.plan': (plan, signal) => executor.plan(plan, signal),
    'provision.apply': async ({ id }) => executor.apply(id),
    'provision.generated': ({ id }) => executor.generated(id),
    async 'provision.setSecret'({ id, field, secret }) {
      await executor.setSecret(id, field, secret);
      return null;
    },
    async 'provision.cancel'({ id }) {
      await executor.cancel(id);
      return null;
    },
    'provision.undo': async ({ id }) => executor.undo(id),
    async 'provision.script'({ id }) {
      const provisioning = executor.get(id);
      return planScript(await hosts.get(provisioning.hostId), provisioning, await executor.steps(id));
    },
    'provision.get': async ({ id }) => executor.get(id),
    'provision.list': async ({ hostId }) =>
      store.provisionings.list(hostId).map(({ provisioning }) => provisioning),
  };
}
