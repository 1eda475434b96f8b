import { NativeSelect, PasswordInput, Switch, Text, TextInput, UnstyledButton } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { FormField } from '../../src-shared/model/form.ts';
import { ChoicesControl } from './ChoicesControl.tsx';
import { DataFileControl } from './DataFileControl.tsx';
import classes from './Form.module.css';
import type { FieldProps } from './fieldProps.ts';
import { HelpText } from './HelpText.tsx';
import { ScriptsControl } from './ScriptsControl.tsx';
import { scriptsOf } from './scripts.ts';
import { differs, effective, fromText, type Json, shownText, toText } from './values.ts';

const wideKinds: ReadonlySet<FormField['kind']> = new Set(['choices', 'scripts', 'data-file']);

/** The control that fits the field's kind, with its help, unit, problem, and a way back to the default. */
export function FieldControl(props: FieldProps): ReactNode {
  const { field, values } = props;
  // A secret has no default to go back to.
  const changed = props.showChanges && field.kind !== 'secret' && differs(field, values);
  return (
    <div
      className={classes.field}
      data-changed={changed || undefined}
      data-wide={wideKinds.has(field.kind) || undefined}
      data-field={field.key}
    >
      <Control {...props} />
      {changed && field.default !== null && field.kind !== 'data-file' && (
        <Text size="xs" c="dimmed" mt={4}>
          Default {describeDefault(field)}{' '}
          <UnstyledButton
            className={classes.reset}
            aria-label={`Set ${field.label} back to its default`}
            onClick={() => props.onChange(undefined)}
          >
            set back
          </UnstyledButton>
        </Text>
      )}
    </div>
  );
}

function Control(props: FieldProps): ReactNode {
  const { field, values, error, onChange, onLeave } = props;
  const value = effective(field, values);
  const common = { label: field.label, description: <HelpText text={field.help} />, error, onBlur: onLeave };
  switch (field.kind) {
    case 'boolean':
      return (
        <Switch {...common} checked={value === true} onChange={(e) => onChange(e.currentTarget.checked)} />
      );
    case 'choice':
      return (
        <NativeSelect
          {...common}
          value={toText(value)}
          data={choices(field, value)}
          onChange={(event) =>
            onChange(event.currentTarget.value === '' ? undefined : event.currentTarget.value)
          }
          inputContainer={(input) => (
            <>
              {input}
              <OptionHelp field={field} value={value} />
            </>
          )}
        />
      );
    case 'choices':
      return <ChoicesControl {...props} />;
    case 'scripts':
      return <ScriptsControl {...props} />;
    case 'data-file':
      return <DataFileControl {...props} />;
    default:
      return <TextControl {...props} />;
  }
}

/**
 * A text stays as it is typed while the control has the focus; afterwards it shows the value that counts, which is the
 * default where nothing was typed.
 */
function TextControl(props: FieldProps): ReactNode {
  const { field, values, error, onChange, onLeave } = props;
  const [typing, setTyping] = useState<string | null>(null);
  const isNumber = field.kind === 'integer' || field.kind === 'number';
  const Input = field.kind === 'secret' ? PasswordInput : TextInput;
  return (
    <Input
      label={field.label}
      description={<HelpText text={field.help} />}
      error={error}
      aria-invalid={error !== undefined || undefined}
      withAsterisk={field.required && field.default === null}
      placeholder={placeholder(field)}
      value={typing ?? shownText(field, effective(field, values))}
      inputMode={
        isNumber && props.lists !== true ? (field.kind === 'integer' ? 'numeric' : 'decimal') : undefined
      }
      autoComplete="off"
      spellCheck={false}
      rightSection={
        field.unit === null || field.kind === 'secret' ? undefined : (
          <span className={classes.unit}>{field.unit}</span>
        )
      }
      rightSectionWidth={field.unit === null ? undefined : 72}
      onChange={(event) => {
        setTyping(event.currentTarget.value);
        onChange(fromText(field, event.currentTarget.value, props.lists));
      }}
      onBlur={() => {
        setTyping(null);
        onLeave();
      }}
    />
  );
}

/** What an empty control stands for. */
function placeholder(field: FormField): string | undefined {
  if (field.generated) return 'One is made';
  return field.default === null && !field.required ? 'Left out' : undefined;
}

function OptionHelp(props: { field: FormField; value: Json }): ReactNode {
  const help = props.field.options.find((option) => option.value === props.value)?.help;
  if (help === undefined || help === null) return null;
  return (
    <Text size="xs" c="dimmed" mt={4}>
      {sentence(help)}
    </Text>
  );
}

/** It follows a label and a colon where labels are listed; here it stands alone, above the field's own description. */
function sentence(help: string): string {
  return help.charAt(0).toUpperCase() + help.slice(1) + (/[.!?…]$/.test(help) ? '' : '.');
}

/** The options; a value that is none of them (from a file) stays visible, nothing is chosen in silence. */
function choices(field: FormField, value: Json): { value: string; label: string }[] {
  const known = field.options.map(({ value: option, label }) => ({ value: option, label }));
  const text = toText(value);
  if (field.default === null && !field.required) known.unshift({ value: '', label: 'Left out' });
  return known.some((option) => option.value === text)
    ? known
    : [{ value: text, label: text === '' ? 'Choose' : text }, ...known];
}

function describeDefault(field: FormField): string {
  if (typeof field.default === 'boolean') return field.default ? 'on' : 'off';
  if (field.kind === 'scripts') {
    return scriptsOf(field.default)
      .map((script) => ('text' in script ? script.name : script.builtin))
      .join(', ');
  }
  if (Array.isArray(field.default)) {
    return field.default.length === field.options.length
      ? 'all'
      : field.default.map(toText).join(', ') || 'none';
  }
  const label = field.options.find((option) => option.value === field.default)?.label;
  return label ?? (shownText(field, field.default) || 'empty');
}
