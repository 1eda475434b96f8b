import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { GalleryReference } from '../../src-shared/model/exchange.ts';
import type { Plan, SavedPlan } from '../../src-shared/model/plan.ts';
import { type Reference, referenceFileSchema } from '../../src-shared/model/reference.ts';
import type { Run } from '../../src-shared/model/run.ts';
import { assetsFolder } from './assets.ts';
import { planVocabulary } from './plans.ts';
import { printedRun } from './printedRun.ts';
import { readSamples, sampleId } from './samples.ts';

/** Where the published figures lie that ship with the app. */
const referencesFolder = join(assetsFolder, 'references');

/** Ids of references that ship with the app; others are runs of the store. */
const prefix = 'reference:';

let shelf: readonly GalleryReference[] | null = null;
let samples: readonly SavedPlan[] | null = null;

/**
 * The references that ship with the app, by file name. Read once.
 * @throws Error where a file is none: a defect of the package
 */
export function shippedReferences(): readonly GalleryReference[] {
  shelf ??= readdirSync(referencesFolder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .flatMap((name) => {
      const text = readFileSync(join(referencesFolder, name), 'utf8');
      const { references } = referenceFileSchema.parse(JSON.parse(text));
      return references.map((reference, i) => ({
        presetId: reference.preset === undefined ? null : sampleId(reference.preset),
        run: {
          ...referenceRun(reference),
          id: `${prefix}${reference.id ?? `${basename(name, '.json')}-${i + 1}`}`,
        },
      }));
    });
  return shelf;
}

/** A reference that ships with the app, as a run; null where the id is of none. */
export function shippedReference(id: string): Run | null {
  if (!id.startsWith(prefix)) return null;
  return shippedReferences().find(({ run }) => run.id === id)?.run ?? null;
}

/** A reference as the run that stands beside others. The same reference has always the same id. */
export function referenceRun(reference: Reference): Run {
  const { name, machine, engine, printed } = reference;
  const digest = createHash('sha256').update(JSON.stringify(reference)).digest('hex');
  return printedRun({
    id: digest.slice(0, 32),
    code: 'published',
    name,
    machine,
    engine,
    plan: reference.plan ?? presetPlan(reference) ?? emptyPlan(reference),
    // A year or a month begins with its first day.
    at: new Date(printed.source.date ?? 0).toISOString(),
    printed,
  });
}

function presetPlan({ preset }: Reference): Plan | null {
  if (preset === undefined) return null;
  samples ??= readSamples(planVocabulary);
  return samples.find(({ id }) => id === sampleId(preset))?.plan ?? null;
}

/** What was run is not told but for the kinds of its phases. */
function emptyPlan({ name, printed }: Reference): Plan {
  const steps = printed.phases.map((phase) => ({ [phase.name.replace(/ \d+$/, '')]: {} }));
  return {
    version: 1,
    name,
    target: 'sandbox',
    steps: steps.length > 0 ? steps : [{ 'tsbs.load': {} }],
    repeat: 1,
  };
}
