import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { AppError } from '../../../src-shared/errors.ts';
import type { Host } from '../../../src-shared/model/host.ts';
import { type HostOptions, lookUp } from './config.ts';
import { type KnownKey, knownKeys } from './knownHosts.ts';

/** Where a host really is, after ~/.ssh/config has been asked. */
export interface Endpoint {
  host: string;
  port: number;
  user: string;
  identityFiles: string[];
  identitiesOnly: boolean;
  /** From the user's and the system's known_hosts. */
  known: KnownKey[];
}

type Address = Pick<Host, 'address' | 'port' | 'user'>;

/**
 * A port other than 22 in the host's own settings counts more than the alias's.
 * @throws AppError `unsupported` for an alias behind a ProxyJump or ProxyCommand
 */
export async function resolveEndpoint(host: Address): Promise<Endpoint> {
  const folder = join(homedir(), '.ssh');
  const options = lookUp((await readText(join(folder, 'config'))) ?? '', host.address, (pattern) =>
    readIncluded(folder, pattern),
  );
  if (options.proxy !== null) {
    throw new AppError({
      code: 'unsupported',
      message: `${host.address} is reached through another host, which Benchberry does not do`,
      place: { host: host.address },
      detail: `~/.ssh/config has a ProxyJump or ProxyCommand for it: ${options.proxy}`,
      hint: 'A detour would be part of every measured latency. Use an address that this machine reaches itself',
    });
  }
  const port = host.port !== 22 ? host.port : (options.port ?? 22);
  const name = options.hostName ?? host.address;
  const knownAs = options.hostKeyAlias ?? name;
  const texts = await Promise.all(
    [join(folder, 'known_hosts'), join(folder, 'known_hosts2'), '/etc/ssh/ssh_known_hosts'].map(readText),
  );
  return {
    host: name,
    port,
    user: host.user,
    identityFiles: identityFiles(options, host.user, name),
    identitiesOnly: options.identitiesOnly,
    known: texts.flatMap((text) => knownKeys(text ?? '', knownAs, port)),
  };
}

/** @returns null where there is no such file, or it may not be read */
async function readText(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8');
  } catch {
    return null;
  }
}

/** `~` and ssh_config's %-tokens in the path of a key file. */
export function expandPath(path: string, tokens: Record<string, string> = {}): string {
  const expanded = path.replace(/%(.)/g, (whole, c) => (c === '%' ? '%' : (tokens[c] ?? whole)));
  return /^~(?=$|[\\/])/.test(expanded) ? join(homedir(), expanded.slice(1)) : expanded;
}

function identityFiles(options: HostOptions, user: string, host: string): string[] {
  const tokens = { d: homedir(), h: host, r: user };
  return options.identityFiles.map((file) => expandPath(file, tokens));
}

/** Files an `Include` names, relative to ~/.ssh; wildcards in the last part of the path, as `config.d/*`. */
function readIncluded(folder: string, pattern: string): string[] {
  const path = expandPath(pattern);
  const full = isAbsolute(path) ? path : join(folder, path);
  try {
    const wanted = lastPart(basename(full));
    return readdirSync(dirname(full))
      .filter((name) => wanted.test(name))
      .sort()
      .map((name) => readFileSync(join(dirname(full), name), 'utf8'));
  } catch {
    return []; // as ssh does: an Include that names nothing is no error
  }
}

function lastPart(pattern: string): RegExp {
  const escaped = pattern.replace(/[.+^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${escaped.replaceAll('*', '.*').replaceAll('?', '.')}$`);
}
