import { homedir, userInfo } from 'node:os';
import { AppError } from '../../src-shared/errors.ts';
import { isActive } from '../../src-shared/model/run.ts';
import type { RunRecord } from '../reports/exports/format.ts';
import { exportFormats, findExportFormat } from '../reports/exports/registry.ts';
import { tsbsQueryLabel } from '../workloads/tsbs/queries/labels.ts';
import { withoutNames, withoutSecrets } from './anonymous.ts';
import { toolVersion } from './assets.ts';
import type { AppContext, HandlersOf } from './context.ts';
import { importRuns } from './importRuns.ts';
import { writePlanFile } from './planFile.ts';
import { storablePlan } from './plans.ts';
import { shippedReference, shippedReferences } from './references.ts';

export function exchangeHandlers({ store, now }: AppContext): HandlersOf<'exchange'> {
  function read(id: string): RunRecord {
    const run = shippedReference(id) ?? store.runs.get(id);
    if (run === null) {
      throw new AppError({
        code: 'not-found',
        message: `There is no run with the id ${JSON.stringify(id)}`,
        hint: 'It may have been deleted.',
      });
    }
    if (isActive(run.status)) {
      throw new AppError({
        code: 'run-active',
        message: `${run.name} is still on`,
        hint: 'Export it once it has ended.',
      });
    }
    return {
      run: { ...run, plan: storablePlan(run.plan) },
      series: store.runs.series(id),
      histograms: () =>
        run.phases.flatMap(({ index: phase }) =>
          store.runs.histograms(id, phase).map((histogram) => ({ phase, ...histogram })),
        ),
    };
  }

  return {
    'exchange.formats': async () =>
      exportFormats.map(({ id, label, description, extension, mediaType, most }) => ({
        ...{ id, label, description, extension, mediaType, most },
      })),
    async 'exchange.export'({ ids, format: formatId, withNames, operation }) {
      const format = findExportFormat(formatId);
      if (ids.length > format.most) {
        throw new AppError({
          code: 'bad-input',
          message: `${format.label} holds ${format.most === 1 ? 'one run' : `at most ${format.most} runs`}; ${ids.length} were given`,
          hint: 'Export them one by one, or as JSON.',
        });
      }
      const records = ids.map((id) => {
        const record = withoutSecrets(read(id));
        return withNames ? record : withoutNames(record, { user: userInfo().username, home: homedir() });
      });
      return {
        fileName: `${fileStem(records)}.${format.extension}`,
        mediaType: format.mediaType,
        text: format.write(records, {
          toolVersion,
          operation,
          planText: writePlanFile,
          queryLabel: tsbsQueryLabel,
        }),
      };
    },
    'exchange.import': async (file) => importRuns(store, file, now()),
    'exchange.references': async () => [...shippedReferences()],
  };
}

/** `tsbs-on-rpi-3-3f2a91c4`; only what every file system takes. */
function fileStem(records: readonly RunRecord[]): string {
  const [first] = records;
  const name = first ? `${first.run.name} on ${first.run.targetName}` : '';
  const plain = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 80)
    .replace(/^-|-$/g, '');
  const rest = records.length > 1 ? `and-${records.length - 1}-more` : (first?.run.id.slice(0, 8) ?? '');
  return [plain || 'run', rest].join('-');
}
