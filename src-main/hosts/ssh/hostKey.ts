import { AppError } from '../../../src-shared/errors.ts';
import type { Host, HostKey } from '../../../src-shared/model/host.ts';
import { connect } from './connect.ts';
import { type Endpoint, resolveEndpoint } from './endpoint.ts';
import { describeKey, judgeKey, type Standing } from './knownHosts.ts';

export interface ShownKey {
  key: HostKey;
  /** `changed` is a hard stop. */
  standing: Standing;
  /** The pinned or known one; null where there is none, or where known_hosts has revoked the one shown. */
  expected: HostKey | null;
}

/**
 * Asks for the host's key and hangs up before any sign-in.
 * @throws AppError as `openRemote` does for what comes before the sign-in
 */
export async function readHostKey(
  host: Pick<Host, 'address' | 'port' | 'user' | 'hostKey'>,
  signal: AbortSignal,
): Promise<ShownKey> {
  const endpoint = await resolveEndpoint(host);
  let blob: Buffer | null = null;
  const enough = new AppError({ code: 'cancelled', message: 'The key has been seen' });
  try {
    const connection = await connect({
      endpoint,
      credentials: null,
      verify: (key) => {
        blob = Buffer.from(key);
        throw enough;
      },
      preferredKeyTypes: preferredTypes(host.hostKey, endpoint),
      signal,
    });
    await connection.close();
  } catch (error) {
    if (error !== enough) throw error;
  }
  if (blob === null) throw new AppError({ code: 'internal', message: 'The host showed no key' });
  const key = describeKey(blob);
  return { key, ...judgeKey(key, host.hostKey, endpoint.known) };
}

/** @throws AppError `host-key-unknown`, `host-key-changed` */
export function verifyKey(blob: Buffer, trusted: HostKey | null, endpoint: Endpoint): void {
  const key = describeKey(blob);
  const { standing, expected } = judgeKey(key, trusted, endpoint.known);
  const place = { host: endpoint.host, port: endpoint.port };
  if (standing === 'new') {
    throw new AppError({
      code: 'host-key-unknown',
      message: 'This host has not been seen before',
      place,
      detail: `Its key is ${key.type} ${key.fingerprint}`,
      hint: 'Compare it with what ssh-keygen -lf /etc/ssh/ssh_host_ed25519_key.pub prints on the host, then trust it',
    });
  }
  if (standing === 'changed') {
    throw new AppError({
      code: 'host-key-changed',
      message: 'This host has another key than the one that is trusted',
      place,
      detail:
        expected === null
          ? `known_hosts has revoked the key it shows: ${key.type} ${key.fingerprint}`
          : `expected ${expected.type} ${expected.fingerprint}, shown ${key.type} ${key.fingerprint}`,
      hint: 'A card written anew has new keys; so has another machine that got the same name or address. If it is neither, somebody may be listening: do not go on',
    });
  }
}

/** Types to ask for first: that of the pinned key, else those in known_hosts. */
export function preferredTypes(trusted: HostKey | null, endpoint: Endpoint): string[] {
  if (trusted !== null) return [trusted.type];
  return [...new Set(endpoint.known.filter((k) => !k.revoked).map((k) => k.key.type))];
}
