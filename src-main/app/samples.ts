import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { SavedPlan } from '../../src-shared/model/plan.ts';
import { assetsFolder } from './assets.ts';
import { type PlanVocabulary, readPlanFile } from './planFile.ts';

/** Where the plans lie that ship with the app. */
const samplesFolder = join(assetsFolder, 'plans');

/** Of a sample plan, by its file's name without `.yaml`. */
export function sampleId(file: string): string {
  return `sample:${file}`;
}

/**
 * The sample plans, by file name; a sample's id is `sample:` and its file's name.
 * @throws AppError where a file is no plan: a defect of the package
 */
export function readSamples(vocabulary: PlanVocabulary): SavedPlan[] {
  return readdirSync(samplesFolder)
    .filter((name) => name.endsWith('.yaml'))
    .sort()
    .map((name) => {
      const file = join(samplesFolder, name);
      return {
        id: sampleId(basename(name, '.yaml')),
        sample: true,
        plan: readPlanFile(readFileSync(file, 'utf8'), name, vocabulary),
        updatedAt: statSync(file).mtime.toISOString(),
      };
    });
}
