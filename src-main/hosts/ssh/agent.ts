import { existsSync } from 'node:fs';
import ssh2, {
  type BaseAgent,
  type IdentityCallback,
  type ParsedKey,
  type SignCallback,
  type SigningRequestOptions,
} from 'ssh2';
import { AppError } from '../../../src-shared/errors.ts';

/** One key of an agent, which ssh2 takes as an agent of its own. */
export interface AgentKey {
  blob: Buffer;
  agent: BaseAgent;
}

type PublicKey = string | Buffer | ParsedKey;

const openSshPipe = '\\\\.\\pipe\\openssh-ssh-agent';

/** Where the user's agent listens; null where there is none. On Windows OpenSSH's, else Pageant. */
export function agentPath(): string | null {
  const named = process.env.SSH_AUTH_SOCK;
  if (named !== undefined && named !== '') return named;
  if (process.platform !== 'win32') return null;
  return existsSync(openSshPipe) ? openSshPipe : 'pageant';
}

/**
 * The keys an agent holds, in its order.
 * @throws AppError `sign-in-refused` when it does not answer
 */
export async function agentKeys(path: string): Promise<AgentKey[]> {
  const agent = ssh2.createAgent(path);
  try {
    return (await identities(agent)).map((key) => ({
      blob: key.getPublicSSH(),
      agent: new OneKey(agent, key),
    }));
  } catch (error) {
    // On Windows nobody said that there is one.
    if (process.env.SSH_AUTH_SOCK === undefined) return [];
    throw new AppError({
      code: 'sign-in-refused',
      message: 'The SSH agent does not answer',
      place: { file: path },
      detail: error instanceof Error ? error.message : String(error),
      hint: 'SSH_AUTH_SOCK names it. Start it, or sign in with a key file',
    });
  }
}

function identities(agent: BaseAgent): Promise<ParsedKey[]> {
  return new Promise((resolve, reject) => {
    agent.getIdentities((error, keys) => {
      if (error) return reject(error);
      const parsed: ParsedKey[] = [];
      for (const key of keys ?? []) {
        if (typeof key === 'object' && 'getPublicSSH' in key) parsed.push(key);
      }
      resolve(parsed);
    });
  });
}

/** ssh2 offers all keys of an agent at once; this one has a single key, so that the order and the number are ours. */
class OneKey extends ssh2.BaseAgent {
  readonly #agent: BaseAgent;
  readonly #key: ParsedKey;

  constructor(agent: BaseAgent, key: ParsedKey) {
    super();
    this.#agent = agent;
    this.#key = key;
  }

  getIdentities(done: IdentityCallback): void {
    done(null, [this.#key]);
  }

  sign(
    key: PublicKey,
    data: Buffer,
    options: SigningRequestOptions | SignCallback,
    done?: SignCallback,
  ): void {
    if (typeof options === 'function') this.#agent.sign(key, data, options);
    else this.#agent.sign(key, data, options, done);
  }
}
