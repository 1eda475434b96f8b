import { Button, Loader, Text, UnstyledButton } from '@mantine/core';
import { IconCheck, IconRefresh, IconServer2 } from '@tabler/icons-react';
import { type ReactNode, useEffect } from 'react';
import type { CommandOutput } from '../../../src-shared/contract/commands.ts';
import { formatCounted } from '../../../src-shared/units.ts';
import { ErrorPanel } from '../../components/ErrorPanel.tsx';
import { useCancellable } from '../../components/useCancellable.ts';
import classes from './Hosts.module.css';

export type Found = CommandOutput<'hosts.discover'>[number];

/** What announces itself on the network, to be picked; an address can be typed all the while. */
export function Discovered(props: { chosen: string; onChoose: (found: Found) => void }): ReactNode {
  const { start, cancel, pending, data, error } = useCancellable('hosts.discover');
  useEffect(() => void start(null), [start]);
  const piesFirst = [...(data ?? [])].sort((a, b) => Number(b.looksLikePi) - Number(a.looksLikePi));
  return (
    <aside className="panel" aria-labelledby="discovered-title">
      <div className={classes.asideHead}>
        <h2 id="discovered-title" className={classes.asideTitle}>
          On this network
        </h2>
        {pending ? (
          <Button size="compact-sm" variant="subtle" color="gray" onClick={cancel}>
            Stop looking
          </Button>
        ) : (
          <Button
            size="compact-sm"
            variant="subtle"
            color="gray"
            leftSection={<IconRefresh size={14} aria-hidden />}
            onClick={() => void start(null)}
          >
            Look again
          </Button>
        )}
      </div>
      <div role="status" className={classes.looking}>
        {pending && (
          <>
            <Loader size="xs" /> Looking for hosts
          </>
        )}
        {!pending && data !== null && (
          <span className="quiet">{data.length === 0 ? 'Nothing announced itself' : foundWords(data)}</span>
        )}
      </div>
      {error !== null && <ErrorPanel error={error} />}
      {!pending && data?.length === 0 && (
        <Text size="sm" c="dimmed">
          A Pi that does not announce itself can still be there: type its name, usually raspberrypi.local, or
          the address that your router lists for it.
        </Text>
      )}
      <ul className={classes.found}>
        {piesFirst.map((found) => (
          <li key={`${found.name} ${found.address} ${found.port}`}>
            <UnstyledButton
              className={classes.foundButton}
              aria-pressed={props.chosen === found.address}
              onClick={() => props.onChoose(found)}
            >
              <IconServer2 size={18} aria-hidden />
              <span>
                <b>{found.name}</b>
                {found.looksLikePi && <span className={classes.piMark}>Raspberry Pi</span>}
                <span className={classes.foundWhere}>
                  {found.address}
                  {found.port !== 22 && `, port ${found.port}`}
                </span>
                <span className={classes.foundWhere}>{found.how}</span>
              </span>
              {props.chosen === found.address && <IconCheck size={16} aria-hidden />}
            </UnstyledButton>
          </li>
        ))}
      </ul>
    </aside>
  );
}

function foundWords(found: readonly Found[]): string {
  return `${formatCounted(found.length, 'host')} found`;
}
