import { Button, Group, PasswordInput, Text } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Provisioning, RecipeInfo } from '../../../src-shared/model/provision.ts';
import { useCommand } from '../../api.tsx';
import { ErrorPanel } from '../../components/ErrorPanel.tsx';
import classes from './Provision.module.css';
import { fieldWords } from './words.ts';

/** Passwords that were made for new databases: hidden until asked for, and copied without being seen. */
export function GeneratedPasswords(props: {
  provisioning: Provisioning;
  recipes: readonly RecipeInfo[];
}): ReactNode {
  const { provisioning, recipes } = props;
  const { id, generated, plan } = provisioning;
  const kept = useCommand('provision.generated', { id }, { enabled: generated.length > 0 });
  if (generated.length === 0) return null;
  const words = generated.length === 1 ? 'A password was' : `${generated.length} passwords were`;
  return (
    <section className="panel" aria-label="New passwords">
      <h3 className={classes.small}>{words} made</h3>
      <Text size="sm" c="dimmed" mb={8}>
        {provisioning.targetId === null
          ? 'No target came out of it: copy it, it is needed to connect.'
          : 'A target that was made signs in with it already. Copy it if anything else should connect.'}
      </Text>
      {kept.error !== null && <ErrorPanel error={kept.error} />}
      {kept.data !== undefined &&
        generated.map((field) => {
          const secret = kept.data.find((each) => each.field === field)?.secret;
          return <Password key={field} label={fieldWords(field, plan, recipes)} secret={secret ?? null} />;
        })}
    </section>
  );
}

function Password(props: { label: string; secret: string | null }): ReactNode {
  const { label, secret } = props;
  const clipboard = useClipboard({ timeout: 2000 });
  if (secret === null) {
    return (
      <Text size="sm">
        {label}: kept no longer. Plan it again with a password of your own, and the database gets that one.
      </Text>
    );
  }
  return (
    <Group gap={8} align="flex-end">
      <PasswordInput label={label} value={secret} readOnly w={320} classNames={{ innerInput: 'mono' }} />
      <Button
        variant="default"
        leftSection={
          clipboard.copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />
        }
        onClick={() => void clipboard.copy(secret)}
      >
        {clipboard.error ? 'Copy refused: show it and select it' : clipboard.copied ? 'Copied' : 'Copy'}
      </Button>
    </Group>
  );
}
