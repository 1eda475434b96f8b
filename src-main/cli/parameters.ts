import { Option } from 'commander';
import type { WorkloadInfo } from '../../src-shared/model/engine.ts';
import type { FormField } from '../../src-shared/model/form.ts';

/** `timestampStart` as a flag: `timestamp-start`, TSBS's own spelling. */
function flagName(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** A parameter as an option of the command line. Its value stays text: the parameter's own schema checks it. */
export function fieldOption(field: FormField): Option {
  const option = new Option(`--${flagName(field.key)} <${valueName(field)}>`, helpText(field));
  if (field.kind === 'choice') option.choices(field.options.map((choice) => choice.value));
  if (field.kind === 'boolean') option.choices(['true', 'false']);
  return option.makeOptionMandatory(field.required);
}

/** Every parameter of a plan's steps, as the forms show them: for `run --help`. */
export function parametersHelp(workloads: readonly WorkloadInfo[]): string {
  return workloads
    .flatMap((workload) => workload.steps)
    .map((step) => fieldsHelp(`Parameters of ${step.id}: ${step.description}`, step.fields))
    .join('\n\n');
}

/** A heading and each field with its help below. */
export function fieldsHelp(heading: string, fields: readonly FormField[]): string {
  const indent = Math.max(0, ...fields.map((field) => field.key.length)) + 4;
  const lines = fields.flatMap((field) => {
    const [first = '', ...more] = wrapped(`${helpText(field)}${choices(field)}`, helpColumns - indent);
    return [`  ${field.key.padEnd(indent - 2)}${first}`, ...more.map((line) => ' '.repeat(indent) + line)];
  });
  return [heading, ...lines].join('\n');
}

const helpColumns = 100;

/** Lines of whole words, each within the width where its words are. */
function wrapped(text: string, width: number): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? '';
    if (line === '') lines[lines.length - 1] = word;
    else if (line.length + 1 + word.length <= width) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** Flags have their choices from commander; a plan's parameters have them here. */
function choices({ kind, options }: FormField): string {
  if (kind !== 'choice' && kind !== 'choices') return '';
  return ` ${kind === 'choice' ? 'One' : 'Any'} of: ${options.map((choice) => choice.value).join(', ')}.`;
}

function valueName(field: FormField): string {
  return field.kind === 'choice' || field.kind === 'text' ? 'value' : field.kind;
}

function helpText(field: FormField): string {
  const isEmpty = field.default === null || field.default === '';
  const value = Array.isArray(field.default) ? field.default.map(itemText).join(', ') : String(field.default);
  const remarks = [field.unit, isEmpty ? null : `default ${value}`].filter(Boolean);
  return remarks.length > 0 ? `${field.help} (${remarks.join('; ')})` : field.help;
}

/** Of a list's items; pgbench's scripts go by their names. */
function itemText(item: unknown): string {
  return item instanceof Object && 'builtin' in item ? String(item.builtin) : String(item);
}

/** For an option that may be given several times. */
export const repeatable = (value: string, before: string[]): string[] => [...before, value];
