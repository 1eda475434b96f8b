import { type ReactNode, useState } from 'react';
import { useLocation } from 'wouter';
import type { Host } from '../../../src-shared/model/host.ts';
import { ErrorPanel } from '../../components/ErrorPanel.tsx';
import { HostSecretDialog } from '../../components/HostSecretDialog.tsx';
import { Waiting } from '../../components/Waiting.tsx';
import { paths } from '../../routes.ts';
import { HostKeyCard } from './HostKeyCard.tsx';
import { useRemoveHost } from './useRemoveHost.ts';
import type { SignIn } from './useSignIn.ts';

/** What stands in the way of a host, one thing at a time: waiting, its key, a password, what went wrong. */
export function SignInPanel(props: { host: Host; signIn: SignIn }): ReactNode {
  const { host, signIn } = props;
  const [, navigate] = useLocation();
  const [asking, setAsking] = useState(false);
  const remove = useRemoveHost();
  const { doing, error, question } = signIn;
  if (doing !== null) {
    return (
      <Waiting
        doing={
          doing.what === 'key'
            ? `Asking ${host.address} for its key`
            : `Signing in to ${host.name} as ${host.user} and looking at it`
        }
        startedAt={doing.startedAt}
        onCancel={signIn.cancel}
      />
    );
  }
  const needsSecret = error?.code === 'password-needed' || error?.code === 'wrong-password';
  return (
    <>
      {(asking || error?.code === 'password-needed') && (
        <HostSecretDialog
          host={host}
          kind="login"
          onClose={() => {
            setAsking(false);
            if (!asking) navigate(paths.hosts);
          }}
          onKept={() => {
            setAsking(false);
            void signIn.start();
          }}
        />
      )}
      {error !== null && error.code !== 'password-needed' && (
        <ErrorPanel
          error={error}
          next={
            needsSecret
              ? { label: 'Give another password', onClick: () => setAsking(true) }
              : error.code === 'sign-in-refused'
                ? { label: 'Change the sign-in', onClick: () => navigate(paths.editHost(host.id)) }
                : { label: 'Try again', onClick: () => void signIn.start() }
          }
        />
      )}
      {question !== null && (
        <HostKeyCard
          host={host}
          shown={question}
          onTrust={(key) => void signIn.trust(key)}
          onRetry={() => void signIn.start()}
          onRemove={() => {
            remove(host);
            navigate(paths.hosts);
          }}
        />
      )}
    </>
  );
}
