import type { AppError } from '../../../src-shared/errors.ts';
import type { Host, HostAuth, HostDraft } from '../../../src-shared/model/host.ts';

/** What the form of a host holds; texts as they are typed. */
export interface Draft {
  id: string | null;
  /** Empty: the name it was found by, else the address. */
  name: string;
  /** What it calls itself, where it was picked from the network; '' where its address was typed. */
  foundAs: string;
  address: string;
  port: string;
  user: string;
  method: HostAuth['method'];
  keyFile: string;
  group: string;
  /** null keeps the secret that is stored, if there is one for this way to sign in. */
  secret: string | null;
  /** The way to sign in that a secret is stored for; null where none is. */
  keptFor: HostAuth['method'] | null;
}
export type DraftField = 'name' | 'address' | 'port' | 'user' | 'keyFile' | 'secret';

const sshPort = 22;

export const freshDraft: Draft = {
  id: null,
  name: '',
  foundAs: '',
  address: '',
  port: String(sshPort),
  user: 'pi',
  method: 'password',
  keyFile: '',
  group: '',
  secret: null,
  keptFor: null,
};

export function draftOf(host: Host): Draft {
  return {
    id: host.id,
    name: host.name,
    foundAs: '',
    address: host.address,
    port: String(host.port),
    user: host.user,
    method: host.auth.method,
    keyFile: host.auth.method === 'key' ? host.auth.keyFile : '',
    group: host.group ?? '',
    secret: null,
    keptFor: host.hasSecret ? host.auth.method : null,
  };
}

export const nameOf = ({ name, foundAs, address }: Draft): string => name.trim() || foundAs || address.trim();

/** A host that was picked: it goes by its own name, with a number where another host has that. */
export function picked(
  { name, address, port }: { name: string; address: string; port: number },
  others: readonly string[],
): Pick<Draft, 'address' | 'port' | 'foundAs'> {
  const own = name.replace(/\.local\.?$/i, '');
  const taken = new Set(others.map((other) => other.toLowerCase()));
  let foundAs = own;
  for (let i = 2; taken.has(foundAs.toLowerCase()); i++) foundAs = `${own} ${i}`;
  return { address, port: String(port), foundAs };
}

export function toHostDraft(draft: Draft): HostDraft {
  return {
    id: draft.id,
    name: nameOf(draft),
    address: draft.address.trim(),
    port: Number(draft.port),
    user: draft.user.trim(),
    auth:
      draft.method === 'key' ? { method: 'key', keyFile: draft.keyFile.trim() } : { method: draft.method },
    group: draft.group.trim() || null,
    // A password is no passphrase: it goes when another way to sign in is chosen.
    secret: draft.secret ?? (draft.keptFor === null || draft.keptFor === draft.method ? null : ''),
  };
}

/** Takes what people paste apart: `pi@raspberrypi.local:2222`, `ssh pi@10.0.0.7`, `[fe80::1]:22`. Nothing that is not said is changed. */
export function readAddress(text: string): { user?: string; address: string; port?: string } {
  const parts = /^(?:ssh\s+|ssh:\/\/)?(?:([^@\s]+)@)?(.*)$/.exec(text.trim());
  const user = parts?.[1];
  const rest = parts?.[2] ?? '';
  // A second colon makes it an IPv6 address, whose port stands behind brackets.
  const ended = /^\[([^\]]+)\](?::(\d+))?$/.exec(rest) ?? /^([^:]+):(\d+)$/.exec(rest);
  return {
    ...(user !== undefined && { user }),
    address: ended?.[1] ?? rest,
    ...(ended?.[2] !== undefined && { port: ended[2] }),
  };
}

/** Field → what is wrong, as far as the form alone can tell. */
export function checkDraft(draft: Draft): Map<DraftField, string> {
  const problems = new Map<DraftField, string>();
  if (draft.address.trim() === '') {
    problems.set('address', 'Where is it? A name such as raspberrypi.local, or an address');
  }
  if (draft.user.trim() === '') problems.set('user', 'A user name is needed');
  const port = Number(draft.port);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    problems.set('port', 'Port is between 1 and 65535');
  }
  if (draft.method === 'key' && draft.keyFile.trim() === '') {
    problems.set('keyFile', 'Name the private key file');
  }
  if (nameOf(draft).length > 80) problems.set('name', 'A name has at most 80 characters');
  return problems;
}

/** The field of the form that an error of the core is about; null where it names none. */
export function fieldOfError(error: AppError): DraftField | null {
  const last = error.place?.field?.split('.').at(-1);
  const fields: readonly DraftField[] = ['name', 'address', 'port', 'user', 'keyFile', 'secret'];
  return fields.find((field) => field === last) ?? null;
}
