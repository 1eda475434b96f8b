import { Button, Menu } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconClipboardText, IconShare2 } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import type { ExportFormatInfo } from '../../src-shared/model/exchange.ts';
import { useAction, useCommand } from '../api.tsx';
import { saveFile } from './saveFile.ts';
import { toastDone, toastError } from './toasts.tsx';

/** Formats that people read; what other programs read comes below a line. */
const forPeople = ['html', 'markdown'];

/**
 * Runs as files. Of several sides only what compares them or holds them all is offered; of a run the words of a program only
 * where it has steps of it.
 * @param sides keys of runs or groups
 * @param steps ids of the steps of a single run
 */
export function ShareMenu(props: {
  sides: readonly string[];
  base?: number;
  steps?: readonly string[];
}): ReactNode {
  const { sides, steps = [] } = props;
  const formats = useCommand('exchange.formats', null).data ?? [];
  const [withNames, setWithNames] = useState(false);
  const make = useAction('exchange.export');
  const clipboard = useClipboard();
  const fitting = formats.filter(
    ({ most, workload }) =>
      (sides.length === 1 || most > 1) &&
      (workload === null || (sides.length === 1 && steps.some((id) => id.startsWith(`${workload}.`)))),
  );
  const input = (format: string) => ({ sides: [...sides], base: props.base ?? 0, format, withNames });
  const save = ({ id }: ExportFormatInfo): void =>
    make.mutate(input(id), {
      onSuccess: ({ fileName, text, mediaType }) => saveFile(fileName, text, mediaType),
      onError: toastError,
    });
  const copyMarkdown = (): void =>
    make.mutate(input('markdown'), {
      onSuccess: ({ text }) => {
        clipboard.copy(text);
        toastDone('Copied as Markdown');
      },
      onError: toastError,
    });
  const item = (format: ExportFormatInfo): ReactNode => (
    <Menu.Item key={format.id} title={format.description} onClick={() => save(format)}>
      {format.label}
    </Menu.Item>
  );
  return (
    <Menu position="bottom-end" width={280}>
      <Menu.Target>
        <Button
          variant="default"
          leftSection={<IconShare2 size={16} aria-hidden />}
          loading={make.isPending}
          disabled={formats.length === 0}
        >
          Share
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah="70vh" style={{ overflowY: 'auto' }}>
        {fitting.filter(({ id }) => forPeople.includes(id)).map(item)}
        <Menu.Item leftSection={<IconClipboardText size={14} aria-hidden />} onClick={copyMarkdown}>
          Copy as Markdown
        </Menu.Item>
        <Menu.Divider />
        {fitting.filter(({ id }) => !forPeople.includes(id)).map(item)}
        <Menu.Divider />
        <Menu.CheckboxItem
          checked={withNames}
          onChange={setWithNames}
          closeMenuOnClick={false}
          title="Else the user’s name, the machine’s name and folders of the user are left out; passwords always are."
        >
          With names and folders
        </Menu.CheckboxItem>
      </Menu.Dropdown>
    </Menu>
  );
}
