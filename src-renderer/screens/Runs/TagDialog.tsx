import { Button, Group, Modal, Stack, TagsInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { RunHead } from '../../../src-shared/model/run.ts';
import { formatCounted } from '../../../src-shared/units.ts';
import { useAction, useApi, useCommand } from '../../api.tsx';
import { ErrorPanel } from '../../components/ErrorPanel.tsx';
import { toastUndo } from '../../components/toasts.tsx';

/** Adds tags to several runs, or takes some off. */
export function TagDialog(props: { heads: readonly RunHead[]; onClose: () => void }): ReactNode {
  const { heads, onClose } = props;
  const api = useApi();
  const [add, setAdd] = useState<string[]>([]);
  const [remove, setRemove] = useState<string[]>([]);
  const known = useCommand('runs.facets', {}).data?.facets ?? [];
  const worn = [...new Set(heads.flatMap(({ tags }) => tags))].sort();
  const tag = useAction('runs.tag');
  const runs = formatCounted(heads.length, 'run');
  const ids = heads.map(({ id }) => id);
  return (
    <Modal opened onClose={onClose} title={`Tags of ${runs}`}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          tag.mutate(
            { ids, add, remove },
            {
              onSuccess: (changed) => {
                onClose();
                if (changed.length === 0) return;
                // What a run wore before is put back as it was.
                const before = heads.filter(({ id }) => changed.includes(id));
                toastUndo(`Tags of ${formatCounted(changed.length, 'run')} changed`, () =>
                  Promise.all(before.map(({ id, tags }) => api.call('runs.update', { id, tags }))),
                );
              },
            },
          );
        }}
      >
        <Stack gap={16}>
          <TagsInput
            label="Add"
            description="Type a tag and press Enter."
            value={add}
            onChange={setAdd}
            data={known.filter(({ key }) => key === 'tag').map(({ value }) => value)}
            maxTags={20}
            acceptValueOnBlur
            data-autofocus
          />
          {worn.length > 0 && (
            <TagsInput
              label="Take off"
              value={remove}
              onChange={(tags) => setRemove(tags.filter((each) => worn.includes(each)))}
              data={worn}
            />
          )}
          {tag.error !== null && <ErrorPanel error={tag.error} />}
          <Group justify="flex-end" gap={8}>
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" disabled={add.length + remove.length === 0} loading={tag.isPending}>
              Change tags of {runs}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
