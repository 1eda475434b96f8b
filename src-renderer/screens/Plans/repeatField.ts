import type { FormField } from '../../../src-shared/model/form.ts';

/** The one number of a plan that belongs to no step; its range is the plan schema's. */
export const repeatField: FormField = {
  key: 'repeat',
  label: 'Repeat',
  help: '',
  group: '',
  advanced: false,
  unit: null,
  kind: 'integer',
  options: [],
  min: 1,
  max: 1000,
  required: true,
  default: 1,
};
