import type { FormField } from '../../src-shared/model/form.ts';
import type { Json, Values } from './values.ts';

/** What every control of a form is given. */
export interface FieldProps {
  field: FormField;
  values: Values;
  error: string | undefined;
  onChange: (value: Json | undefined) => void;
  /** Whether to point out what departs from the default. */
  showChanges: boolean;
  /** Whether a number may be a list of numbers: each of them is measured. */
  lists?: boolean;
  /** The field was left: now it may say what is wrong. */
  onLeave: () => void;
}
