import { z } from 'zod';
import type { FieldMeta } from '../../../src-shared/model/form.ts';
import { count, toggle } from '../fields.ts';
import { randTypes } from './distributions.ts';

/** Field words with the name that sysbench's own command line has for it. */
export function flag(name: string, meta: FieldMeta): FieldMeta {
  return { ...meta, description: `${meta.description} sysbench: --${name}.` };
}

/** Ids are 4-byte integers. */
const mostRows = 2_147_483_647;

export const sysbenchVersions = ['1.0', '0.4'] as const;

const tables = (meta: FieldMeta): FieldMeta => ({ group: 'Tables', ...meta });
const random = (meta: FieldMeta): FieldMeta => ({ group: 'Random numbers', advanced: true, ...meta });

const dbName = z.string().trim().min(1, 'A database needs a name');
const dbNameWords = flag(
  'pgsql-db',
  tables({
    title: 'Database',
    description: 'The database of the tables. A prepare step makes it where there is none.',
  }),
);
const numberOfTables = z.int().min(1).max(100_000);
const numberWords = flag(
  'tables',
  tables({ title: 'Tables', description: 'How many tables there are: sbtest1, sbtest2 and so on.' }),
);
const tableSize = z.int().min(0).max(mostRows);
const tableSizeWords = flag(
  'table-size',
  tables({ title: 'Rows a table', description: 'Rows that each table begins with.', unit: 'rows' }),
);

const autoInc = toggle(
  true,
  flag(
    'auto-inc',
    tables({
      title: 'Ids from the server',
      description:
        'On: ids come from a sequence. Off: the client gives them, and inserts take numbers that do not repeat.',
      advanced: true,
    }),
  ),
);
const sysbenchVersion = z.enum(sysbenchVersions);
const versionWords = tables({
  title: 'As in sysbench',
  description:
    'Which sysbench the tables and statements are of. 0.4 (2009) has one table without a number, sbtest, with constant columns and its index made before the rows.',
  advanced: true,
  optionLabels: { '1.0': '1.0', '0.4': '0.4' },
});

/** Which tables there are. */
export const tableOptions = {
  dbName: dbName.default('sbtest').meta(dbNameWords),
  tables: numberOfTables.default(1).meta(numberWords),
  tableSize: tableSize.default(10_000).meta(tableSizeWords),
  autoInc,
  sysbenchVersion: sysbenchVersion.default('1.0').meta(versionWords),
};

const leftOut = (words: FieldMeta, otherwise: string): FieldMeta => ({
  ...words,
  description: `${words.description} Left out: as in the prepare step before, else ${otherwise}.`,
});

/** The same for a run, which is on the tables of the prepare step before it where it says nothing else. */
export const tableOptionsOfRun = {
  dbName: dbName.optional().meta(leftOut(dbNameWords, 'sbtest')),
  tables: numberOfTables.optional().meta(leftOut(numberWords, '1')),
  tableSize: tableSize.optional().meta(leftOut(tableSizeWords, '10,000')),
  autoInc,
  sysbenchVersion: sysbenchVersion.optional().meta(leftOut(versionWords, '1.0')),
};

/** sysbench's `--rand-*`. */
export const randomOptions = {
  randType: z
    .enum(randTypes)
    .default('special')
    .meta(
      flag(
        'rand-type',
        random({
          title: 'Distribution',
          description:
            'Which ids and values are drawn. Say it with every result: special puts three quarters of all draws into 1 % of the table, uniform spreads them.',
          advanced: false,
          optionLabels: {
            special: 'Special: three quarters of the draws in 1 % of the rows',
            uniform: 'Uniform: every row as often',
            gaussian: 'Gaussian: bell-shaped around the middle',
            pareto: 'Pareto: 80 % of the draws in the first 20 %',
            zipfian: 'Zipfian: the k-th row k to the minus theta times as often',
          },
        }),
      ),
    ),
  randSpecIter: count(
    1,
    1000,
    12,
    flag(
      'rand-spec-iter',
      random({
        title: 'Numbers in a mean',
        description: 'Special and gaussian: uniform numbers that a bell-shaped one is the mean of.',
      }),
    ),
  ),
  randSpecPct: count(
    1,
    100,
    1,
    flag(
      'rand-spec-pct',
      random({
        title: 'Width of the window',
        description: 'Special: the window at the centre, of the whole range.',
        unit: '%',
      }),
    ),
  ),
  randSpecRes: count(
    0,
    100,
    75,
    flag(
      'rand-spec-res',
      random({ title: 'Draws in the window', description: 'Special: how many fall into it.', unit: '%' }),
    ),
  ),
  randParetoH: z
    .number()
    .gt(0)
    .lt(1)
    .default(0.2)
    .meta(
      flag(
        'rand-pareto-h',
        random({
          title: 'Pareto’s h',
          description: 'Pareto: this share of the range gets all draws but this share.',
        }),
      ),
    ),
  randZipfianExp: z
    .number()
    .min(0)
    .max(100)
    .default(0.8)
    .meta(
      flag(
        'rand-zipfian-exp',
        random({
          title: 'Zipf’s theta',
          description: 'Zipfian: the exponent. sysbench 1.0.20 has no zipfian.',
        }),
      ),
    ),
  randSeed: z
    .int()
    .min(0)
    .max(4_294_967_295)
    .default(0)
    .meta(
      flag(
        'rand-seed',
        random({
          title: 'Seed',
          description:
            'The same seed gives each worker the same numbers; 0 takes a seed from the clock, and the run says which.',
        }),
      ),
    ),
};
