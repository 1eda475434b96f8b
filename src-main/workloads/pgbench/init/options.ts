import { z } from 'zod';
import type { FieldMeta } from '../../../../src-shared/model/form.ts';
import { count, toggle } from '../../fields.ts';
import { flag } from '../flag.ts';

const tables = (meta: FieldMeta): FieldMeta => ({ group: 'Tables', ...meta });
const advanced = (meta: FieldMeta): FieldMeta => ({ group: 'Storage', advanced: true, ...meta });

export const defaultDatabase = 'pgbench';
export const dbName = z.string().trim().min(1, 'A database needs a name');

/** Options of `pgbench.init`, in camelCase with pgbench's defaults. */
export const initOptions = {
  dbName: dbName.default(defaultDatabase).meta(
    flag(
      '-d or the last word',
      tables({
        title: 'Database',
        description: 'The database that gets the tables. It is made where there is none.',
      }),
    ),
  ),
  scale: count(
    1,
    200_000,
    1,
    flag(
      '-s',
      tables({
        title: 'Scale',
        description:
          'Branches; each has ten tellers and 100,000 accounts, about 15 MB in all. At least as many as there will be clients, or they mostly wait for each other.',
      }),
    ),
  ),
  replaceTables: toggle(
    false,
    tables({
      title: 'Replace tables of others',
      description:
        'Tables of these names that Benchberry has not made are left alone and the run is refused. On: they are dropped, with all that is in them.',
    }),
  ),
  initSteps: z
    .string()
    .regex(/^[dtgGvpf ]*[dtgGvpf][dtgGvpf ]*$/, 'Letters out of d, t, g, G, v, p and f')
    .default('dtgvp')
    .meta(
      flag(
        '-I',
        tables({
          title: 'Steps',
          description:
            'What is done, in this order: d drop tables, t create them, g send rows from here, G let the server make them, v vacuum, p primary keys, f foreign keys.',
          advanced: true,
        }),
      ),
    ),
  foreignKeys: toggle(
    false,
    flag(
      '--foreign-keys',
      advanced({ title: 'Foreign keys', description: 'Adds step f at the end where it is missing.' }),
    ),
  ),
  noVacuum: toggle(false, flag('-n', advanced({ title: 'No vacuum', description: 'Leaves out step v.' }))),
  fillfactor: count(
    10,
    100,
    100,
    flag(
      '-F',
      advanced({
        title: 'Fill factor',
        description: 'How full pages are made; the rest is for updated rows.',
        unit: '%',
      }),
    ),
  ),
  partitions: count(
    0,
    100_000,
    0,
    flag(
      '--partitions',
      advanced({ title: 'Partitions', description: 'Parts of pgbench_accounts; 0: one plain table.' }),
    ),
  ),
  partitionMethod: z
    .enum(['range', 'hash'])
    .default('range')
    .meta(
      flag(
        '--partition-method',
        advanced({
          title: 'Partitioned by',
          description: 'Only where there are partitions.',
          optionLabels: { range: 'Ranges of account ids', hash: 'A hash of the id' },
        }),
      ),
    ),
  unloggedTables: toggle(
    false,
    flag(
      '--unlogged-tables',
      advanced({
        title: 'Unlogged',
        description: 'Tables without write-ahead log: faster, and empty after a crash.',
      }),
    ),
  ),
  tablespace: z
    .string()
    .default('')
    .meta(
      flag(
        '--tablespace',
        advanced({ title: 'Tablespace', description: 'For the tables; empty: the default one.' }),
      ),
    ),
  indexTablespace: z
    .string()
    .default('')
    .meta(
      flag(
        '--index-tablespace',
        advanced({ title: 'Tablespace of indexes', description: 'Empty: the default one.' }),
      ),
    ),
  quiet: toggle(
    false,
    flag(
      '-q',
      advanced({
        title: 'Few lines',
        description: 'A line of progress every 5 s instead of every 100,000 rows.',
      }),
    ),
  ),
};
export const initSchema = z.object(initOptions);
export type InitOptions = z.output<typeof initSchema>;

/** The letters of the steps that are done, in order. */
export function stepLetters({ initSteps, noVacuum, foreignKeys }: InitOptions): string[] {
  const letters = [...initSteps.replaceAll(' ', '')].filter((letter) => !noVacuum || letter !== 'v');
  return foreignKeys && !letters.includes('f') ? [...letters, 'f'] : letters;
}
