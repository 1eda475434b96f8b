import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { AppError, cancelled } from '../../../src-shared/errors.ts';
import type { Dataset } from '../driver.ts';
import type { Http } from '../http/http.ts';
import type { FindMissing, Part } from './delivery.ts';
import type { IlpRows, Witness } from './ilpRows.ts';
import type { Layout } from './loadOptions.ts';
import { quoteName, quoteText } from './names.ts';
import { askOne } from './sql.ts';
import { awaitApplied } from './wal.ts';

/** What a server was sent whole and is still at shows within this, ms. */
const settleMs = 1000;

/**
 * Looks into the tables for a batch whose answer was lost: the rows of one table are stored all or none, so one row
 * tells. What is not there is looked for again a little later, since the server may be at it.
 */
export function lookUp(http: Http, layout: Layout, dataset: Dataset, rows: IlpRows): FindMissing {
  if (layout.deduplicate) return async (parts) => [...parts];

  async function absent(parts: readonly Part[], signal: AbortSignal): Promise<Part[]> {
    const tables = parts.map(({ table }) => dataset.tables[table]?.name ?? '');
    if (layout.wal) {
      const left = await awaitApplied(http, { tables, patienceMs: layout.visibleMs }, signal);
      if (left !== null) throw cannotTell(http, left);
    }
    const missing: Part[] = [];
    for (const part of parts) {
      const witness = rows.witness(part.block);
      if (witness === undefined) throw cannotTell(http, 'every row of it lacks a tag');
      const text = countOf(dataset, part.table, witness);
      const found = await askOne(http, z.object({ rows: z.int() }), text, signal);
      if (found.rows === 0) missing.push(part);
    }
    return missing;
  }

  return async (parts, signal) => {
    const missing = await absent(parts, signal);
    if (missing.length === 0) return missing;
    await pause(settleMs, undefined, { signal }).catch(() => {
      throw cancelled();
    });
    return absent(missing, signal);
  };
}

function countOf(dataset: Dataset, table: number, { device, timeMs, nanos }: Witness): string {
  const { name = '', tags: own = [] } = dataset.tables[table] ?? {};
  const micros = String(Math.floor(nanos / 1000)).padStart(3, '0');
  const time = new Date(timeMs).toISOString().replace('Z', `${micros}Z`);
  const values = dataset.deviceTags(device);
  const texts = [
    ...dataset.tags.map((tag, i) => ({ name: tag.name, value: tag.type === 'string' ? values[i] : null })),
    ...own.map((tag, i) => ({ name: tag, value: dataset.tableTags?.(table, device)[i] })),
  ];
  const filters = texts.flatMap((tag) =>
    tag.value === null || tag.value === undefined
      ? []
      : [`${quoteName(tag.name)} = ${quoteText(String(tag.value))}`],
  );
  return `SELECT count() AS rows FROM ${quoteName(name, 'table')} WHERE ${[`timestamp = '${time}'`, ...filters].join(' AND ')}`;
}

function cannotTell(http: Http, why: string): AppError {
  return new AppError({
    code: 'connection-lost',
    message: 'It cannot be found out whether a batch was stored whose answer was lost',
    place: http.place,
    detail: why,
    hint: 'Switch deduplicate on: batches can then be sent again without a look into the table.',
  });
}
