import { randomUUID } from 'node:crypto';
import { AppError } from '../../src-shared/errors.ts';
import type { ServerDescription } from '../../src-shared/model/server.ts';
import type { Target, TargetDraft } from '../../src-shared/model/target.ts';
import { findDriver } from '../databases/registry.ts';
import { connectionOf } from './connection.ts';
import type { AppContext, HandlersOf } from './context.ts';
import type { Dialable, TargetDirectory } from './targetDirectory.ts';

/** How long a server that is there may take to tell what it is. */
const answerMs = 60_000;

export function targetHandlers(
  { store, now }: AppContext,
  directory: TargetDirectory,
): HandlersOf<'targets'> {
  /** The draft's connection checked by its engine, which must be one that targets can be added for. */
  function checked(draft: TargetDraft): Target['connection'] {
    const driver = findDriver(draft.engine);
    if (driver.builtIn) {
      throw new AppError({
        code: 'bad-input',
        message: `${driver.label} is built in: there is one, and it needs no settings`,
        place: { field: 'engine' },
      });
    }
    return connectionOf(driver.connection, draft.connection);
  }

  async function save(draft: TargetDraft): Promise<Target> {
    const connection = checked(draft);
    if ((await directory.list()).some(({ name, builtIn }) => builtIn && name === draft.name.toLowerCase())) {
      throw new AppError({
        code: 'bad-input',
        message: `${JSON.stringify(draft.name)} is the name of a built-in target`,
        place: { field: 'name' },
        hint: 'Choose another name.',
      });
    }
    const before = draft.id === null ? null : store.targets.get(draft.id);
    if (draft.id !== null && before === null) throw notSaved(await directory.get(draft.id));
    const id = draft.id ?? randomUUID();
    const same = before !== null && JSON.stringify(before.connection) === JSON.stringify(connection);
    store.targets.save({
      id,
      name: draft.name,
      engine: draft.engine,
      connection,
      hostId: draft.hostId === undefined ? (before?.hostId ?? null) : draft.hostId,
      // What was seen belongs to the connection it was seen over.
      lastSeen: same ? before.lastSeen : null,
      lastSeenAt: same ? before.lastSeenAt : null,
      createdAt: before?.createdAt ?? now().toISOString(),
    });
    await keepSecret(id, draft.secret);
    return directory.get(id);
  }

  async function keepSecret(id: string, secret: string | null): Promise<void> {
    if (secret === null) return;
    if (secret === '') await directory.secretsOf(id).remove(id);
    else await directory.secretsOf(id).set(id, secret);
  }

  async function describeServer(
    target: Dialable,
    secret: string | null,
    signal: AbortSignal,
  ): Promise<ServerDescription> {
    const endpoint = await directory.dial(target, signal, secret);
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), answerMs);
    const patient = AbortSignal.any([signal, late.signal]);
    try {
      const session = await findDriver(target.engine).openSession(endpoint, patient);
      try {
        return await session.describe(patient);
      } finally {
        await session.close();
      }
    } catch (error) {
      if (!late.signal.aborted || signal.aborted) throw error;
      throw new AppError(
        {
          code: 'connection-timeout',
          message: `${endpoint.label} took the connection and did not answer within ${answerMs / 1000} s`,
          hint: 'Look whether the port is the database’s, and into the log of the server.',
        },
        { cause: error },
      );
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    'targets.list': () => directory.list(),
    'targets.resolve': ({ nameOrUrl }) => directory.resolve(nameOrUrl),
    'targets.save': save,
    async 'targets.remove'({ id }) {
      const target = await directory.get(id);
      if (store.targets.get(id) === null) throw notSaved(target);
      // Its password stays until it is purged, so that the removal can be undone.
      store.targets.remove(id);
      return null;
    },
    async 'targets.restore'({ id }) {
      store.targets.restore(id);
      return directory.get(id);
    },
    async 'targets.test'(input, signal) {
      if ('draft' in input) {
        const { draft } = input;
        const target = { id: draft.id ?? '', engine: draft.engine, connection: checked(draft) };
        return describeServer(target, draft.secret, signal);
      }
      const target = await directory.get(input.id);
      const server = await describeServer(target, input.secret, signal);
      directory.seen(target.id, server);
      return server;
    },
    async 'targets.setSecret'({ id, secret }) {
      await directory.get(id);
      await keepSecret(id, secret);
      return null;
    },
  };
}

/** Of built-in targets and those of a URL. */
function notSaved({ name }: Target): AppError {
  return new AppError({
    code: 'bad-input',
    message: `The target ${name} is not a saved one: it cannot be changed or removed`,
  });
}
