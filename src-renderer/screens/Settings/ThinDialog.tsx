import { Button, Group, List, Modal, Progress, Select, Stack, Text } from '@mantine/core';
import { type ReactNode, useRef, useState } from 'react';
import { type AppError, toAppError } from '../../../src-shared/errors.ts';
import { formatBytes, formatCount, formatCounted } from '../../../src-shared/units.ts';
import { useApi, useCommand } from '../../api.tsx';
import { ErrorPanel } from '../../components/ErrorPanel.tsx';
import { toastDone } from '../../components/toasts.tsx';

const ages = [
  { value: '365', label: 'older than a year' },
  { value: '90', label: 'older than 90 days' },
  { value: '30', label: 'older than 30 days' },
  { value: '0', label: 'all that have ended' },
];

type Work = { done: number; of: number } | null;

/** Says what will be lost, then joins the seconds of old runs, run by run; it can be stopped between two of them. */
export function ThinDialog(props: { onClose: () => void }): ReactNode {
  const { onClose } = props;
  const api = useApi();
  const [age, setAge] = useState('90');
  const storage = useCommand('storage.get', { olderThanDays: Number(age) }, { keepPrevious: true });
  const [work, setWork] = useState<Work>(null);
  const [error, setError] = useState<AppError | null>(null);
  const stopped = useRef(false);
  const { ids = [], seconds = 0, bytes = 0 } = storage.data?.thinnable ?? {};
  const runs = formatCounted(ids.length, 'run');

  async function thin(): Promise<void> {
    stopped.current = false;
    setError(null);
    let thinned = 0;
    try {
      for (const [i, id] of ids.entries()) {
        if (stopped.current) break;
        setWork({ done: i, of: ids.length });
        if (await api.call('storage.thin', { id })) thinned += 1;
      }
      setWork({ done: ids.length, of: ids.length });
      const left = await api.call('storage.compact', null);
      const freed = (storage.data?.fileBytes ?? left) - left;
      toastDone(`${formatCounted(thinned, 'run')} thinned, ${formatBytes(Math.max(0, freed))} freed`);
      onClose();
    } catch (thrown) {
      setError(toAppError(thrown));
      setWork(null);
    }
  }

  return (
    <Modal opened onClose={() => work === null && onClose()} title="Thin old runs" size="lg">
      <Stack gap={16}>
        <Select
          label="Which"
          data={ages}
          value={age}
          onChange={(value) => setAge(value ?? '90')}
          allowDeselect={false}
          disabled={work !== null}
          w={240}
        />
        <Text size="sm">
          {ids.length === 0
            ? 'There is no such run, or all of them are thinned already.'
            : `${runs} with ${formatCount(seconds)} single seconds, ${formatBytes(bytes)}. Ten seconds each become one interval.`}
        </Text>
        <div>
          <Text size="sm" fw={600}>
            Lost for good
          </Text>
          <List size="sm">
            <List.Item>
              What happened within ten seconds: charts and CSV have a point every ten seconds.
            </List.Item>
            <List.Item>
              The change within a single run is known less well, since it is told from the seconds.
            </List.Item>
          </List>
          <Text size="sm" fw={600} mt={8}>
            Kept
          </Text>
          <List size="sm">
            <List.Item>
              Every total, verdict and percentile: histograms are merged, nothing is averaged.
            </List.Item>
            <List.Item>What was sampled of hosts and servers, events, notes and set-ups.</List.Item>
          </List>
        </div>
        {error !== null && <ErrorPanel error={error} />}
        {work !== null && (
          <div>
            <Progress value={(work.done / Math.max(1, work.of)) * 100} aria-label="How far it is" />
            <Text size="sm" className="num" mt={4}>
              {work.done < work.of
                ? `${formatCount(work.done)} of ${formatCount(work.of)} runs`
                : 'Giving the room back to the disk'}
            </Text>
          </div>
        )}
        <Group justify="flex-end" gap={8}>
          {work === null ? (
            <>
              <Button variant="default" onClick={onClose}>
                Keep all seconds
              </Button>
              <Button disabled={ids.length === 0} onClick={() => void thin()}>
                Thin {runs}
              </Button>
            </>
          ) : (
            <Button
              variant="default"
              onClick={() => {
                stopped.current = true;
              }}
            >
              Stop after this run
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  );
}
