import { z } from 'zod';
import { AppError } from '../../../src-shared/errors.ts';
import type { Dataset } from '../driver.ts';
import type { Dialled } from './connection.ts';
import { placeOf } from './dial.ts';
import { copyData, copyDone, queryMessage, quoteName } from './statements.ts';
import { copyText } from './textRows.ts';
import { Wire } from './wire.ts';

/** Devices per piece of text. */
const piece = 10_000;

/**
 * Writes the tags rows by COPY in one transaction; device i has id i + 1. Into a table that others made, rows go only
 * where they are missing, and must then be the same as here.
 */
export async function writeDevices(
  target: Dialled,
  database: string,
  dataset: Dataset,
  options: { useJsonbTags: boolean; createMetricsTable: boolean },
  signal: AbortSignal,
): Promise<void> {
  const columns = options.useJsonbTags ? ['tagset'] : dataset.tags.map((tag) => quoteName(tag.name));
  const all = ['id', ...columns].join(', ');
  const rows: Uint8Array[] = [];
  for (let from = 0; from < dataset.devices; from += piece) {
    rows.push(
      ...copyData(devicesText(dataset, from, Math.min(from + piece, dataset.devices), options.useJsonbTags)),
    );
  }
  const wire = await Wire.open(target, database, signal);
  try {
    const [own, staged] = [options.createMetricsTable, 'benchberry_tags'];
    const before = own
      ? ['BEGIN', `COPY tags (${all}) FROM STDIN`]
      : [
          'BEGIN',
          `CREATE TEMPORARY TABLE ${staged} (LIKE tags) ON COMMIT DROP`,
          `COPY ${staged} (${all}) FROM STDIN`,
        ];
    const after = [
      ...(own ? [] : [`INSERT INTO tags (${all}) SELECT ${all} FROM ${staged} ON CONFLICT DO NOTHING`]),
      `SELECT setval(pg_get_serial_sequence('tags', 'id'), max(id)) FROM tags HAVING max(id) > 0`,
      ...(own
        ? []
        : [`SELECT count(*) FROM (SELECT ${all} FROM ${staged} EXCEPT SELECT ${all} FROM tags) AS other`]),
    ];
    const messages = [...before.map(queryMessage), ...rows, copyDone, ...after.map(queryMessage)];
    const { values } = await wire.exchange(messages, before.length + after.length, signal, true);
    const differing = own ? 0 : z.coerce.number().parse(values.at(-1)?.[0]);
    if (differing > 0) {
      throw new AppError({
        code: 'bad-input',
        message: `The table tags that was there has other rows for ${differing} devices`,
        place: { ...placeOf(target, database), field: 'createMetricsTable' },
        hint: 'Load the same data set (scale, seed) into it, or let this plan create the tables.',
      });
    }
    await wire.exchange([queryMessage('COMMIT')], 1, signal);
  } finally {
    await wire.close();
  }
}

function devicesText(dataset: Dataset, from: number, to: number, json: boolean): Buffer {
  const lines: string[] = [];
  for (let device = from; device < to; device += 1) {
    const tags = dataset.deviceTags(device);
    const values = json
      ? [
          copyText(
            JSON.stringify(Object.fromEntries(dataset.tags.map((tag, i) => [tag.name, tags[i] ?? null]))),
          ),
        ]
      : dataset.tags.map((_, i) =>
          copyText(tags[i] === null || tags[i] === undefined ? null : String(tags[i])),
        );
    lines.push([device + 1, ...values].join('\t'), '\n');
  }
  return Buffer.from(lines.join(''), 'utf8');
}
