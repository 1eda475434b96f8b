import { createHash } from 'node:crypto';
import type { ImportedRun } from '../../src-shared/model/exchange.ts';
import { type Run, runHeadSchema } from '../../src-shared/model/run.ts';
import { type Imported, readImport } from '../reports/imports/readImport.ts';
import type { ReadReport } from '../reports/imports/report.ts';
import type { Store } from '../store/repositories.ts';
import { printedRun } from './printedRun.ts';
import { referenceRun } from './references.ts';

type Kept = Parameters<Store['runs']['adopt']>[0];

/**
 * Takes in the runs that a text holds.
 * @throws AppError `bad-input` where it holds none
 */
export function importRuns(
  store: Store,
  { text, fileName }: { text: string; fileName: string | null },
  now: Date,
): ImportedRun[] {
  return runsOf(readImport(text, fileName), now).map((kept) => {
    const state = store.runs.adopt(kept);
    return { head: runHeadSchema.parse(store.runs.get(kept.run.id) ?? kept.run), state };
  });
}

function runsOf(imported: Imported, now: Date): Kept[] {
  switch (imported.kind) {
    case 'runs':
      return imported.runs;
    case 'references':
      return imported.references.map((reference) => withoutSeries(referenceRun(reference)));
    case 'reports':
      return imported.reports.map((report) => withoutSeries(reportRun(report, now)));
  }
}

/** The same report has always the same id: importing it twice makes one run. */
function reportRun({ name, engine, steps, printed }: ReadReport, now: Date): Run {
  const digest = createHash('sha256')
    .update(JSON.stringify([engine, steps, printed]))
    .digest('hex');
  return printedRun({
    id: digest.slice(0, 32),
    code: 'imported',
    name: name.slice(0, 200),
    machine: '',
    engine,
    plan: { version: 1, name: name.slice(0, 200), target: 'sandbox', steps, repeat: 1 },
    at: now.toISOString(),
    printed,
  });
}

function withoutSeries(run: Run): Kept {
  return {
    run,
    series: { ticks: [], events: [], health: [], server: [], serverWatch: null },
    histograms: [],
  };
}
