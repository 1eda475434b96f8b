import type { Send } from './batch.ts';
import type { Layout } from './layout.ts';
import {
  bindMessage,
  executeMessage,
  parseMessage,
  queryMessage,
  quoteName,
  syncMessage,
} from './statements.ts';
import type { Wire } from './wire.ts';

type Table = Layout['tables'][number];

/** The protocol counts the parameters of a statement in 16 bits. */
const mostParameters = 65_535;
/** Prepared statements kept per connection; batches of ever changing sizes use the unnamed one beyond that. */
const mostPrepared = 32;
const begin = queryMessage('BEGIN');
const commit = queryMessage('COMMIT');

/** Types of the parameters: timestamptz, int4, jsonb, then text for an in-table tag, then float8. */
const oids = { timestamptz: 1184, int4: 23, jsonb: 3802, text: 25, float8: 701 };

/** TSBS fails on batches that need more parameters than the protocol has; here they become several statements. */
export function rowsAStatement(table: Pick<Table, 'columns'>): number {
  return Math.floor(mostParameters / table.columns.length);
}

function rowTypes(table: Table): number[] {
  const tags = table.columns.length - 3 - table.fields;
  return [
    oids.timestamptz,
    oids.int4,
    oids.jsonb,
    ...Array<number>(tags).fill(oids.text),
    ...Array<number>(table.fields).fill(oids.float8),
  ];
}

/** `INSERT INTO "cpu" ("time", …) VALUES ($1, …), ($14, …)` */
function insertStatement(table: Table, rows: number): string {
  const width = table.columns.length;
  const tuple = (row: number) => `(${table.columns.map((_, i) => `$${row * width + i + 1}`).join(', ')})`;
  const columns = table.columns.map(quoteName).join(', ');
  return `INSERT INTO ${quoteName(table.name)} (${columns}) VALUES ${Array.from({ length: rows }, (_, i) => tuple(i)).join(', ')}`;
}

function parseFor(name: string, table: Table, rows: number): Buffer {
  const types = rowTypes(table);
  return parseMessage(name, insertStatement(table, rows), Array.from({ length: rows }, () => types).flat());
}

/** Multi-row INSERTs with binary parameters, prepared once per number of rows; all of a batch sent at once in one transaction. */
export function insertWriter(layout: Layout, wire: Wire): Send {
  const prepared = new Set<string>();
  return async (blocks, signal) => {
    const messages: Uint8Array[] = [begin];
    layout.tables.forEach((table, index) => {
      const block = blocks[index];
      if (block === undefined) return;
      block.marks.forEach((from, i) => {
        const to = block.marks[i + 1] ?? block.length;
        const most = rowsAStatement(table);
        const rows = Math.min(most, block.rows - i * most);
        const own = `insert_${index}_${rows}`;
        const name = prepared.has(own) || prepared.size < mostPrepared ? own : '';
        if (!prepared.has(name)) messages.push(parseFor(name, table, rows));
        if (name !== '') prepared.add(name);
        const [head, tail] = bindMessage(name, rows * table.columns.length, to - from);
        messages.push(head, block.bytes.subarray(from, to), tail, executeMessage);
      });
    });
    messages.push(syncMessage, commit);
    const { tags } = await wire.exchange(messages, 3, signal);
    return { bytes: messages.reduce((sum, part) => sum + part.length, 0), tags };
  };
}

/**
 * A statement per row, each awaited: what a program does that inserts as its readings come. The transaction is the
 * batch's, as in the other modes; batches of one row give a commit per row.
 */
export function singleInsertWriter(layout: Layout, wire: Wire): Send {
  let isPrepared = false;
  const name = (table: number) => `insert_${table}`;
  const binds = layout.tables.map(
    (table, i) => (bytes: number) => bindMessage(name(i), table.columns.length, bytes),
  );
  return async (blocks, signal) => {
    let bytes = 0;
    const tags: string[] = [];
    const exchange = async (messages: readonly Uint8Array[], syncs: number) => {
      const reply = await wire.exchange(messages, syncs, signal);
      tags.push(...reply.tags);
      for (const part of messages) bytes += part.length;
    };
    if (!isPrepared) {
      await exchange([...layout.tables.map((table, i) => parseFor(name(i), table, 1)), syncMessage], 1);
      isPrepared = true;
    }
    await exchange([begin], 1);
    for (const [index, block] of blocks.entries()) {
      const bind = binds[index];
      if (bind === undefined) continue;
      for (const [i, from] of block.marks.entries()) {
        const to = block.marks[i + 1] ?? block.length;
        const [head, tail] = bind(to - from);
        await exchange([head, block.bytes.subarray(from, to), tail, executeMessage, syncMessage], 1);
      }
    }
    await exchange([commit], 1);
    return { bytes, tags };
  };
}
