import { homedir, userInfo } from 'node:os';
import { AppError } from '../../src-shared/errors.ts';
import { isActive, type Run } from '../../src-shared/model/run.ts';
import { mostSides } from '../../src-shared/model/sideKey.ts';
import { compareSides } from '../../src-shared/stats/compare.ts';
import type { RunRecord } from '../reports/exports/format.ts';
import { exportFormats, findExportFormat } from '../reports/exports/registry.ts';
import { readRecordings } from '../runs/recordings.ts';
import { tsbsQueryLabel } from '../workloads/tsbs/queries/labels.ts';
import { withoutNames, withoutSecrets } from './anonymous.ts';
import { toolVersion } from './assets.ts';
import type { AppContext, HandlersOf } from './context.ts';
import { importRuns } from './importRuns.ts';
import { writePlanFile } from './planFile.ts';
import { storablePlan } from './plans.ts';
import { shippedReferences } from './references.ts';
import { labelledSides, runsOfSide } from './sideRuns.ts';

export function exchangeHandlers({ store, now }: AppContext): HandlersOf<'exchange'> {
  function read(run: Run): RunRecord {
    const { id } = run;
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
      exportFormats.map(({ write, compares = false, workload = null, ...format }) => ({
        ...format,
        compares,
        workload,
      })),
    async 'exchange.export'({ sides: keys, base, format: formatId, withNames, operation }, signal) {
      const format = findExportFormat(formatId);
      const sides = keys.map((key) => runsOfSide(store, key).map(read));
      const records = sides.flat();
      if (records.length > format.most) {
        throw new AppError({
          code: 'bad-input',
          message: `${format.label} holds ${format.most === 1 ? 'one run' : `at most ${format.most} runs`}; ${records.length} were given`,
          hint: 'Export them one by one, or as JSON.',
        });
      }
      if (format.compares && sides.length > mostSides) {
        throw new AppError({
          code: 'bad-input',
          message: `At most ${mostSides} can stand side by side; ${sides.length} were given`,
        });
      }
      const clean = (record: RunRecord): RunRecord => {
        const safe = withoutSecrets(record);
        return withNames ? safe : withoutNames(safe, { user: userInfo().username, home: homedir() });
      };
      const cleaned = sides.map((of) => of.map(clean));
      const comparison =
        format.compares && sides.length > 1
          ? compareSides(
              labelledSides(cleaned.map((of) => ({ label: null, runs: of.map(({ run }) => run) }))),
              Math.min(base, sides.length - 1),
              await readRecordings(
                store.runs,
                records.map(({ run }) => run),
                signal,
              ),
            )
          : null;
      const tools = {
        ...{ toolVersion, comparison, operation, planText: writePlanFile, queryLabel: tsbsQueryLabel },
      };
      return {
        fileName: `${fileStem(cleaned.flat())}.${format.extension}`,
        mediaType: format.mediaType,
        text: format.write(cleaned.flat(), tools),
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
