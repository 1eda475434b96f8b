import { createPrivateKey } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import ssh2, { type AnyAuthMethod, type AuthenticationType, type ParsedKey } from 'ssh2';
import { AppError } from '../../../src-shared/errors.ts';
import type { Host } from '../../../src-shared/model/host.ts';
import { agentKeys, agentPath } from './agent.ts';
import { type Endpoint, expandPath } from './endpoint.ts';

/** Ways to sign in, to be tried in this order; given what the server says it takes. */
export type Credentials = (left: readonly AuthenticationType[]) => AnyAuthMethod | null;

/** Servers hang up after six refused attempts; one is kept back. */
const mostKeys = 5;

/**
 * Everything needed to sign in, gathered before anything is sent.
 * @throws AppError `password-needed`, `wrong-password` (a passphrase), `not-found` (the key file), `sign-in-refused`
 */
export async function gatherCredentials(
  host: Pick<Host, 'auth' | 'name'>,
  endpoint: Endpoint,
  login: () => Promise<string | null>,
): Promise<Credentials> {
  const username = endpoint.user;
  if (host.auth.method === 'password') {
    const secret = await login();
    if (secret !== null) return passwordOnce(username, secret);
    throw new AppError({
      code: 'password-needed',
      message: `The password of ${username} on ${host.name} is needed`,
      place: { host: endpoint.host, port: endpoint.port },
      secret: 'login',
    });
  }
  if (host.auth.method === 'key') {
    const key = await openKey(expandPath(host.auth.keyFile), login);
    return inTurn([{ type: 'publickey', username, key }]);
  }
  return inTurn(await agentAndUsualKeys(endpoint));
}

/** One attempt with the password, by whichever way the server asks for it: repeated ones get accounts locked. */
function passwordOnce(username: string, password: string): Credentials {
  let tried = false;
  return (left) => {
    if (tried) return null;
    const way = (['password', 'keyboard-interactive'] as const).find((w) => left.includes(w));
    if (way === undefined) return null;
    tried = true;
    if (way === 'password') return { type: 'password', username, password };
    let answered = false;
    return {
      type: 'keyboard-interactive',
      username,
      prompt: (_name, _instructions, _language, prompts, finish) => {
        // The server may come again with questions; only the first hidden one can be for the password.
        finish(prompts.map((p) => (p.echo === true || answered ? '' : password)));
        if (prompts.length > 0) answered = true;
      },
    };
  };
}

function inTurn(methods: readonly AnyAuthMethod[]): Credentials {
  const rest = methods.slice(0, mostKeys);
  return (left) => (left.includes('publickey') ? (rest.shift() ?? null) : null);
}

/** Keys that the configuration names come first, then the agent's, then the usual files that need no passphrase. */
async function agentAndUsualKeys(endpoint: Endpoint): Promise<AnyAuthMethod[]> {
  const username = endpoint.user;
  const usual = ['id_ed25519', 'id_ecdsa', 'id_rsa'].map((name) => join(homedir(), '.ssh', name));
  const files = endpoint.identityFiles.length > 0 ? endpoint.identityFiles : usual;
  const fromFiles: ParsedKey[] = [];
  const wanted: Buffer[] = [];
  for (const file of files.filter((f) => existsSync(f))) {
    const parsed = parse(await readFile(file), undefined);
    if (!(parsed instanceof Error)) fromFiles.push(parsed);
    // An encrypted key may be open in the agent: its public half stands beside it.
    const publicKey = existsSync(`${file}.pub`) ? parse(await readFile(`${file}.pub`), undefined) : parsed;
    if (!(publicKey instanceof Error)) wanted.push(publicKey.getPublicSSH());
  }
  const path = agentPath();
  const held = path === null ? [] : await agentKeys(path);
  const isWanted = (key: { blob: Buffer }) => wanted.some((w) => w.equals(key.blob));
  const agents = [
    ...held.filter(isWanted),
    ...(endpoint.identitiesOnly ? [] : held.filter((key) => !isWanted(key))),
  ];
  const rest = fromFiles.filter((key) => !held.some((h) => h.blob.equals(key.getPublicSSH())));
  const named = endpoint.identityFiles.length > 0;
  const methods: AnyAuthMethod[] = [
    ...agents.map((key): AnyAuthMethod => ({ type: 'agent', username, agent: key.agent })),
    ...rest.map((key): AnyAuthMethod => ({ type: 'publickey', username, key })),
  ];
  // Keys from the configuration must not be crowded out by an agent that holds many.
  const ordered = named ? [...methods.slice(agents.length), ...methods.slice(0, agents.length)] : methods;
  if (ordered.length > 0) return ordered;
  throw new AppError({
    code: 'sign-in-refused',
    message: 'There is no key to sign in with',
    place: { host: endpoint.host, port: endpoint.port },
    detail:
      path === null
        ? 'No SSH agent is running (SSH_AUTH_SOCK), and ~/.ssh has no key without a passphrase'
        : 'The SSH agent holds no key for this host, and ~/.ssh has none without a passphrase',
    hint: 'Add a key to the agent with ssh-add, or sign in with a key file or a password',
  });
}

