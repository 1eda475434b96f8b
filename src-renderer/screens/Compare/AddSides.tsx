import { Button, Group, Modal, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { mostSides } from '../../../src-shared/model/sideKey.ts';
import { numberWord } from '../../../src-shared/stats/words.ts';
import { type ChosenSide, SideChoice } from './SideChoice.tsx';

/** More runs or groups beside those that are there. */
export function AddSides(props: {
  present: readonly string[];
  onAdd: (keys: readonly string[]) => void;
  onClose: () => void;
}): ReactNode {
  const { present } = props;
  const [chosen, setChosen] = useState<readonly ChosenSide[]>([]);
  const added = chosen.map(({ key }) => key).filter((key) => !present.includes(key));
  const room = mostSides - present.length;
  return (
    <Modal opened onClose={props.onClose} title="Add runs or groups" size="min(1200px, 95vw)">
      <SideChoice chosen={chosen} onChoose={setChosen} />
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
