import { openStore } from '../../src-main/store/openStore.ts';
import { makeInventory } from '../../src-main/store/testInventory.ts';
import { makeRun } from '../../src-main/store/testRun.ts';
import type { Run } from '../../src-shared/model/run.ts';
import type { VerdictCode } from '../../src-shared/model/verdict.ts';

export const manyRuns = 10_000;
/** Every tenth run has this tag. */
export const nightly = 'nightly';

const engines = ['postgresql', 'timescaledb', 'questdb', 'mysql'];
const models = [
  'Raspberry Pi 3 Model B Plus Rev 1.3',
  'Raspberry Pi 4 Model B Rev 1.4',
  'Raspberry Pi 5 Model B Rev 1.0',
];
const codes: readonly VerdictCode[] = ['valid', 'valid', 'valid', 'client-bound', 'throttled'];

/** Fills a store with runs as they come together in years: of several engines, Pis, versions, verdicts; newest last. */
export function recordManyRuns(folder: string): void {
  const store = openStore(folder);
  const owner = { pid: 1, startedAt: 1 };
  const inventory = makeInventory();
  for (let i = 0; i < manyRuns; i += 1) store.runs.create(runAt(i, inventory), owner);
  store.close();
}

function at<T>(list: readonly T[], i: number): T {
  const value = list[i % list.length];
  if (value === undefined) throw new Error('an empty list');
  return value;
}

function runAt(i: number, inventory: ReturnType<typeof makeInventory>): Run {
  const startedAt = new Date(Date.UTC(2024, 0, 1) + i * 3_600_000).toISOString();
  const model = at(models, i);
  const version = `${14 + (i % 3)}.${i % 7}`;
  const reason = 'Nothing speaks against these figures. '.repeat(3);
  return makeRun({
    id: `run-${i}`,
    name: `Run ${i}`,
    status: 'finished',
    engine: at(engines, i),
    targetName: `shelf ${i % 12}`,
    startedAt,
    endedAt: startedAt,
    tags: i % 10 === 0 ? [nightly] : [],
    notes: 'A note about the card and the cooling of this board. '.repeat(4),
    verdicts: [{ code: at(codes, i), reason, advice: '' }],
    host: {
      name: `pi ${i % 12}`,
      before: { ...inventory, model: { value: model, raw: model } },
      after: null,
      gate: null,
      quieted: null,
      place: null,
    },
    server: {
      engine: at(engines, i),
      product: 'PostgreSQL',
      version,
      versionText: `PostgreSQL ${version}`,
      edition: 'plain',
      dialect: 'postgresql',
      database: 'benchmark',
      sizeBytes: 8e6,
      tls: null,
      roundTripUs: 90,
      settings: [],
      notes: [],
    },
  });
}
