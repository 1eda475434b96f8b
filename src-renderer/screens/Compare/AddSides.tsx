import { Button, Group, Modal, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { RunHead } from '../../../src-shared/model/run.ts';
import { mostSides } from '../../../src-shared/model/sideKey.ts';
import { numberWord } from '../../../src-shared/stats/words.ts';
import { RunList } from '../Runs/RunList.tsx';
import { useChosenSides } from './SidePicker.tsx';

/** More runs or groups beside those that are there. */
export function AddSides(props: {
  present: readonly string[];
  onAdd: (keys: readonly string[]) => void;
  onClose: () => void;
}): ReactNode {
  const { present } = props;
  const [chosen, setChosen] = useState<readonly RunHead[]>([]);
  const added = useChosenSides(chosen).filter((key) => !present.includes(key));
  const room = mostSides - present.length;
  return (
    <Modal opened onClose={props.onClose} title="Add runs or groups" size="min(1200px, 95vw)">
      <RunList chosen={chosen} onChoose={setChosen} beside={present} />
      <Group justify="flex-end" gap={12} mt={16}>
        {added.length > room && (
          <Text size="sm" c="var(--bad)">
            There is room for {numberWord(room)} more.
          </Text>
        )}
        <Button variant="default" onClick={props.onClose}>
          Cancel
        </Button>
        <Button disabled={added.length === 0 || added.length > room} onClick={() => props.onAdd(added)}>
          {added.length === 0 ? 'Add' : `Add ${numberWord(added.length)}`}
        </Button>
      </Group>
    </Modal>
  );
}
