import type { Dataset, DatasetTable } from '../../../databases/driver.ts';
import { openTsbsRows } from '../openRows.ts';
import { type UseCase, useCases } from '../simulation.ts';

/** What TSBS's use cases consist of, by use case; made when it is first asked for. */
let datasets: readonly (readonly [UseCase, Dataset])[] | null = null;

function known(): readonly (readonly [UseCase, Dataset])[] {
  datasets ??= useCases.map((useCase) => {
    const parameters = {
      ...{ useCase, seed: 1, scale: 1, logInterval: '1s' },
      ...{ timestampStart: '2016-01-01T00:00:00Z', timestampEnd: '2016-01-01T00:00:01Z' },
    };
    return [useCase, openTsbsRows({ workload: 'tsbs', parameters }).dataset] as const;
  });
  return datasets;
}

/** The use case that has these tables with these fields, of `devops` and `iot` maybe not all tables; null for none of TSBS's. */
export function findUseCase(tables: readonly DatasetTable[]): UseCase | null {
  const has = ({ tables: all }: Dataset) =>
    tables.every(({ name, fields }) => {
      const same = all.find((table) => table.name === name);
      // How many metrics its hosts have at most is an option.
      const count = same?.shortRows === true ? fields.length : same?.fields.length;
      return (
        count === fields.length &&
        (same?.shortRows === true || fields.every((f, i) => same?.fields[i]?.name === f.name))
      );
    });
  if (tables.length === 0) return null;
  return known().find(([, dataset]) => has(dataset))?.[0] ?? null;
}

/** TSBS's own table of that name, whose types its text does not show. */
export function knownTable(name: string): DatasetTable | undefined {
  return known()
    .flatMap(([, dataset]) => dataset.tables)
    .find((table) => table.name === name);
}

/** The tags that TSBS's rows of that table have in common with those of other tables, in their order. */
export function knownTags(table: string): Dataset['tags'] | null {
  return known().find(([, dataset]) => dataset.tables.some(({ name }) => name === table))?.[1].tags ?? null;
}

/** Whether TSBS's rows of that table may be late. */
export function maybeLate(table: string): boolean {
  return known().some(
    ([useCase, { tables }]) => useCase === 'iot' && tables.some(({ name }) => name === table),
  );
}
