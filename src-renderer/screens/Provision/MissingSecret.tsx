import type { ReactNode } from 'react';
import type { ErrorData, SecretKind } from '../../../src-shared/errors.ts';
import type { Host } from '../../../src-shared/model/host.ts';
import type { Provisioning } from '../../../src-shared/model/provision.ts';
import { useApi } from '../../api.tsx';
import { HostSecretDialog } from '../../components/HostSecretDialog.tsx';
import { SecretDialog } from '../../components/SecretDialog.tsx';

/** The secret whose lack ended the work; null where it was something else. */
export function missingSecret(error: ErrorData | null): SecretKind | null {
  if (error === null) return null;
  const asked = error.code === 'password-needed' || error.code === 'wrong-password';
  return asked ? (error.secret ?? null) : null;
}

/** Asks for the secret that the error names. */
export function MissingSecret(props: {
  host: Host;
  provisioning: Provisioning;
  error: ErrorData;
  onClose: () => void;
  onKept: () => void;
}): ReactNode {
  const { host, provisioning, error, onClose, onKept } = props;
  const api = useApi();
  const complaint = error.code === 'wrong-password' ? error.message : undefined;
  const kind = missingSecret(error);
  if (kind === 'login' || kind === 'sudo')
    return (
      <HostSecretDialog host={host} kind={kind} complaint={complaint} onClose={onClose} onKept={onKept} />
    );
  const field = error.place?.field ?? '';
  return (
    <SecretDialog
      title={`Password of the database on ${host.name}`}
      label="Password of the database"
      complaint={complaint}
      keep={(secret) => api.call('provision.setSecret', { id: provisioning.id, field, secret })}
      onClose={onClose}
      onKept={onKept}
    >
      It was given with this plan and is kept no longer. Another one than before becomes the new password.
    </SecretDialog>
  );
}
