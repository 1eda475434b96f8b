import { Option } from 'commander';
import type { WorkloadInfo } from '../../src-shared/model/engine.ts';
import type { FormField } from '../../src-shared/model/form.ts';
import { textTable } from '../reports/table.ts';

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
  const steps = workloads.flatMap((workload) => workload.steps);
  return steps
    .map((step) => {
      const rows = step.fields.map((field) => [`  ${field.key}`, helpText(field)]);
      return [`Parameters of ${step.id}: ${step.description}`, ...textTable(rows, 'll')].join('\n');
    })
    .join('\n\n');
}

function valueName(field: FormField): string {
  return field.kind === 'choice' || field.kind === 'text' ? 'value' : field.kind;
}

function helpText(field: FormField): string {
  const isEmpty = field.default === null || field.default === '';
  const value = Array.isArray(field.default) ? field.default.join(', ') : String(field.default);
  const remarks = [
    field.unit,
    field.kind === 'choices' ? `any of ${field.options.map((choice) => choice.value).join(', ')}` : null,
    isEmpty ? null : `default ${value}`,
  ].filter(Boolean);
  return remarks.length > 0 ? `${field.help} (${remarks.join('; ')})` : field.help;
}
