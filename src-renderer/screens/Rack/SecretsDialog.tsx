import { Checkbox } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { SecretField, SecretForm } from '../../components/SecretForm.tsx';

/** Of whom a password is asked. */
export interface Asked {
  id: string;
  /** As its field is labelled. */
  label: string;
}

/** Asks several passwords at once: one for each, or the same for all, as the user chooses. */
export function SecretsDialog(props: {
  title: string;
  /** What they are needed for. */
  children: ReactNode;
  asked: readonly Asked[];
  keep: (id: string, secret: string) => Promise<unknown>;
  onClose: () => void;
  onKept: () => void;
}): ReactNode {
  const { asked } = props;
  const [same, setSame] = useState(asked.length > 1);
  const [secrets, setSecrets] = useState<Readonly<Record<string, string>>>({});
  const first = asked[0]?.id ?? '';
  const secretOf = (id: string) => secrets[same ? first : id] ?? '';
  const fields = same ? asked.slice(0, 1) : asked;

  async function keep(): Promise<void> {
    for (const { id } of asked) await props.keep(id, secretOf(id));
  }

  return (
    <SecretForm
      title={props.title}
      intro={props.children}
      complete={asked.every(({ id }) => secretOf(id) !== '')}
      keep={keep}
      onClose={props.onClose}
      onKept={props.onKept}
    >
      {asked.length > 1 && (
        <Checkbox
          label={`The same for all ${asked.length}`}
          checked={same}
          onChange={(event) => setSame(event.currentTarget.checked)}
        />
      )}
      {fields.map(({ id, label }, i) => (
        <SecretField
          key={id}
          label={same && asked.length > 1 ? 'Password for all' : label}
          value={secrets[id] ?? ''}
          first={i === 0}
          onValue={(value) => setSecrets({ ...secrets, [id]: value })}
        />
      ))}
    </SecretForm>
  );
}
