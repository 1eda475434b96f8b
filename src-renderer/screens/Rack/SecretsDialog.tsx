import { Button, Checkbox, Group, Modal, PasswordInput, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { type AppError, toAppError } from '../../../src-shared/errors.ts';
import { useCommand } from '../../api.tsx';
import { ErrorPanel } from '../../components/ErrorPanel.tsx';

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
  const kept = useCommand('app.info', null).data?.secrets;
  const [same, setSame] = useState(asked.length > 1);
  const [secrets, setSecrets] = useState<Readonly<Record<string, string>>>({});
  const [error, setError] = useState<AppError | null>(null);
  const [pending, setPending] = useState(false);
  const first = asked[0]?.id ?? '';
  const secretOf = (id: string) => secrets[same ? first : id] ?? '';
  const fields = same ? asked.slice(0, 1) : asked;

  async function handleSubmit(): Promise<void> {
    setPending(true);
    try {
      for (const { id } of asked) await props.keep(id, secretOf(id));
      props.onKept();
    } catch (thrown) {
      setError(toAppError(thrown));
      setPending(false);
    }
  }

  return (
    <Modal opened onClose={props.onClose} title={props.title}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void handleSubmit();
        }}
      >
        <Stack gap={16}>
          <Text size="sm">{props.children}</Text>
          {asked.length > 1 && (
            <Checkbox
              label={`The same for all ${asked.length}`}
              checked={same}
              onChange={(event) => setSame(event.currentTarget.checked)}
            />
          )}
          {fields.map(({ id, label }, i) => (
            <PasswordInput
              key={id}
              label={same && asked.length > 1 ? 'Password for all' : label}
              description={i === 0 ? kept?.detail : undefined}
              value={secrets[id] ?? ''}
              autoComplete="off"
              onChange={(event) => setSecrets({ ...secrets, [id]: event.currentTarget.value })}
              visibilityToggleButtonProps={{ 'aria-label': 'Show it' }}
              {...(i === 0 && { 'data-autofocus': true })}
            />
          ))}
          {error !== null && <ErrorPanel error={error} />}
          <Group justify="flex-end" gap={8}>
            <Button variant="default" onClick={props.onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={pending} disabled={asked.some(({ id }) => secretOf(id) === '')}>
              Go on
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
