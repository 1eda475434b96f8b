import type { Dataset, TagType } from '../driver.ts';
import { createExtension, hypertable, type Timescale } from '../timescaledb/index.ts';
import type { Layout } from './layout.ts';
import { fieldIndexesOf, type LoadOptions } from './loadOptions.ts';
import { quoteName, quoteText } from './statements.ts';

const tagTypes: Record<TagType, string> = { string: 'TEXT', float32: 'FLOAT' };

/** The tags table, as TSBS makes it. */
export function tagsStatements(dataset: Dataset, options: LoadOptions): string[] {
  if (options.useJsonbTags) {
    return [
      'CREATE TABLE tags (id SERIAL PRIMARY KEY, tagset JSONB)',
      'CREATE UNIQUE INDEX uniq1 ON tags (tagset)',
      'CREATE INDEX idxginp ON tags USING gin (tagset jsonb_path_ops)',
    ];
  }
  const columns = dataset.tags.map((tag) => `${quoteName(tag.name)} ${tagTypes[tag.type]}`);
  const names = dataset.tags.map((tag) => quoteName(tag.name));
  return [
    `CREATE TABLE tags (id SERIAL PRIMARY KEY, ${columns.join(', ')})`,
    `CREATE UNIQUE INDEX uniq1 ON tags (${names.join(', ')})`,
    ...(names[0] === undefined ? [] : [`CREATE INDEX ON tags (${names[0]})`]),
  ];
}

/**
 * The tables of the data set with their indexes, in TSBS's order of statements: table, partition index, time indexes,
 * field indexes, then the hypertable. TSBS drops each table first; here a table that exists is refused beforehand.
 * @param timescale what the server has, or null for plain tables
 */
export function tableStatements(
  dataset: Dataset,
  layout: Layout,
  options: LoadOptions,
  timescale: Timescale | null,
): string[] {
  const statements: string[] = [];
  const firstTag = dataset.tags[0]?.name;
  const partitionColumn = options.inTablePartitionTag && firstTag !== undefined ? firstTag : 'tags_id';
  if (timescale !== null && timescale.installed === null) statements.push(createExtension);
  dataset.tables.forEach((table, i) => {
    const name = quoteName(table.name);
    const types: Record<string, string> = {
      time: 'timestamptz',
      tags_id: 'integer',
      additional_tags: 'JSONB DEFAULT NULL',
    };
    // TSBS: time, tags_id, [first tag], fields, additional_tags; rows are sent in the layout's order of columns
    const inTable = layout.tables[i]?.columns.filter((column) => column === partitionColumn) ?? [];
    const columns = [
      'time',
      'tags_id',
      ...inTable.filter((column) => column !== 'tags_id'),
      ...table.fields.map((field) => field.name),
      'additional_tags',
    ];
    const type = (column: string, at: number) =>
      at < 2 || column === 'additional_tags'
        ? types[column]
        : column === partitionColumn
          ? 'TEXT'
          : 'DOUBLE PRECISION';
    statements.push(
      `CREATE TABLE ${name} (${columns.map((column, at) => `${quoteName(column)} ${type(column, at)}`).join(', ')})`,
    );
    const index = (columnList: string) => statements.push(`CREATE INDEX ON ${name} (${columnList})`);
    const partition = quoteName(partitionColumn);
    if (options.partitionIndex) index(`${partition}, "time" DESC`);
    if (options.timePartitionIndex) index(`"time" DESC, ${partition}`);
    else if (options.timeIndex) index('"time" DESC');
    const indexed =
      options.fieldIndexCount < 0 ? table.fields : table.fields.slice(0, options.fieldIndexCount);
    for (const field of indexed) {
      for (const kind of fieldIndexesOf(options)) {
        index(
          kind === 'VALUE-TIME'
            ? `${quoteName(field.name)}, "time" DESC`
            : `"time" DESC, ${quoteName(field.name)}`,
        );
      }
    }
    if (timescale !== null) {
      statements.push(
        ...hypertable(timescale.installed ?? timescale.available ?? '', {
          table: name,
          partitionColumn: quoteText(partitionColumn),
          partitions: options.partitions,
          replicationFactor: options.replicationFactor,
          chunkTime: options.chunkTime,
          quoteText,
        }),
      );
    }
  });
  return statements;
}
