import type { Remote } from '../../src-main/hosts/remote.ts';
import { openRemote } from '../../src-main/hosts/ssh/index.ts';
import { AppError } from '../../src-shared/errors.ts';
import type { VirtualPi } from './virtualPi.ts';

/** Signs in with a password as the product does, the host's key pinned; `sudo` is asked each time. */
export async function signIn(
  pi: VirtualPi,
  sudo: () => string | null = () => pi.password,
  user: string = pi.user,
): Promise<Remote> {
  const host = { name: 'Lab', address: pi.address, port: 22, user, auth: { method: 'password' as const } };
  const access = {
    secret: async (kind: 'login' | 'sudo') => (kind === 'login' ? pi.password : sudo()),
    trusted: { type: 'ssh-ed25519', fingerprint: await pi.hostKey() },
  };
  return openRemote(host, access, new AbortController().signal);
}

/** What a call that must fail fails with. */
export async function errorOf(promise: Promise<unknown>): Promise<AppError> {
  const outcome = await promise.catch((error: unknown) => error);
  if (outcome instanceof AppError) return outcome;
  throw new Error('it was expected to fail', { cause: outcome });
}

/** How many processes on the Pi have a command line that matches. */
export async function processes(pi: VirtualPi, pattern: string): Promise<number> {
  const found = await pi.exec('sh', '-c', 'pgrep -f -- "$1" | grep -vx $$ || true', 'sh', pattern);
  return found.split('\n').filter((line) => line !== '').length;
}
