import type { Workload } from '../workload.ts';
import { loadStep } from './loadStep.ts';
import { openFetches } from './openFetches.ts';
import { openFetchRows } from './points.ts';
import { readStep } from './readStep.ts';

/** Points inserted, some of them selected and fetched, by more and more readers: what every kind of database can do. */
export const selectAndFetch: Workload = {
  id: 'fetch',
  label: 'Select + fetch',
  description:
    'Inserts points and fetches a few thousand of them by tag or by date range, cold and again, with 1, 2, 4, 8 readers. Every engine can do it.',
  steps: [loadStep, readStep],
  openRows: openFetchRows,
  openQueries: openFetches,
};
