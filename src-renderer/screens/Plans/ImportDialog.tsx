import { Button, FileButton, Group, Modal, Stack, Text, Textarea } from '@mantine/core';
import { IconFile } from '@tabler/icons-react';
import { type DragEvent, type ReactNode, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { toAppError } from '../../../src-shared/errors.ts';
import { useAction } from '../../api.tsx';
import { ErrorPanel } from '../../components/ErrorPanel.tsx';
import { toastDone, toastError } from '../../components/toasts.tsx';
import { paths } from '../../routes.ts';
import { offsetOf } from './offsetOf.ts';

/** A plan from a file that is dropped or chosen, or from pasted text; what is wrong is shown with line and column. */
export function ImportDialog(props: { opened: boolean; onClose: () => void }): ReactNode {
  const [, navigate] = useLocation();
  const [text, setText] = useState('');
  const [fileName, setFileName] = useState<string | null>(null);
  const area = useRef<HTMLTextAreaElement>(null);
  const parse = useAction('plans.parse');
  const save = useAction('plans.save');
  const error = parse.error ?? save.error;
  const place = error === null ? undefined : toAppError(error).place;

  function handleText(next: string, from: string | null): void {
    setText(next);
    setFileName(from);
    parse.reset();
    save.reset();
  }

  function handleFile(file: File | null | undefined): void {
    if (!file) return;
    file.text().then((content) => handleText(content, file.name), toastError);
  }

  function handleDrop(event: DragEvent): void {
    event.preventDefault();
    handleFile(event.dataTransfer.files[0]);
  }

  function handleImport(): void {
    parse.mutate(
      { text, fileName },
      {
        onSuccess: (plan) =>
          save.mutate(
            { id: null, plan },
            {
              onSuccess: ({ id }) => {
                toastDone(`${plan.name} is saved among your plans`);
                props.onClose();
                navigate(paths.plan(id));
              },
            },
          ),
      },
    );
  }

  /** Puts the cursor where the reader of the file stumbled. */
  function showPlace(): void {
    const offset = offsetOf(text, place?.line ?? 1, place?.column ?? 1);
    area.current?.focus();
    area.current?.setSelectionRange(offset, offset);
  }

  return (
    <Modal opened={props.opened} onClose={props.onClose} title="Import a plan" size="lg">
      <Stack gap={16} onDrop={handleDrop} onDragOver={(event) => event.preventDefault()}>
        <Group justify="space-between">
          <Text size="sm" c="dimmed">
            Drop a YAML file here, choose one, or paste its text.
          </Text>
          <FileButton accept=".yaml,.yml,application/yaml,text/yaml" onChange={handleFile}>
            {(button) => (
              <Button {...button} variant="default" leftSection={<IconFile size={16} aria-hidden />}>
                Choose a file
              </Button>
            )}
          </FileButton>
        </Group>
        <Textarea
          ref={area}
          label={fileName === null ? 'Plan as YAML' : `Plan as YAML, from ${fileName}`}
          rows={14}
          classNames={{ input: 'mono' }}
          spellCheck={false}
          value={text}
          onChange={(event) => handleText(event.currentTarget.value, null)}
          data-autofocus
        />
        {error !== null && (
          <ErrorPanel
            error={error}
            next={
              place?.line === undefined
                ? undefined
                : { label: `Go to line ${place.line}`, onClick: showPlace }
            }
          />
        )}
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={props.onClose}>
            Cancel
          </Button>
          <Button
            disabled={text.trim() === ''}
            loading={parse.isPending || save.isPending}
            onClick={handleImport}
          >
            Import
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
