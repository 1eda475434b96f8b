import type { FieldMeta } from '../../../src-shared/model/form.ts';

/** Field words with the flag that pgbench's own command line has for it. */
export function flag(name: string, meta: FieldMeta): FieldMeta {
  return { ...meta, description: `${meta.description} pgbench: ${name}.` };
}
