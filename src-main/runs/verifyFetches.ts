import { AppError } from '../../src-shared/errors.ts';
import { formatCount, formatCounted } from '../../src-shared/units.ts';
import type { Query } from '../databases/driver.ts';
import { openQueries } from '../workloads/sources.ts';
import type { QueriesPhase } from '../workloads/workload.ts';
import type { PhaseContext } from './phase.ts';

/**
 * Once a fetch phase has been measured, each of its different queries is run once more and what comes back is compared
 * with what the generator says was inserted: the rows, and the sum of their values. Not before, since it would make the
 * first reads warm ones; nor within the measured time, since adding up is the loader's work and not the server's.
 * @throws AppError `server-error` where anything differs
 */
export async function verifyFetches(
  { jobs, database }: QueriesPhase,
  dialect: string,
  { run, driver, endpoint, findWorkload }: PhaseContext,
): Promise<void> {
  const queries = new Map<string, Query>();
  for (const job of jobs.filter(({ fetch }) => fetch !== undefined)) {
    const source = openQueries(findWorkload, job.queries, dialect);
    for (let i = 0; i < source.total; i += 1) {
      const query = source.at(i);
      queries.set(query.text, query);
    }
  }
  if (queries.size === 0) return;
  run.progress.doing('Comparing what is fetched with what was inserted');
  let rows = 0;
  const reader = await driver.openReader(endpoint, database, run.signal);
  try {
    for (const query of queries.values()) rows += await verify(query);
  } finally {
    await reader.close();
  }
  run.event(
    'verify',
    `${formatCounted(queries.size, 'different fetch', 'different fetches')} compared with what was inserted: ${formatCounted(rows, 'row')}, the sum of their values included`,
  );

  async function verify({ text, expected }: Query): Promise<number> {
    const { values = [] } = await reader.run({ text }, run.signal, true);
    const sum = values.reduce((all, row) => all + Number(row.at(-1)), 0);
    if (expected === undefined || (values.length === expected.rows && sum === expected.sum))
      return values.length;
    throw new AppError({
      code: 'server-error',
      message: 'What was fetched is not what was inserted',
      place: { database, statement: text },
      detail: `${formatCounted(values.length, 'row')} with a sum of ${formatCount(sum)}, inserted were ${formatCounted(expected.rows, 'row')} with a sum of ${formatCount(expected.sum)}`,
      hint: 'The data may be of another load: load and fetch in one plan, or give the fetch the parameters of that load.',
    });
  }
}
