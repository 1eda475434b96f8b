import { type ReactNode, useState } from 'react';
import { SecretField, SecretForm } from './SecretForm.tsx';

/** Asks for a password and keeps it as the app keeps passwords. */
export function SecretDialog(props: {
  /** With what it is for: `Password for rpi-5`. */
  title: string;
  label: string;
  /** Why it is asked for. */
  children: ReactNode;
  /** What was wrong with the one before. */
  complaint?: string | undefined;
  keep: (secret: string) => Promise<unknown>;
  onClose: () => void;
  onKept: () => void;
}): ReactNode {
  const { title, label, children, complaint, onClose, onKept } = props;
  const [secret, setSecret] = useState('');
  return (
    <SecretForm
      title={title}
      intro={children}
      complete={secret !== ''}
      keep={() => props.keep(secret)}
      onClose={onClose}
      onKept={onKept}
    >
      <SecretField
        label={label}
        value={secret}
        error={complaint}
        aria-invalid={complaint !== undefined || undefined}
        first
        onValue={setSecret}
      />
    </SecretForm>
  );
}
