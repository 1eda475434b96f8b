import {
  ActionIcon,
  Button,
  FileButton,
  Group,
  Input,
  NativeSelect,
  Textarea,
  TextInput,
} from '@mantine/core';
import { IconFile, IconPlus, IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { toastError } from '../components/toasts.tsx';
import classes from './Form.module.css';
import type { FieldProps } from './fieldProps.ts';
import { freshName, type ScriptDraft, scriptsOf, scriptsValue } from './scripts.ts';
import { effective, fromText, toText } from './values.ts';

/** What the select has for a script that is not built in. */
const own = 'own';

/** A list of pgbench's scripts, each built in or with a text of its own; weights where there are several. */
export function ScriptsControl(props: FieldProps): ReactNode {
  const { field, values, error, onChange, onLeave } = props;
  const scripts = scriptsOf(effective(field, values));
  // A script has no other identity than its place; its row keeps nothing to itself.
  const rows = scripts.map((script, index) => ({ script, index, number: index + 1 }));
  const set = (next: readonly ScriptDraft[]) => onChange(scriptsValue(next));
  const change = (index: number, script: ScriptDraft) =>
    set(scripts.map((old, at) => (at === index ? script : old)));

  function handleFile(file: File | null): void {
    if (file === null) return;
    file.text().then((text) => set([...scripts, { name: file.name, text, weight: 1 }]), toastError);
  }

  return (
    <Input.Wrapper label={field.label} description={field.help} error={error} labelElement="div">
      <ul className={classes.scripts} onBlur={onLeave}>
        {rows.map(({ script, index, number }) => (
          <ScriptRow
            key={number}
            number={number}
            script={script}
            options={field.options}
            weighted={scripts.length > 1 || script.weight !== 1}
            removable={scripts.length > 1}
            onKind={(kind) =>
              change(
                index,
                kind === own
                  ? { name: freshName(scripts), text: '', weight: script.weight }
                  : { builtin: kind, weight: script.weight },
              )
            }
            onChange={(next) => change(index, next)}
            onRemove={() => set(scripts.filter((_, at) => at !== index))}
          />
        ))}
      </ul>
      <Group gap={8} mt={8}>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => set([...scripts, { builtin: field.options[0]?.value ?? '', weight: 1 }])}
        >
          Add a script
        </Button>
        <FileButton onChange={handleFile}>
          {(button) => (
            <Button {...button} variant="default" size="xs" leftSection={<IconFile size={14} aria-hidden />}>
              Add from a file
            </Button>
          )}
        </FileButton>
      </Group>
    </Input.Wrapper>
  );
}

function ScriptRow(props: {
  number: number;
  script: ScriptDraft;
  options: FieldProps['field']['options'];
  weighted: boolean;
  removable: boolean;
  onKind: (kind: string) => void;
  onChange: (script: ScriptDraft) => void;
  onRemove: () => void;
}): ReactNode {
  const { number, script, options, onChange } = props;
  const kind = 'text' in script ? own : script.builtin;
  const known = [
    ...options.map(({ value, label }) => ({ value, label })),
    { value: own, label: 'A script of your own' },
  ];
  const help = options.find(({ value }) => value === kind)?.help;
  return (
    <li className={classes.script}>
      <div className={classes.scriptHead}>
        <NativeSelect
          aria-label={`Script ${number}`}
          className={classes.scriptKind}
          value={kind}
          data={known.some(({ value }) => value === kind) ? known : [{ value: kind, label: kind }, ...known]}
          onChange={(event) => props.onKind(event.currentTarget.value)}
          {...(help ? { description: help, inputWrapperOrder: ['input', 'description'] as const } : {})}
        />
        {'text' in script && (
          <TextInput
            aria-label={`Name of script ${number}`}
            className={classes.scriptName}
            value={script.name}
            onChange={(event) => onChange({ ...script, name: event.currentTarget.value })}
          />
        )}
        {props.weighted && (
          <TextInput
            aria-label={`Weight of script ${number}`}
            className={classes.scriptWeight}
            inputMode="numeric"
            leftSection={<span className={classes.scriptWeightWord}>weight</span>}
            leftSectionWidth={56}
            value={toText(script.weight)}
            onChange={(event) =>
              onChange({ ...script, weight: fromText(weightField, event.currentTarget.value) ?? '' })
            }
          />
        )}
        {props.removable && (
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={`Remove script ${number}`}
            onClick={props.onRemove}
          >
            <IconTrash size={16} aria-hidden />
          </ActionIcon>
        )}
      </div>
      {'text' in script && (
        <Textarea
          aria-label={`Text of script ${number}`}
          autosize
          minRows={4}
          maxRows={20}
          classNames={{ input: 'mono' }}
          spellCheck={false}
          placeholder={
            '\\set aid random(1, 100000 * :scale)\nSELECT abalance FROM pgbench_accounts WHERE aid = :aid;'
          }
          value={script.text}
          onChange={(event) => onChange({ ...script, text: event.currentTarget.value })}
        />
      )}
    </li>
  );
}

const weightField = { kind: 'integer' } as const;
