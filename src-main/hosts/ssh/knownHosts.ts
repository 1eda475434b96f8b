import { createHash, createHmac } from 'node:crypto';
import type { HostKey } from '../../../src-shared/model/host.ts';
import { matchesList } from './config.ts';

export interface KnownKey {
  key: HostKey;
  revoked: boolean;
}

/** The key of a host from its wire form: SHA-256 over it, base64 without padding, is what OpenSSH prints. */
export function describeKey(blob: Buffer): HostKey {
  const length = blob.length >= 4 ? blob.readUInt32BE(0) : 0;
  const digest = createHash('sha256').update(blob).digest('base64').replace(/=+$/, '');
  return { type: blob.subarray(4, 4 + length).toString('latin1'), fingerprint: `SHA256:${digest}` };
}

/**
 * What a known_hosts file (sshd(8)) knows of a host: plain, hashed and `[host]:port` names, patterns, `@revoked` lines.
 * `@cert-authority` lines are passed over: host certificates are not asked for. So are lines that make no sense.
 */
export function knownKeys(text: string, host: string, port: number): KnownKey[] {
  const name = port === 22 ? host.toLowerCase() : `[${host.toLowerCase()}]:${port}`;
  return text.split('\n').flatMap((line) => {
    const words = line.trim().split(/\s+/);
    const marker = words[0]?.startsWith('@') ? words.shift() : undefined;
    const [names, type, base64] = words;
    if (names === undefined || names.startsWith('#') || type === undefined || base64 === undefined) return [];
    if (marker !== undefined && marker !== '@revoked') return [];
    if (!namesHost(names, name)) return [];
    const key = describeKey(Buffer.from(base64, 'base64'));
    return key.type === type ? [{ key, revoked: marker !== undefined }] : [];
  });
}

function namesHost(names: string, name: string): boolean {
  const hashed = /^\|1\|([^|]+)\|([^|]+)$/.exec(names);
  if (hashed === null) return matchesList(name, names.split(','));
  const salt = Buffer.from(hashed[1] ?? '', 'base64');
  return createHmac('sha1', salt).update(name).digest('base64') === hashed[2];
}

export type Standing = 'pinned' | 'known-hosts' | 'new' | 'changed';

/**
 * May this key be trusted? What is pinned decides alone, but for a revoked key; then the known keys. A host whose known
 * keys are all of other types counts as changed: it was asked for those first and has none of them any more.
 */
export function judgeKey(
  shown: HostKey,
  pinned: HostKey | null,
  known: readonly KnownKey[],
): { standing: Standing; expected: HostKey | null } {
  const same = (key: HostKey) => key.type === shown.type && key.fingerprint === shown.fingerprint;
  if (known.some((k) => k.revoked && same(k.key))) return { standing: 'changed', expected: null };
  if (pinned !== null) return { standing: same(pinned) ? 'pinned' : 'changed', expected: pinned };
  const keys = known.filter((k) => !k.revoked).map((k) => k.key);
  const first = keys.find((k) => k.type === shown.type) ?? keys[0];
  if (first === undefined) return { standing: 'new', expected: null };
  return keys.some(same)
    ? { standing: 'known-hosts', expected: shown }
    : { standing: 'changed', expected: first };
}
