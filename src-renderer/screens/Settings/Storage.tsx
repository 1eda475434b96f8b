import { Button, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { formatBytes, formatCounted } from '../../../src-shared/units.ts';
import { useCommand } from '../../api.tsx';
import { ThinDialog } from './ThinDialog.tsx';

/** What the runs take on the disk, and the way to make it less. */
export function Storage(): ReactNode {
  const storage = useCommand('storage.get', { olderThanDays: 0 }).data;
  const [thinning, setThinning] = useState(false);
  if (storage === undefined) return <Text c="dimmed">…</Text>;
  const { ids, bytes } = storage.thinnable;
  return (
    <>
      <Text mb={8}>
        {formatBytes(storage.fileBytes)} for {formatCounted(storage.runs, 'run')}
        {ids.length > 0 && `, ${formatBytes(bytes)} of it single seconds`}
      </Text>
      <Button variant="default" disabled={ids.length === 0} onClick={() => setThinning(true)}>
        Thin old runs
      </Button>
      {thinning && <ThinDialog onClose={() => setThinning(false)} />}
    </>
  );
}
