import { Button, FileButton, Group, Modal, Stack, Textarea } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconFile } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useLocation } from 'wouter';
import type { CommandLinePlan } from '../../../src-shared/contract/commands.ts';
import { useAction, useCommand } from '../../api.tsx';
import { ErrorPanel } from '../../components/ErrorPanel.tsx';
import { toastDone, toastError } from '../../components/toasts.tsx';
import { paths } from '../../routes.ts';
import { LeftOutList, PlanPreview } from './ReadPlan.tsx';

/** How long nothing is typed before it is read, ms. */
const pause = 200;

/** Pasted command lines of TSBS, pgbench or sysbench as a plan: what it will do, and what of it is left out, before it is one. */
export function CommandLineDialog(props: { opened: boolean; onClose: () => void }): ReactNode {
  const [, navigate] = useLocation();
  const [text, setText] = useState('');
  const [files, setFiles] = useState<Readonly<Record<string, string>>>({});
  const [settled] = useDebouncedValue(text.trim(), pause);
  const read = useCommand(
    'plans.fromCommandLine',
    { text: settled, files: { ...files } },
    { enabled: settled !== '', keepPrevious: true },
  );
  const save = useAction('plans.save');
  const isRead = settled !== '' && settled === text.trim() && read.isSuccess && !read.isPlaceholderData;
  const error = settled === '' ? null : (read.error ?? save.error);

  function handleFile(name: string, file: File | null): void {
    file?.text().then((content) => setFiles((old) => ({ ...old, [name]: content })), toastError);
  }

  function handleMake(): void {
    if (!read.data) return;
    const { plan } = read.data;
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

  return (
    <Modal opened={props.opened} onClose={props.onClose} title="Plan from a command line" size="lg">
      <Stack gap={16}>
        <Textarea
          label="Command line of TSBS, pgbench or sysbench"
          description="As it is typed into a shell, with quotes and variables before it; several lines become several steps."
          placeholder="pgbench -c 10 -j 2 -T 3600 -P 60 bench_test"
          rows={5}
          classNames={{ input: 'mono' }}
          spellCheck={false}
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value);
            save.reset();
          }}
          data-autofocus
        />
        {error !== null && <ErrorPanel error={error} />}
        {settled !== '' && read.data && error === null && <Outcome read={read.data} onFile={handleFile} />}
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={props.onClose}>
            Cancel
          </Button>
          <Button disabled={!isRead} loading={save.isPending} onClick={handleMake}>
            Make a plan
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

function Outcome(props: {
  read: CommandLinePlan;
  onFile: (name: string, file: File | null) => void;
}): ReactNode {
  const { plan, serverNamed, leftOut, missingFiles } = props.read;
  return (
    <Stack gap={8} aria-live="polite">
      <PlanPreview plan={plan} serverNamed={serverNamed} />
      <LeftOutList leftOut={leftOut} />
      {missingFiles.map((name) => (
        <FileButton key={name} onChange={(file) => props.onFile(name, file)}>
          {(button) => (
            <Button
              {...button}
              variant="default"
              style={{ alignSelf: 'flex-start' }}
              leftSection={<IconFile size={16} aria-hidden />}
            >
              Choose {name}
            </Button>
          )}
        </FileButton>
      ))}
    </Stack>
  );
}
