import { Box, Button, FileButton, Loader, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconFile } from '@tabler/icons-react';
import { type DragEvent, type ReactNode, useState } from 'react';
import type { DataFile } from '../../src-shared/model/dataFile.ts';
import { formatBytes, formatCount, formatCounted } from '../../src-shared/units.ts';
import { useCommand } from '../api.tsx';
import { toastError } from '../components/toasts.tsx';
import { pathOf } from '../state/pathOf.ts';
import classes from './Form.module.css';
import type { FieldProps } from './fieldProps.ts';
import { HelpText } from './HelpText.tsx';
import { effective, fromText, toText } from './values.ts';

/** How long nothing is typed before the file is looked at, ms. */
const pause = 400;

/** The path of a data file: typed, chosen or dropped; below it what the file seems to be. */
export function DataFileControl(props: FieldProps): ReactNode {
  const { field, values, error, onChange, onLeave } = props;
  const [over, setOver] = useState(false);
  const path = toText(effective(field, values));
  const [settled] = useDebouncedValue(path, pause);

  function take(file: File | null | undefined): void {
    if (!file) return;
    const found = pathOf(file);
    if (found.error === null) onChange(found.path);
    else toastError(found.error);
  }

  function handleDrop(event: DragEvent): void {
    setOver(false);
    const [file] = event.dataTransfer.files;
    if (file === undefined) return;
    event.preventDefault();
    take(file);
  }

  return (
    <Box
      className={classes.dataFile}
      data-over={over || undefined}
      onDrop={handleDrop}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
    >
      <TextInput
        label={field.label}
        description={<HelpText text={field.help} />}
        error={error}
        aria-invalid={error !== undefined || undefined}
        withAsterisk
        value={path}
        placeholder="Whole path of the file"
        autoComplete="off"
        spellCheck={false}
        inputContainer={(input) => (
          <div className={classes.dataFilePath}>
            {input}
            {window.benchberry !== undefined && <Choose onChoose={take} />}
          </div>
        )}
        onChange={(event) => onChange(fromText(field, event.currentTarget.value))}
        onBlur={onLeave}
      />
      {settled !== '' && <Found path={settled} />}
    </Box>
  );
}

function Choose(props: { onChoose: (file: File | null) => void }): ReactNode {
  return (
    <FileButton onChange={props.onChoose}>
      {(button) => (
        <Button {...button} variant="default" leftSection={<IconFile size={16} aria-hidden />}>
          Choose
        </Button>
      )}
    </FileButton>
  );
}

/** What the file seems to be, in one line; or why it cannot be loaded. */
function Found(props: { path: string }): ReactNode {
  const query = useCommand('files.inspect', { path: props.path });
  if (query.isPending)
    return (
      <Text size="sm" c="dimmed" mt={8} role="status">
        <Loader size={12} mr={8} />
        Looking at the file
      </Text>
    );
  if (query.isError)
    return (
      <Text size="sm" c="var(--bad)" mt={8} role="status">
        {[query.error.message, query.error.hint].filter(Boolean).join('. ')}
      </Text>
    );
  const { flaw } = query.data;
  return (
    <div role="status">
      <Text size="sm" mt={8} className="num">
        {seemingly(query.data)}
      </Text>
      {flaw !== null && (
        <Text size="sm" c="var(--bad)" mt={4}>
          {[flaw.message, flaw.hint].filter(Boolean).join('. ')}
        </Text>
      )}
    </div>
  );
}

const formats = { timescaledb: 'TimescaleDB format', influx: 'QuestDB and InfluxDB format' } as const;

function seemingly({
  format,
  compression,
  bytes,
  useCase,
  tables,
  devices,
  rows,
  firstTime,
}: DataFile): string {
  const size = compression === 'none' ? formatBytes(bytes) : `${formatBytes(bytes)} with ${compression}`;
  const names = tables.map(({ name }) => name).join(', ');
  return [
    useCase ?? 'None of TSBS’s use cases',
    formats[format],
    size,
    `${rows.exact ? '' : 'about '}${formatCount(rows.count)} rows`,
    `${formatCounted(tables.length, 'table')} (${names})`,
    `${devices.atLeast ? 'at least ' : ''}${formatCounted(devices.count, useCase === 'iot' ? 'truck' : 'host')}`,
    ...(firstTime === null ? [] : [`from ${firstTime}`]),
  ].join(' · ');
}
