import { randomUUID } from 'node:crypto';
import { AppError } from '../../src-shared/errors.ts';
import type { ServerDescription } from '../../src-shared/model/server.ts';
import type { Target } from '../../src-shared/model/target.ts';
import type { Driver, Endpoint } from '../databases/driver.ts';
import { drivers, findDriver } from '../databases/registry.ts';
import type { StoredTarget } from '../store/repositories.ts';
import { connectionOf } from './connection.ts';
import type { AppContext } from './context.ts';
import { memorySecrets, type SecretStore } from './secrets.ts';
import { nameOfUrl, parseTargetUrl } from './targetUrl.ts';

/** Every target there is: built-in ones, saved ones, and those that a connection URL made for this session. */
export interface TargetDirectory {
  list(): Promise<Target[]>;
  /** @throws AppError `not-found` */
  get(id: string): Promise<Target>;
  /** @throws AppError `not-found`, or `bad-input` for a URL that no engine reads */
  resolve(nameOrUrl: string): Promise<Target>;
  secretsOf(id: string): SecretStore;
  /** Dials up a target with its kept secret, or the given one. */
  dial(target: Dialable, signal: AbortSignal, secret?: string | null): Promise<Endpoint>;
  seen(id: string, server: ServerDescription): void;
}
export type Dialable = Pick<Target, 'id' | 'engine' | 'connection'>;

export function createTargetDirectory(
  context: Pick<AppContext, 'dataFolder' | 'store' | 'secrets' | 'now'>,
): TargetDirectory {
  const { store, secrets, now } = context;
  /** Not saved: built-in ones, and those of URLs. What was seen of them is remembered here. */
  const session = new Map<string, StoredTarget & { builtIn: boolean }>();
  const sessionSecrets = memorySecrets();
  for (const driver of drivers.filter(({ builtIn }) => builtIn))
    session.set(driver.id, builtInTarget(driver));

  const secretsOf = (id: string) => (session.has(id) ? sessionSecrets : secrets);
  const whole = async (target: StoredTarget & { builtIn?: boolean }): Promise<Target> => ({
    builtIn: false,
    ...target,
    hasSecret: (await secretsOf(target.id).get(target.id)) !== null,
  });

  async function list(): Promise<Target[]> {
    const builtIn = [...session.values()].filter((target) => target.builtIn);
    return Promise.all([...builtIn, ...store.targets.list()].map(whole));
  }

  async function get(id: string): Promise<Target> {
    const target = session.get(id) ?? store.targets.get(id);
    if (target) return whole(target);
    throw new AppError({
      code: 'not-found',
      message: `There is no target with the id ${JSON.stringify(id)}`,
      hint: 'It may have been removed: choose another target.',
    });
  }

  async function resolve(nameOrUrl: string): Promise<Target> {
    const targets = await list();
    const named =
      targets.find(({ name }) => name === nameOrUrl) ??
      targets.find(({ name }) => name.toLowerCase() === nameOrUrl.toLowerCase());
    if (named) return named;
    const { driver, connection, secret } = parseTargetUrl(
      nameOrUrl,
      targets.map(({ name }) => name),
    );
    const id = `url-${randomUUID()}`;
    session.set(id, {
      id,
      name: nameOfUrl(nameOrUrl),
      engine: driver.id,
      builtIn: false,
      connection,
      hostId: null,
      lastSeen: null,
      lastSeenAt: null,
      createdAt: now().toISOString(),
    });
    if (secret !== null) await sessionSecrets.set(id, secret);
    return get(id);
  }

  return {
    list,
    get,
    resolve,
    secretsOf,
    async dial({ id, engine, connection }, signal, given = null) {
      const secret = given ?? (await secretsOf(id).get(id));
      return findDriver(engine).resolve(connection, secret, { dataFolder: context.dataFolder, signal });
    },
    seen(id, server) {
      const target = session.get(id);
      if (target) session.set(id, { ...target, lastSeen: server, lastSeenAt: now().toISOString() });
      else store.targets.seen(id, server, now().toISOString());
    },
  };
}

function builtInTarget({ id, connection }: Driver): StoredTarget & { builtIn: true } {
  return {
    id,
    name: id,
    engine: id,
    builtIn: true,
    connection: connectionOf(connection, {}),
    hostId: null,
    lastSeen: null,
    lastSeenAt: null,
    createdAt: new Date(0).toISOString(),
  };
}
