import { z } from 'zod';
import type { FieldMeta } from '../../../src-shared/model/form.ts';
import { count, toggle } from '../fields.ts';
import { flag, randomOptions, tableOptions } from './dataOptions.ts';

const filling = (meta: FieldMeta): FieldMeta => ({ group: 'Filling', ...meta });

export const replaceTablesField = toggle(
  false,
  filling({
    title: 'Replace tables of others',
    description:
      'Tables of these names that Benchberry has not made are left alone and the run is refused. On: they are dropped, with all that is in them.',
    advanced: true,
  }),
);

const writeModes = ['insert', 'insert-single', 'copy'] as const;

/** Options of `sysbench.prepare`, in camelCase with sysbench's defaults. */
export const prepareOptions = {
  ...tableOptions,
  replaceTables: replaceTablesField,
  createSecondary: toggle(
    true,
    flag(
      'create-secondary',
      filling({
        title: 'Index on k',
        description: 'A second index beside the primary key, made after the rows.',
        advanced: true,
      }),
    ),
  ),
  writeMode: z
    .enum(writeModes)
    .default('insert')
    .meta(
      filling({
        title: 'Write mode',
        description:
          'How rows are sent. sysbench itself sends INSERT with many rows each; the others show what batching buys.',
        optionLabels: {
          insert: 'INSERT, many rows each',
          'insert-single': 'INSERT, one row each',
          copy: 'COPY',
        },
      }),
    ),
  rowsPerInsert: count(
    0,
    100_000,
    0,
    filling({
      title: 'Rows an INSERT',
      description:
        'Rows in one INSERT of the write mode with many; 0: as many as 512 KiB of text hold, about 2,700, as sysbench does.',
      unit: 'rows',
      advanced: true,
    }),
  ),
  threads: count(
    1,
    1000,
    1,
    flag(
      'threads',
      filling({
        title: 'Threads',
        description: 'Connections that fill tables at the same time; one table is filled by one of them.',
      }),
    ),
  ),
  ...randomOptions,
};
export const prepareSchema = z.object(prepareOptions);
export type PrepareOptions = z.output<typeof prepareSchema>;