async function openKey(file: string, passphrase: () => Promise<string | null>): Promise<ParsedKey> {
  let content: Buffer;
  try {
    content = await readFile(file);
  } catch (error) {
    throw new AppError({
      code: 'not-found',
      message: 'The private key file cannot be read',
      place: { file },
      detail: error instanceof Error ? error.message : String(error),
    });
  }
  const open = parse(content, undefined);
  if (!(open instanceof Error)) return privateOnly(open, file);
  if (!/encrypted|passphrase/i.test(open.message)) throw notAKey(file, open.message);
  const secret = await passphrase();
  if (secret === null) {
    throw new AppError({
      code: 'password-needed',
      message: 'The passphrase of the private key is needed',
      place: { file },
      secret: 'login',
    });
  }
  const unlocked = parse(content, secret);
  if (!(unlocked instanceof Error)) return privateOnly(unlocked, file);
  throw new AppError({
    code: 'wrong-password',
    message: 'This passphrase does not open the private key',
    place: { file },
    secret: 'login',
  });
}

function privateOnly(key: ParsedKey, file: string): ParsedKey {
  if (key.isPrivateKey()) return key;
  throw notAKey(file, 'it is the public half; the private one has the same name without .pub');
}

function notAKey(file: string, detail: string): AppError {
  return new AppError({ code: 'bad-input', message: 'This is no private key', place: { file }, detail });
}

/** OpenSSH's own format, PEM (PKCS#1, SEC 1, PKCS#8) and PuTTY's. */
function parse(content: Buffer, passphrase: string | undefined): ParsedKey | Error {
  if (/^-----BEGIN (ENCRYPTED )?PRIVATE KEY-----/.test(content.toString('latin1', 0, 64)))
    return parsePkcs8(content, passphrase);
  const parsed: unknown = ssh2.utils.parseKey(content, passphrase);
  const first: unknown = Array.isArray(parsed) ? parsed[0] : parsed;
  if (first instanceof Error) return first;
  return isKey(first) ? first : new Error('not a key');
}

function isKey(value: unknown): value is ParsedKey {
  return typeof value === 'object' && value !== null && 'getPublicSSH' in value;
}

/** ssh2 does not read PKCS#8; Node does and writes it as ssh2 likes it. */
function parsePkcs8(content: Buffer, passphrase: string | undefined): ParsedKey | Error {
  if (passphrase === undefined && content.includes('ENCRYPTED')) return new Error('Encrypted private key');
  try {
    const key = createPrivateKey({ key: content, ...(passphrase === undefined ? {} : { passphrase }) });
    const pem =
      key.asymmetricKeyType === 'rsa'
        ? key.export({ type: 'pkcs1', format: 'pem' })
        : key.export({ type: 'sec1', format: 'pem' });
    return parse(Buffer.from(pem), undefined);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
