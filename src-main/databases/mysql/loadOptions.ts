import { z } from 'zod';
import type { FieldMeta } from '../../../src-shared/model/form.ts';
import { loadOptionsSchema as postgresql } from '../postgresql/loadOptions.ts';

const group = 'MariaDB or MySQL';
const field = (meta: FieldMeta) => ({ group, advanced: true, ...meta });

/** What a load into MariaDB or MySQL has; the indexes are those of the other SQL tables. */
export const loadOptionsSchema = z.object({
  mysqlWriteMode: z
    .enum(['load-data', 'insert', 'insert-single'])
    .default('load-data')
    .meta(
      field({
        title: 'Write mode',
        description:
          'How rows are sent. LOAD DATA is the fastest; a server may have it switched off (local_infile). Each batch is one transaction.',
        advanced: false,
        optionLabels: {
          'load-data': 'LOAD DATA LOCAL',
          insert: 'INSERT, many rows each',
          'insert-single': 'INSERT, one row each',
        },
      }),
    ),
  partitionIndex: postgresql.shape.partitionIndex,
  timeIndex: postgresql.shape.timeIndex,
});
export type LoadOptions = z.infer<typeof loadOptionsSchema>;

export type WriteMode = LoadOptions['mysqlWriteMode'];
