import { Button, Group, Text } from '@mantine/core';
import { IconHandStop, IconKey } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { CommandOutput } from '../../../src-shared/contract/commands.ts';
import type { Host, HostKey } from '../../../src-shared/model/host.ts';
import { CopyValue } from '../../components/CopyValue.tsx';
import classes from './Hosts.module.css';

type Shown = CommandOutput<'hosts.key'>;

/** Shown once: the key by which a host is known from now on. A changed one is a hard stop. */
export function HostKeyCard(props: {
  host: Host;
  shown: Shown;
  onTrust: (key: HostKey) => void;
  onRemove: () => void;
  onRetry: () => void;
}): ReactNode {
  const { host, shown } = props;
  if (shown.standing === 'changed') return <Changed {...props} />;
  return (
    <section className={`panel ${classes.keyCard ?? ''}`} aria-labelledby="key-title">
      <Group gap={8} role="status">
        <IconKey size={20} aria-hidden />
        <h2 id="key-title" className={classes.asideTitle}>
          Is this the right host?
        </h2>
      </Group>
      <Text mt={8}>
        {host.address} shows this key. It is kept from now on: another host that pretends to be this one is
        found out.
      </Text>
      <Fingerprint hostKey={shown.key} />
      <Text size="sm" c="dimmed" mb={12}>
        To be quite sure, compare it on the host itself:{' '}
        <code className="mono">ssh-keygen -lf /etc/ssh/{fileOf(shown.key)}</code>
      </Text>
      <Group gap={8}>
        <Button onClick={() => props.onTrust(shown.key)}>Trust this key and sign in</Button>
      </Group>
    </section>
  );
}

function Changed(props: { host: Host; shown: Shown; onRemove: () => void; onRetry: () => void }): ReactNode {
  const { host, shown } = props;
  return (
    <section
      className={`panel ${classes.keyCard ?? ''} ${classes.stop ?? ''}`}
      aria-labelledby="key-title"
      role="alert"
    >
      <Group gap={8} c="var(--bad)">
        <IconHandStop size={20} aria-hidden />
        <h2 id="key-title" className={classes.asideTitle}>
          The key of {host.name} has changed: nothing was sent to it
        </h2>
      </Group>
      <dl className={classes.keys}>
        {shown.expected !== null && (
          <>
            <dt>Expected</dt>
            <dd>
              <Fingerprint hostKey={shown.expected} />
            </dd>
          </>
        )}
        <dt>{host.address} shows now</dt>
        <dd>
          <Fingerprint hostKey={shown.key} />
        </dd>
      </dl>
      <Text size="sm" mt={8} mb={12}>
        If the card was written anew, or the board was replaced, this is to be expected: remove the host and
        add it again, and take a key in known_hosts away with <code>ssh-keygen -R {host.address}</code>. If
        not, something else answers at this address.
      </Text>
      <Group gap={8}>
        <Button variant="default" onClick={props.onRetry}>
          Try again
        </Button>
        <Button variant="default" onClick={props.onRemove}>
          Remove {host.name} from the list
        </Button>
      </Group>
    </section>
  );
}

function Fingerprint(props: { hostKey: HostKey }): ReactNode {
  return (
    <div className={classes.key}>
      <Text size="xs">{props.hostKey.type}</Text>
      <CopyValue value={props.hostKey.fingerprint} label="fingerprint" />
    </div>
  );
}

/** Where OpenSSH keeps a host's key of that type. */
function fileOf({ type }: HostKey): string {
  const kind = type.includes('ed25519') ? 'ed25519' : type.includes('ecdsa') ? 'ecdsa' : 'rsa';
  return `ssh_host_${kind}_key.pub`;
}
