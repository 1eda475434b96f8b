import { Button, FileButton, Group, Modal, Stack, Text, Textarea } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconFile } from '@tabler/icons-react';
import { type DragEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { toAppError } from '../../../src-shared/errors.ts';
import type { Plan } from '../../../src-shared/model/plan.ts';
import { isTsbsConfig } from '../../../src-shared/tsbsConfig.ts';
import { useAction, useCommand } from '../../api.tsx';
import { ErrorPanel } from '../../components/ErrorPanel.tsx';
import { toastDone, toastError } from '../../components/toasts.tsx';
import { paths } from '../../routes.ts';
import { droppedFile, useDroppedFile } from '../../state/droppedFile.ts';
import { ConfigOutcome, corrected } from './ConfigOutcome.tsx';
import { offsetOf } from './offsetOf.ts';

/** How long nothing is typed before a configuration is read, ms. */
const pause = 200;

/**
 * A plan from a file that is dropped or chosen, or from pasted text; what is wrong is shown with line and column. Of a
 * configuration of `tsbs_load` it is shown first what of it is taken over.
 */
export function ImportDialog(props: { opened: boolean; onClose: () => void }): ReactNode {
  const [, navigate] = useLocation();
  const [text, setText] = useState('');
  const [fileName, setFileName] = useState<string | null>(null);
  const area = useRef<HTMLTextAreaElement>(null);
  const parse = useAction('plans.parse');
  const save = useAction('plans.save');
  const [settled] = useDebouncedValue(text, pause);
  const isConfig = isTsbsConfig(text);
  const config = useCommand(
    'plans.fromTsbsConfig',
    { text: settled, fileName },
    { enabled: isConfig && settled === text, keepPrevious: true },
  );
  const error = parse.error ?? save.error ?? (isConfig ? config.error : null);
  const isRead = isConfig && settled === text && config.isSuccess && !config.isPlaceholderData;
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

  const dropped = useDroppedFile('plan');
  useEffect(() => {
    if (dropped === null) return;
    handleText(dropped.text, dropped.name);
    droppedFile.done();
  });

  function handleImport(): void {
    if (isConfig && config.data) keep(config.data.plan);
    else parse.mutate({ text, fileName }, { onSuccess: keep });
  }

  function keep(plan: Plan): void {
    save.mutate(
      { id: null, plan },
      {
        onSuccess: ({ id }) => {
          toastDone(`${plan.name} is saved among your plans`);
          props.onClose();
          navigate(paths.plan(id));
        },
      },
    );
  }

  /** Puts the cursor where the reader of the file stumbled. */
  function showPlace(line = place?.line ?? 1, column = place?.column ?? 1): void {
    const offset = offsetOf(text, line, column);
    area.current?.focus();
    area.current?.setSelectionRange(offset, offset);
  }

  return (
    <Modal opened={props.opened} onClose={props.onClose} title="Import a plan" size={isConfig ? 'xl' : 'lg'}>
      <Stack gap={16} onDrop={handleDrop} onDragOver={(event) => event.preventDefault()}>
        <Group justify="space-between" wrap="nowrap">
          <Text size="sm" c="dimmed">
            Drop a YAML file here, choose one, or paste its text: a plan, or a configuration of tsbs_load.
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
          label={`${isConfig ? 'Configuration of tsbs_load' : 'Plan as YAML'}${fileName === null ? '' : `, from ${fileName}`}`}
          // What a configuration comes to is below it, and is to be seen.
          rows={isConfig ? 8 : 14}
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
                : { label: `Go to line ${place.line}`, onClick: () => showPlace() }
            }
          />
        )}
        {isConfig && config.data && error === null && (
          <ConfigOutcome
            read={config.data}
            onGo={showPlace}
            onCorrect={(mistakes) => handleText(corrected(text, mistakes), fileName)}
          />
        )}
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={props.onClose}>
            Cancel
          </Button>
          <Button
            disabled={text.trim() === '' || (isConfig && !isRead)}
            loading={parse.isPending || save.isPending}
            onClick={handleImport}
          >
            {isConfig ? 'Make a plan' : 'Import'}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
