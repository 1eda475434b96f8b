import type { ReactNode } from 'react';
import type { Host } from '../../src-shared/model/host.ts';
import { useApi } from '../api.tsx';
import { SecretDialog } from './SecretDialog.tsx';

/** Asks for what is needed to sign in or to become root. */
export function HostSecretDialog(props: {
  host: Pick<Host, 'id' | 'name' | 'user' | 'auth'>;
  kind: 'login' | 'sudo';
  /** What was wrong with the one before. */
  complaint?: string | undefined;
  onClose: () => void;
  onKept: () => void;
}): ReactNode {
  const { host, kind } = props;
  const api = useApi();
  const label =
    kind === 'sudo' ? 'Password for sudo' : host.auth.method === 'key' ? 'Passphrase of the key' : 'Password';
  return (
    <SecretDialog
      title={`${label} on ${host.name}`}
      label={label}
      complaint={props.complaint}
      keep={(secret) => api.call('hosts.setSecret', { id: host.id, kind, secret })}
      onClose={props.onClose}
      onKept={props.onKept}
    >
      {kind === 'sudo'
        ? `${host.user} may become root on ${host.name} with a password; it is usually the one of the sign-in.`
        : `It is needed to sign in to ${host.name} as ${host.user}.`}
    </SecretDialog>
  );
}
