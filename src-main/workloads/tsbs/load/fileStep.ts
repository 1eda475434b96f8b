import path from 'node:path';
import { z } from 'zod';
import type { FieldMeta } from '../../../../src-shared/model/form.ts';
import { drivers } from '../../../databases/registry.ts';
import { mergeEngineOptions } from '../../engineOptions.ts';
import { toggle } from '../../fields.ts';
import { countOf } from '../../words.ts';
import type { LoadPhase, Step } from '../../workload.ts';
import { runnerOptions, runnerPhase, withTexts } from './runnerOptions.ts';

const data = (meta: FieldMeta): FieldMeta => ({ group: 'Data', ...meta });

const fileOptions = {
  file: z
    .string()
    .trim()
    .default('')
    .meta(
      data({
        title: 'Data file',
        description:
          'A file of tsbs_generate_data for TimescaleDB, QuestDB or InfluxDB, or one of generate data: as it is, or compressed with gzip or zstd. Its whole path, on the machine that Benchberry runs on.',
        kind: 'data-file',
      }),
    ),
  anyOrder: toggle(
    false,
    data({
      title: 'Rows in any order',
      description:
        'Off: a row that is older than the one before it ends the load, since TSBS’s rows of hosts come in the order of time. Those of trucks (iot) may be late anyway.',
      advanced: true,
    }),
  ),
};

const ownOptions = { ...fileOptions, ...runnerOptions };
const ownSchema = z.object(ownOptions);
const engineOptions = mergeEngineOptions(drivers, ownOptions);
const engineSchema = z.object(engineOptions);

/** `tsbs.file`: a data file of TSBS into a database. */
export const fileStep: Step = {
  id: 'tsbs.file',
  label: 'Load a data file',
  description: 'Loads a file that TSBS or Benchberry has written, row for row.',
  parameters: z.strictObject({ ...ownOptions, ...engineOptions }),

  inherit: (own) => withTexts(own),

  check(parameters) {
    const { file } = ownSchema.parse(parameters);
    if (file === '') return [{ path: 'file', message: 'Choose a data file', hint: null }];
    if (path.isAbsolute(file)) return [];
    return [
      {
        path: 'file',
        message: `${file} is not the whole path of a file`,
        hint: `Begin it at the root, such as ${path.resolve(path.parse(process.cwd()).root, 'data', 'cpu-only.gz')}.`,
      },
    ];
  },

  phase(parameters): LoadPhase {
    const own = ownSchema.parse(parameters);
    const { file, anyOrder, limit } = own;
    return {
      ...runnerPhase(own),
      rows: { workload: 'tsbs', parameters: { file, anyOrder, limit } },
      engineOptions: engineSchema.parse(parameters),
      // Draws the pauses between batches.
      seed: 1,
    };
  },

  rows: () => 0,

  summary(parameters) {
    const { file, limit, doLoad, dbName } = ownSchema.parse(parameters);
    const name = path.basename(file);
    const rows = limit > 0 ? `up to ${countOf(limit, 'row')} of ${name}` : name;
    return doLoad ? `load ${rows} into ${dbName}` : `read ${rows} without loading it`;
  },
};
