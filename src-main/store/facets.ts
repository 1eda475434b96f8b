import { z } from 'zod';
import { type FilterTerm, facetMeanings } from '../../src-shared/filter/runFilter.ts';
import type { FacetKey } from '../../src-shared/model/facet.ts';
import { type Run, runFacetSchema } from '../../src-shared/model/run.ts';
import type { Connection, Value } from './database.ts';
import type { RunRepository } from './repositories.ts';
import { fold } from './runHead.ts';

/** What is known of a run by what it can be found; a key may have several values or none. */
function facetsOf(run: Run): [FacetKey, string][] {
  const model = run.host?.before?.model.value ?? null;
  const found: [FacetKey, string | null][] = [
    ['engine', run.engine],
    ['pi', model],
    ['version', run.server?.version ?? null],
    ...run.tags.map((tag): [FacetKey, string] => ['tag', tag]),
    ...run.verdicts.map(({ code }): [FacetKey, string] => ['verdict', code]),
    ['status', run.status],
    ['target', run.targetName],
    ['plan', run.plan.name],
  ];
  return found.flatMap(([key, value]) => (value === null || value === '' ? [] : [[key, value]]));
}

/** Writes anew what a run is found by. In the transaction that writes the run. */
export function keepFacets(db: Connection, run: Run): void {
  db.run('DELETE FROM run_facet WHERE run_id = ?', run.id);
  for (const [key, value] of facetsOf(run))
    db.run('INSERT OR IGNORE INTO run_facet VALUES (?, ?, ?, ?)', key, fold(value), run.id, value);
}

/** The condition on `run` that terms stand for, with its values. */
export function whereOf(terms: readonly FilterTerm[]): { sql: string; values: Value[] } {
  const parts = ['deleted_at IS NULL'];
  const values: Value[] = [];
  for (const term of terms) {
    const { sql, value } = conditionOf(term);
    parts.push(term.not ? `NOT (${sql})` : sql);
    values.push(...value);
  }
  // Whoever asks for archived runs gets them; else they are out of the way.
  if (!terms.some(({ kind }) => kind === 'is')) parts.push('archived_at IS NULL');
  return { sql: parts.join(' AND '), values };
}

function conditionOf(term: FilterTerm): { sql: string; value: Value[] } {
  switch (term.kind) {
    case 'text':
      return { sql: 'instr(haystack, ?) > 0', value: [fold(term.value)] };
    case 'since':
      return { sql: 'started_at >= ?', value: [term.at] };
    case 'until':
      return { sql: 'started_at < ?', value: [term.at] };
    case 'is':
      return { sql: term.value === 'any' ? 'TRUE' : 'archived_at IS NOT NULL', value: [] };
    case 'facet':
      return facetCondition(term.key, fold(term.value));
  }
}

const fits = {
  whole: 'value = ?',
  // A range of the index; a LIKE would need its wildcards escaped.
  start: 'value >= ? AND substr(value, 1, length(?)) = ?',
  part: 'instr(value, ?) > 0',
} as const;

function facetCondition(key: FacetKey, value: string): { sql: string; value: Value[] } {
  const { fit } = facetMeanings[key];
  return {
    sql: `id IN (SELECT run_id FROM run_facet WHERE key = ? AND ${fits[fit]})`,
    value: [key, ...(fit === 'start' ? [value, value, value] : [value])],
  };
}

const facetRows = z.array(runFacetSchema);

/** What runs are found by. */
export function facetRepository(
  db: Connection,
  now: () => Date,
): Pick<RunRepository, 'count' | 'facets' | 'archive' | 'leaveOut'> {
  return {
    leaveOut: (id, reason) =>
      db.run('UPDATE run SET left_out = ? WHERE id = ? AND deleted_at IS NULL', reason, id) > 0,
    count(terms) {
      const { sql, values } = whereOf(terms);
      return z.object({ n: z.int() }).parse(db.get(`SELECT count(*) AS n FROM run WHERE ${sql}`, ...values))
        .n;
    },
    facets: () =>
      facetRows.parse(
        db.all(
          // Few runs are out of sight: leaving those out is quicker than looking each one up.
          `SELECT key, max(shown) AS value, count(*) AS runs FROM run_facet
           WHERE run_id NOT IN (SELECT id FROM run WHERE deleted_at IS NOT NULL OR archived_at IS NOT NULL)
           GROUP BY key, run_facet.value ORDER BY key, runs DESC, run_facet.value`,
        ),
      ),
    archive: (ids, archived) =>
      db.transaction(() =>
        ids.filter(
          (id) =>
            db.run(
              `UPDATE run SET archived_at = ? WHERE id = ? AND archived_at IS ${archived ? 'NULL' : 'NOT NULL'}
                 AND status NOT IN ('preparing', 'running')`,
              archived ? now().toISOString() : null,
              id,
            ) > 0,
        ),
      ),
  };
}
