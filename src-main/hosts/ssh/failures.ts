import type { AuthenticationType } from 'ssh2';
import { AppError } from '../../../src-shared/errors.ts';
import type { Endpoint } from './endpoint.ts';

/** What had been tried when it failed. */
export interface Tried {
  password: boolean;
  methods: readonly AuthenticationType[];
}

const place = (endpoint: Endpoint) => ({ host: endpoint.host, port: endpoint.port });

/** An established connection that ended by itself. */
export function lostError(endpoint: Endpoint, detail?: string): AppError {
  return new AppError({
    code: 'connection-lost',
    message: 'The SSH connection was lost',
    place: place(endpoint),
    detail,
  });
}

/** An error of ssh2 or of the socket in our words. */
export function connectionError(error: unknown, endpoint: Endpoint, tried?: Tried): AppError {
  const detail = error instanceof Error ? error.message : String(error);
  const level = textOf(error, 'level');
  const where = place(endpoint);
  if (level === 'client-authentication') return refused(endpoint, tried);
  switch (textOf(error, 'code')) {
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new AppError({
        code: 'host-not-found',
        message: `No host of the name ${endpoint.host} is found`,
        place: where,
        detail,
        hint: endpoint.host.endsWith('.local')
          ? 'Is it switched on, and in the same network? Its address from the router works too'
          : 'Look at the spelling, or use its address',
      });
    case 'ECONNREFUSED':
      return new AppError({
        code: 'connection-refused',
        message: 'The host is there, but nothing answers on its SSH port',
        place: where,
        detail,
        hint: 'Switch SSH on: raspi-config, Interface options; or an empty file named ssh on the boot partition',
      });
    case 'ETIMEDOUT':
    case 'EHOSTUNREACH':
    case 'EHOSTDOWN':
    case 'ENETUNREACH':
      return new AppError({
        code: 'connection-timeout',
        message: 'The host does not answer',
        place: where,
        detail,
        hint: 'Is it switched on and in this network?',
      });
  }
  if (detail === 'Keepalive timeout') return lostError(endpoint, 'the host stopped answering');
  if (level === 'client-timeout')
    return new AppError({
      code: 'connection-timeout',
      message: 'The host answers, but does not finish the SSH handshake',
      place: where,
      detail,
    });
  if (/before handshake|ECONNRESET/.test(detail))
    return new AppError({
      code: 'connection-lost',
      message: 'The host hung up before the sign-in',
      place: where,
      detail,
      hint: 'sshd turns away an address for some minutes after several failed sign-ins. Wait, then try again',
    });
  return lostError(endpoint, detail);
}

function refused(endpoint: Endpoint, tried: Tried | undefined): AppError {
  const where = place(endpoint);
  const takes = `The host takes: ${tried?.methods.join(', ') || 'nothing that was offered'}`;
  if (tried?.password) {
    return new AppError({
      code: 'wrong-password',
      message: `The host refuses this password for the user ${endpoint.user}`,
      place: where,
      detail: takes,
      hint: 'Is the user name right? The password was tried once, as more would lock you out for a while',
      secret: 'login',
    });
  }
  return new AppError({
    code: 'sign-in-refused',
    message: `The host refuses the user ${endpoint.user}`,
    place: where,
    detail: takes,
    hint: 'Its ~/.ssh/authorized_keys must have the public half of the key; or sign in another way',
  });
}

function textOf(error: unknown, key: 'code' | 'level'): string | null {
  if (typeof error !== 'object' || error === null) return null;
  const value: unknown = Reflect.get(error, key);
  return typeof value === 'string' ? value : null;
}
