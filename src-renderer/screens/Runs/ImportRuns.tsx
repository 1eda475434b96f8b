import { Button, FileButton, Group, Modal, Stack, Text, Textarea } from '@mantine/core';
import { IconFile } from '@tabler/icons-react';
import { type DragEvent, type ReactNode, useCallback, useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import type { ImportedRun } from '../../../src-shared/model/exchange.ts';
import { formatCounted } from '../../../src-shared/units.ts';
import { useAction } from '../../api.tsx';
import { ErrorPanel } from '../../components/ErrorPanel.tsx';
import { toastDone, toastError } from '../../components/toasts.tsx';
import { paths } from '../../routes.ts';
import { droppedFile, useDroppedFile } from '../../state/droppedFile.ts';

interface Given {
  text: string;
  fileName: string | null;
}

/** Longer texts are named, not shown: a text field of many megabytes stands still. */
const mostShown = 100_000;

/** Runs from elsewhere: a file that is dropped or chosen, or what a program has printed. */
export function ImportRuns(props: { onClose: () => void }): ReactNode {
  const [, navigate] = useLocation();
  const [{ text, fileName }, setGiven] = useState<Given>({ text: '', fileName: null });
  const take = useAction('exchange.import');
  const { reset } = take;
  const long = text.length > mostShown;
  const handleGiven = useCallback(
    (next: Given): void => {
      setGiven(next);
      reset();
    },
    [reset],
  );
  // A file that was dropped on the window came here.
  const dropped = useDroppedFile('runs');
  useEffect(() => {
    if (dropped === null) return;
    handleGiven({ text: dropped.text, fileName: dropped.name });
    droppedFile.done();
  }, [dropped, handleGiven]);

  function handleFile(file: File | null | undefined): void {
    if (!file) return;
    file.text().then((content) => handleGiven({ text: content, fileName: file.name }), toastError);
  }

  function handleDrop(event: DragEvent): void {
    event.preventDefault();
    handleFile(event.dataTransfer.files[0]);
  }

  function handleImport(): void {
    take.mutate({ text, fileName }, { onSuccess: finish });
  }

  function finish(runs: ImportedRun[]): void {
    const [first, ...more] = runs;
    toastDone(outcome(runs));
    props.onClose();
    if (first && more.length === 0) navigate(paths.run(first.head.id));
  }

  return (
    <Modal opened onClose={props.onClose} title="Import runs" size="lg">
      <Stack gap={16} onDrop={handleDrop} onDragOver={(event) => event.preventDefault()}>
        <Group justify="space-between" wrap="nowrap" align="flex-start">
          <Text size="sm" c="dimmed">
            Drop a file here, choose one, or paste its text: runs exported as JSON, references, the results
            file of TSBS, or what pgbench or sysbench printed. What they do not tell stays empty.
          </Text>
          <FileButton accept=".json,.txt,.log,.out,application/json,text/plain" onChange={handleFile}>
            {(button) => (
              <Button
                {...button}
                variant="default"
                flex="none"
                leftSection={<IconFile size={16} aria-hidden />}
              >
                Choose a file
              </Button>
            )}
          </FileButton>
        </Group>
        <Textarea
          label={fileName === null ? 'What is to be imported' : `What is to be imported, from ${fileName}`}
          description={long ? `${formatCounted(text.length, 'character')}; the first are shown` : undefined}
          readOnly={long}
          rows={14}
          classNames={{ input: 'mono' }}
          spellCheck={false}
          value={long ? text.slice(0, 2000) : text}
          onChange={(event) => handleGiven({ text: event.currentTarget.value, fileName: null })}
          data-autofocus
        />
        {take.error !== null && <ErrorPanel error={take.error} />}
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={props.onClose}>
            Cancel
          </Button>
          <Button disabled={text.trim() === ''} loading={take.isPending} onClick={handleImport}>
            Import
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

function outcome(runs: readonly ImportedRun[]): string {
  const there = runs.filter(({ state }) => state === 'there').length;
  const taken = runs.length - there;
  if (taken === 0)
    return there === 1 ? 'This run was in the list already' : 'These runs were in the list already';
  const rest = there === 0 ? '' : `; ${formatCounted(there, 'run')} there already`;
  return `${formatCounted(taken, 'run')} imported${rest}`;
}
