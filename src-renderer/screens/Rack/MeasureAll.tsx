import { Button, Group, Text } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { type AppError, toAppError } from '../../../src-shared/errors.ts';
import type { Host } from '../../../src-shared/model/host.ts';
import { useApi } from '../../api.tsx';
import { ErrorPanel } from '../../components/ErrorPanel.tsx';
import { Waiting } from '../../components/Waiting.tsx';
import { useActiveRuns } from '../../shell/useActiveRun.ts';
import { fsyncOf } from './figures.ts';
import classes from './Rack.module.css';

interface Failed {
  host: Host;
  error: AppError;
}

/** Disk, network and clock of every host: what explains a slow one. */
export function MeasureAll(props: { hosts: readonly Host[] }): ReactNode {
  const { hosts } = props;
  const api = useApi();
  const busy = useActiveRuns().length > 0;
  const [startedAt, setStartedAt] = useState<number | null>(null);
  const [failed, setFailed] = useState<readonly Failed[]>([]);
  const current = useRef<AbortController | null>(null);
  useEffect(() => () => current.current?.abort(), []);
  const known = hosts.flatMap((host) => fsyncOf(host.measured) ?? []);

  async function measure(): Promise<void> {
    const controller = new AbortController();
    current.current = controller;
    setStartedAt(Date.now());
    setFailed([]);
    const outcomes = await Promise.all(
      hosts.map((host) =>
        api.call('hosts.checks', { id: host.id }, controller.signal).then(
          () => null,
          (thrown: unknown) => ({ host, error: toAppError(thrown) }),
        ),
      ),
    );
    setStartedAt(null);
    setFailed(outcomes.filter((one) => one !== null).filter(({ error }) => error.code !== 'cancelled'));
  }

  return (
    <section className="panel" aria-label="Measured machines">
      <Group justify="space-between" wrap="nowrap" align="start">
        <div>
          <h2 className={classes.partTitle}>What can the machines do?</h2>
          <Text size="sm" c="dimmed">
            Measures disk, fsync, network and clock of each, all side by side; up to a minute. A host that is
            slower than the others is explained by these figures.
            {known.length > 0 && ` Known of ${known.length} of ${hosts.length}.`}
          </Text>
        </div>
        <Button
          variant="default"
          disabled={startedAt !== null || busy}
          title={busy ? 'A benchmark is on: measuring would disturb it.' : undefined}
          onClick={() => void measure()}
        >
          Measure all
        </Button>
      </Group>
      {startedAt !== null && (
        <Waiting
          doing={`Measuring ${hosts.length === 1 ? '1 host' : `${hosts.length} hosts`}`}
          startedAt={startedAt}
          onCancel={() => current.current?.abort()}
        />
      )}
      {failed.map(({ host, error }) => (
        <div key={host.id}>
          <Text fw={600} mt={8}>
            {host.name}
          </Text>
          <ErrorPanel error={error} />
        </div>
      ))}
    </section>
  );
}
