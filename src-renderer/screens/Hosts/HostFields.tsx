import { Button, Collapse, Input, SegmentedControl, TextInput } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { type ReactNode, useId, useState } from 'react';
import classes from '../../form/Form.module.css';
import { SecretField } from '../Targets/SecretField.tsx';
import { type Draft, type DraftField, nameOf } from './draft.ts';
import type { HostForm } from './useHostForm.ts';

const methods = [
  { value: 'password', label: 'Password' },
  { value: 'key', label: 'Key file' },
  { value: 'agent', label: 'SSH agent' },
] satisfies { value: Draft['method']; label: string }[];

const methodHelp: Record<Draft['method'], string> = {
  password: 'The password of that user on the host.',
  key: 'A private key of this computer in OpenSSH’s format.',
  agent: 'The keys that your agent holds, then the usual files in ~/.ssh.',
};

/** Where the host is, who signs in and how. */
export function HostFields(props: { form: HostForm }): ReactNode {
  const { draft, problems, set } = props.form;
  const [opened, setOpened] = useState(draft.port !== '22' || draft.group !== '');
  const foldId = useId();
  const methodId = useId();
  const shown = opened || problems.has('port') || problems.has('name');
  const text = (field: Exclude<DraftField, 'secret'>) => ({
    value: draft[field],
    error: problems.get(field),
    'aria-invalid': problems.has(field) || undefined,
    autoComplete: 'off',
    spellCheck: false,
    onBlur: () => props.form.leave(field),
  });
  return (
    <div className={classes.form}>
      <div className={classes.grid}>
        <TextInput
          {...text('address')}
          label="Address"
          description="A name on your network, an IP address, or an alias of ~/.ssh/config."
          placeholder="raspberrypi.local"
          withAsterisk
          onChange={(event) => set({ address: event.currentTarget.value, foundAs: '' })}
        />
        <TextInput
          {...text('user')}
          label="User name"
          description="Of the host. What is set up later also needs this user’s right to sudo."
          withAsterisk
          onChange={(event) => set({ user: event.currentTarget.value })}
        />
        <Input.Wrapper
          label="Way to sign in"
          labelElement="div"
          labelProps={{ id: methodId }}
          description={methodHelp[draft.method]}
        >
          <SegmentedControl
            fullWidth
            aria-labelledby={methodId}
            data={methods}
            value={draft.method}
            onChange={(value) => {
              const method = methods.find((candidate) => candidate.value === value)?.value;
              if (method !== undefined) set({ method, secret: null });
            }}
          />
        </Input.Wrapper>
        {draft.method === 'key' && (
          <TextInput
            {...text('keyFile')}
            label="Private key file"
            description="On the computer where Benchberry’s core runs."
            placeholder="~/.ssh/id_ed25519"
            withAsterisk
            onChange={(event) => set({ keyFile: event.currentTarget.value })}
          />
        )}
        {draft.method !== 'agent' && (
          <SecretField
            label={draft.method === 'key' ? 'Passphrase of the key' : 'Password'}
            value={draft.secret}
            kept={draft.keptFor === draft.method}
            error={problems.get('secret')}
            onChange={(secret) => set({ secret })}
          />
        )}
      </div>
      <div>
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          leftSection={
            shown ? <IconChevronDown size={16} aria-hidden /> : <IconChevronRight size={16} aria-hidden />
          }
          aria-expanded={shown}
          aria-controls={foldId}
          onClick={() => setOpened(!shown)}
        >
          Advanced: name, port, rack
        </Button>
        <Collapse id={foldId} expanded={shown}>
          <div className={classes.folded}>
            <div className={classes.grid}>
              <TextInput
                {...text('name')}
                label="Name"
                description="What lists and runs call it."
                placeholder={nameOf(draft) || 'The address, unless you give one'}
                onChange={(event) => set({ name: event.currentTarget.value })}
              />
              <TextInput
                {...text('port')}
                label="Port"
                description="Of the SSH server."
                inputMode="numeric"
                onChange={(event) => set({ port: event.currentTarget.value })}
              />
              <TextInput
                label="Rack"
                description="Hosts of the same rack stand together in the list."
                placeholder="Left out"
                autoComplete="off"
                value={draft.group}
                onChange={(event) => set({ group: event.currentTarget.value })}
              />
            </div>
          </div>
        </Collapse>
      </div>
    </div>
  );
}
