import { z } from 'zod';
import { entryOf } from '../../../src-shared/entryOf.ts';
import { AppError } from '../../../src-shared/errors.ts';
import type { Expected, Query } from '../../databases/driver.ts';
import type { QuerySource, QuerySourceSpec } from '../workload.ts';
import { Points, pointsSchema, seriesName } from './points.ts';
import { type Selection, statements } from './statements.ts';

export const selects = ['tag', 'date-range'] as const;

/** Which fetches: the plain data of a `QuerySourceSpec`. */
export const fetchesSchema = z.object({
  data: pointsSchema,
  select: z.enum(selects),
  /** Number of the first selection. */
  first: z.int().min(0),
  /** So many selections from there on, in turn. */
  distinct: z.int().min(1),
  fetches: z.int().min(1),
});
export type FetchesSpec = z.output<typeof fetchesSchema>;

/** @throws AppError `unsupported` for a dialect that there is no form of a fetch for */
export function openFetches(source: QuerySourceSpec, dialect: string): QuerySource {
  const { data, select, first, distinct, fetches } = fetchesSchema.parse(source.parameters);
  const points = new Points(data);
  const form = formFor(dialect);
  const made = new Map<number, Query>();

  function queryOf(selection: number): Query {
    const { what, expected } = select === 'tag' ? byTag(selection) : byRange(selection);
    return { text: form(what), expected };
  }
  function byTag(selection: number): { what: Selection; expected: Expected } {
    const series = seriesName(selection, data);
    return {
      what: { series, fromMs: points.timeMs(0), toMs: points.timeMs(data.points) },
      expected: points.byTag(selection),
    };
  }
  function byRange(selection: number): { what: Selection; expected: Expected } {
    const { from, rows, sum } = points.byRange(selection);
    return {
      what: { series: null, fromMs: points.timeMs(from), toMs: points.timeMs(from + rows) },
      expected: { rows, sum },
    };
  }

  return {
    label: `select by ${select === 'tag' ? 'tag' : 'date range'} and fetch`,
    total: fetches,
    at(index) {
      const selection = first + (index % distinct);
      const query = made.get(selection) ?? queryOf(selection);
      made.set(selection, query);
      return query;
    },
  };
}

function formFor(dialect: string): (selection: Selection) => string {
  const form = entryOf(statements, dialect);
  if (form !== undefined) return form;
  throw new AppError({
    code: 'unsupported',
    message: `There is no form of a fetch for ${dialect}`,
    hint: `There are forms for ${Object.keys(statements).join(', ')}.`,
  });
}
