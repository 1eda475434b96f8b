import { createBirpc } from 'birpc';
import { z } from 'zod';
import type { Channel } from '../../src-shared/contract/channel.ts';
import { type Reply, replySchema } from '../../src-shared/contract/wire.ts';
import { AppError, toAppError } from '../../src-shared/errors.ts';
import type { SecretStore } from '../app/secrets.ts';

/** The secrets live in main, which alone can ask the system's key store; the core asks for them over a port of its own. */
interface SecretFunctions {
  get(id: string): Promise<unknown>;
  set(id: string, secret: string): Promise<unknown>;
  remove(id: string): Promise<unknown>;
}

const textSchema = z.string().max(10_000);
const wire = { serialize: JSON.stringify, deserialize: JSON.parse, timeout: -1 };

/** Main's end. */
export function serveSecrets(channel: Channel, secrets: SecretStore): void {
  const reply = async (work: () => Promise<unknown>): Promise<Reply> => {
    try {
      return { ok: true, value: (await work()) ?? null };
    } catch (error) {
      return { ok: false, error: toAppError(error).toData() };
    }
  };
  const rpc = createBirpc<Record<string, never>, SecretFunctions>(
    {
      get: (id) => reply(() => secrets.get(textSchema.parse(id))),
      set: (id, secret) => reply(() => secrets.set(textSchema.parse(id), textSchema.parse(secret))),
      remove: (id) => reply(() => secrets.remove(textSchema.parse(id))),
    },
    {
      ...wire,
      post: (text: string) => channel.send(text),
      on: (receive) => channel.listen(receive, () => rpc.$close()),
    },
  );
}

/** The core's end. Errors are those of main. */
export function secretsOverPort(
  channel: Channel,
  { kind, detail }: Pick<SecretStore, 'kind' | 'detail'>,
): SecretStore {
  const rpc = createBirpc<SecretFunctions, Record<string, never>>(
    {},
    {
      ...wire,
      post: (text: string) => channel.send(text),
      on: (receive) => channel.listen(receive, () => rpc.$close()),
    },
  );
  const value = (answer: unknown): unknown => {
    const reply = replySchema.parse(answer);
    if (!reply.ok) throw new AppError(reply.error);
    return reply.value;
  };
  return {
    kind,
    detail,
    get: async (id) => textSchema.nullable().parse(value(await rpc.get(id))),
    set: async (id, secret) => void value(await rpc.set(id, secret)),
    remove: async (id) => void value(await rpc.remove(id)),
  };
}
