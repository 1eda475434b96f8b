import type { Dataset } from '../driver.ts';

// How names and tags of a data set are written in OpenTSDB's own.

/** A tag of this name, which no escaped name can be, holds the tags beyond those that the server takes. */
const moreTag = '/more';
/** The tag of points that have none, since a point must have one. */
export const noTag = '/none';

/**
 * A name or a value in the characters that OpenTSDB takes, to and fro: letters of ASCII, digits and `-_.` stay, each byte of
 * anything else as UTF-8 is `/` and two digits of sixteen. (Other letters are taken as well, and those beyond Latin-1 lost.)
 */
export function escaped(text: string): string {
  if (/^[\w.-]*$/.test(text)) return text;
  let out = '';
  for (const byte of Buffer.from(text, 'utf8')) {
    const letter = String.fromCharCode(byte);
    out += /[\w.-]/.test(letter) ? letter : `/${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return out;
}

/** A part of a metric's name: the parts are set apart by dots. */
const part = (text: string) => escaped(text).replaceAll('.', '/2E');

/** What the names of all metrics of a database begin with. */
export const prefixOf = (database: string) => `${part(database)}.`;

/** Metric of a table's field: `benchmark.cpu.usage_user`. */
export function metricName(database: string, table: string, field: string): string {
  return `${prefixOf(database)}${part(table)}.${part(field)}`;
}

/**
 * Tags of a device's points, escaped, each with its value: those that have none are left out. The first of them stand for
 * themselves; where there are more than the server takes, the rest share one tag as `name//value//name//value`.
 * @param most tags that the server takes for a point
 * @param missingTag index in `Dataset.tags` of a tag that is left out besides
 */
export function tagsOf(
  dataset: Dataset,
  table: number,
  device: number,
  most: number,
  missingTag?: number,
): (readonly [name: string, value: string])[] {
  const values = dataset.deviceTags(device);
  const own = dataset.tables[table]?.tags ?? [];
  const ownValues = own.length === 0 ? [] : (dataset.tableTags?.(table, device) ?? []);
  const all = [
    ...dataset.tags.map(({ name }, i) => [name, i === missingTag ? null : values[i]] as const),
    ...own.map((name, i) => [name, ownValues[i]] as const),
  ].map(([name, value]) => [escaped(name), escaped(String(value ?? ''))] as const);
  const alone = all.length > most ? most - 1 : all.length;
  const tags = all.slice(0, alone).filter(([, value]) => value !== '');
  const rest = all.slice(alone).filter(([, value]) => value !== '');
  if (rest.length > 0) tags.push([moreTag, rest.flat().join('//')]);
  return tags.length > 0 ? tags : [[noTag, '1']];
}
