import { Button, Group, Modal, Stack, TagsInput, Textarea, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { RunHead } from '../../../src-shared/model/run.ts';
import { useAction, useCommand } from '../../api.tsx';
import { ErrorPanel } from '../../components/ErrorPanel.tsx';

const limits = { name: 200, tag: 40, tags: 20, notes: 20_000 } as const;

/** Name, tags and notes of a run, in a dialog. Tags of other runs are offered. */
export function EditRun(props: { head: RunHead; opened: boolean; onClose: () => void }): ReactNode {
  return (
    <Modal opened={props.opened} onClose={props.onClose} title="Name, tags and notes" size="lg">
      <EditForm head={props.head} onClose={props.onClose} />
    </Modal>
  );
}

function EditForm(props: { head: RunHead; onClose: () => void }): ReactNode {
  const { head, onClose } = props;
  const [name, setName] = useState(head.name);
  const [tags, setTags] = useState(head.tags);
  const [notes, setNotes] = useState(head.notes);
  const known = useCommand('runs.facets', {}).data?.facets ?? [];
  const save = useAction('runs.update');
  const trimmed = name.trim();
  const badTag = tags.find((tag) => tag.length > limits.tag);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate({ id: head.id, name: trimmed, tags, notes }, { onSuccess: onClose });
      }}
    >
      <Stack gap={16}>
        <TextInput
          label="Name"
          value={name}
          maxLength={limits.name}
          error={trimmed === '' ? 'A run needs a name' : undefined}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <TagsInput
          label="Tags"
          description={
            tags.length < limits.tags
              ? 'Type a tag and press Enter. Runs can be filtered by them.'
              : `A run has at most ${limits.tags} tags. Remove one to add another.`
          }
          value={tags}
          data={known.filter(({ key }) => key === 'tag').map(({ value }) => value)}
          maxTags={limits.tags}
          acceptValueOnBlur
          error={badTag === undefined ? undefined : `A tag has at most ${limits.tag} characters`}
          onChange={setTags}
        />
        <Textarea
          label="Notes"
          description="What was special about this run: cooling, card, network, what was tried. Markdown is shown as such."
          value={notes}
          maxLength={limits.notes}
          autosize
          minRows={4}
          maxRows={16}
          onChange={(event) => setNotes(event.currentTarget.value)}
        />
        {save.error !== null && <ErrorPanel error={save.error} />}
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" disabled={trimmed === '' || badTag !== undefined} loading={save.isPending}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
