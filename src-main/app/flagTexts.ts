import type { FormField } from '../../src-shared/model/form.ts';

/** Flags are texts; numbers and switches among them become what they mean, anything else is left for the schema to refuse. */
export function fromTexts(
  options: Record<string, unknown>,
  fields: readonly FormField[],
): Record<string, unknown> {
  const kinds = new Map(fields.map((field) => [field.key, field.kind]));
  return Object.fromEntries(
    Object.entries(options)
      .filter(([, value]) => value !== undefined)
      .map(([key, value]) => {
        if (typeof value !== 'string') return [key, value];
        const kind = kinds.get(key);
        if (kind === 'integer' && /^-?\d+$/.test(value)) return [key, Number(value)];
        if (kind === 'boolean' && /^(true|false)$/.test(value)) return [key, value === 'true'];
        return [key, value];
      }),
  );
}
