import { AppError } from '../../../src-shared/errors.ts';
import type { Writer } from '../driver.ts';
import type { Block } from '../postgresql/batch.ts';
import { TextRows, type TextStyle } from '../postgresql/textRows.ts';
import type { Dialled } from './connection.ts';
import { Link } from './link.ts';
import type { WriteMode } from './loadOptions.ts';
import { quoteName, quoteText } from './quoting.ts';
import type { MysqlLayout } from './schema.ts';

/** As LOAD DATA reads it by default. */
const fileStyle: TextStyle = {
  open: '',
  separator: '\t',
  close: '\n',
  quote: '',
  zone: '',
  nothing: '\\N',
  textOf: (text) => (text === null ? '\\N' : text.replace(/[\\\t\n]/g, '\\$&').replaceAll('\0', '\\0')),
};
const tupleStyle: TextStyle = {
  open: ',(',
  separator: ',',
  close: ')',
  quote: "'",
  zone: '',
  nothing: 'NULL',
  textOf: (text) => (text === null ? 'NULL' : quoteText(text)),
};
/** Far from max_allowed_packet, and more make it no faster. */
const rowsAStatement: Record<WriteMode, number> = { 'load-data': 0, insert: 1000, 'insert-single': 1 };

/** A connection that writes batches, each one transaction. */
export async function openWriter(
  target: Dialled,
  database: string,
  layout: MysqlLayout,
  signal: AbortSignal,
): Promise<Writer> {
  const link = await Link.open(target, database, signal);
  await link.exchange('SET autocommit = 0', signal);
  const file = layout.mode === 'load-data';
  const rows = new TextRows(
    { ...layout, writeMode: 'text' },
    file ? fileStyle : tupleStyle,
    rowsAStatement[layout.mode],
  );
  const send = file ? sendFile : sendTuples;
  return {
    get pending() {
      return rows.batch.rows;
    },
    row(table, device, timeMs, nanos, values, missingTag) {
      rows.row(table, device, timeMs, nanos, values, missingTag);
    },
    async flush(flushSignal) {
      if (rows.batch.rows === 0) return 0;
      const blocks = rows.batch.take();
      let bytes = 0;
      try {
        for (const [table, block] of blocks.entries()) {
          const { name = '', columns = [] } = layout.tables[table] ?? {};
          if (block.rows === 0) continue;
          bytes += await send(link, quoteName(name), columns.map(quoteName).join(', '), block, flushSignal);
        }
        await link.exchange('COMMIT', flushSignal);
        rows.batch.recycle(blocks);
        return bytes;
      } catch (error) {
        await link.close();
        throw error;
      }
    },
    close: () => link.close(),
  };
}

async function sendFile(
  link: Link,
  table: string,
  columns: string,
  block: Block,
  signal: AbortSignal,
): Promise<number> {
  const sql = `LOAD DATA LOCAL INFILE 'rows' INTO TABLE ${table} CHARACTER SET utf8mb4 (${columns})`;
  const { affected, warnings } = await link.exchange(sql, signal, {
    upload: [block.bytes.subarray(0, block.length)],
  });
  await refuseLosses(link, block.rows, affected, warnings, signal);
  return sql.length + block.length;
}

async function sendTuples(
  link: Link,
  table: string,
  columns: string,
  block: Block,
  signal: AbortSignal,
): Promise<number> {
  const head = `INSERT INTO ${table} (${columns}) VALUES `;
  let stored = 0;
  let warned = 0;
  for (const [i, from] of block.marks.entries()) {
    // Each row begins with a comma; the first of a statement has none before it.
    const tuples = block.bytes.toString('utf8', from + 1, block.marks[i + 1] ?? block.length);
    const { affected, warnings } = await link.exchange(head + tuples, signal);
    stored += affected;
    warned += warnings;
  }
  await refuseLosses(link, block.rows, stored, warned, signal);
  return block.length + head.length * block.marks.length;
}

/** LOAD DATA LOCAL leaves out, or bends, what does not fit, and only warns: such a batch is not committed. */
async function refuseLosses(
  link: Link,
  rows: number,
  stored: number,
  warnings: number,
  signal: AbortSignal,
): Promise<void> {
  if (stored === rows && warnings === 0) return;
  const { values } = await link.exchange('SHOW WARNINGS LIMIT 1', signal, { collect: true });
  const [level, code, text] = values[0] ?? [];
  throw new AppError({
    code: 'server-error',
    message: `The server stored ${stored} rows of a batch of ${rows}, with ${warnings} warnings`,
    place: link.place,
    detail: text ? `${level} ${code}: ${text}` : undefined,
    hint: 'Look for constraints or triggers on the table; nothing of the batch was kept.',
  });
}
