import type { SqlType, SqlValue } from '../../databases/sqlClient.ts';
import { createDraw, type Draw } from './distributions.ts';
import type { Random } from './random.ts';
import type { RunOptions } from './runOptions.ts';
import { constantC, constantPad, tableNames } from './tables.ts';
import { randomC, randomPad } from './texts.ts';
import type { UniqueIds } from './uniqueIds.ts';

/** What the values of one client are drawn of. */
export interface Numbers {
  options: RunOptions;
  /** Of the client, from 0. */
  number: number;
  random: Random;
  ids: UniqueIds;
}

/** A statement of a part: `#` stands for the table, `?` for a value. */
export interface Kind {
  template: string;
  types: readonly SqlType[];
  fill(values: SqlValue[]): void;
  /** Never prepared, whatever the options say. */
  asText?: boolean;
}

const int: SqlType = 'bigint';
const text: SqlType = 'varchar';

/** The parts of an event of the script, in order: how often each, and its statements. */
export function plannedParts(numbers: Numbers): (readonly [times: number, ...Kind[]])[] {
  const { options: o, random, ids } = numbers;
  const early = o.sysbenchVersion === '0.4';
  const draw = createDraw(random, o, early);
  const id = () => draw(1, Math.max(1, o.tableSize));

  const plain = (template: string): Kind => ({ template, types: [], fill: nothing });
  const byId = (template: string): Kind => ({
    template,
    types: [int],
    fill(values) {
      values[0] = id();
    },
  });
  /** @param more rows than the usual range has */
  const range = (what: string, more = '', longer = 0): Kind => ({
    template: `SELECT ${what} FROM # WHERE id BETWEEN ? AND ?${more}`,
    types: [int, int],
    fill(values) {
      const from = id();
      const to = from + o.rangeSize - 1;
      values[0] = from;
      values[1] = (early ? Math.min(to, o.tableSize) : to) + longer;
    },
  });
  const nonIndexUpdate: Kind = {
    template: 'UPDATE # SET c=? WHERE id=?',
    types: [text, int],
    fill(values) {
      values[0] = randomC(random);
      values[1] = id();
    },
  };
  const indexUpdate = byId('UPDATE # SET k=k+1 WHERE id=?');

  function deleteInsert(): Kind[] {
    let chosen = 0;
    const sameId = (template: string, first: boolean): Kind => ({
      template,
      types: [int],
      fill(values) {
        if (first) chosen = id();
        values[0] = chosen;
      },
    });
    const insert: Kind = {
      template: 'INSERT INTO # (id, k, c, pad) VALUES (?, ?, ?, ?)',
      types: [int, int, text, text],
      fill(values) {
        values[0] = chosen;
        values[1] = early ? 0 : id();
        values[2] = early ? constantC : randomC(random);
        values[3] = early ? constantPad : randomPad(random);
      },
    };
    return [
      ...(o.lockingUpdate ? [sameId('UPDATE # SET k=k+1 WHERE id=?', true)] : []),
      sameId('DELETE FROM # WHERE id=?', !o.lockingUpdate),
      insert,
    ];
  }

  const ranges = (n: number) => (o.rangeSelects ? n : 0);
  const reads = [
    [o.pointSelects, byId('SELECT c FROM # WHERE id=?')],
    [ranges(o.simpleRanges), range('c')],
    [ranges(o.sumRanges), range('SUM(k)')],
    [ranges(o.orderRanges), range('c', ' ORDER BY c')],
    [ranges(o.distinctRanges), range('DISTINCT c', ' ORDER BY c', early ? 1 : 0)],
  ] as const;
  const writes = [
    [o.indexUpdates, indexUpdate],
    [o.nonIndexUpdates, nonIndexUpdate],
    [o.deleteInserts, ...deleteInsert()],
  ] as const;
  const transaction = (parts: readonly (readonly [number, ...Kind[]])[]) =>
    o.skipTrx ? [...parts] : [[1, plain('BEGIN')] as const, ...parts, [1, plain('COMMIT')] as const];

  switch (o.script) {
    case 'oltp_point_select':
      return [[1, byId('SELECT c FROM # WHERE id=?')]];
    case 'oltp_read_only':
      return transaction(reads);
    case 'oltp_read_write':
      return transaction([...reads, ...writes]);
    case 'oltp_write_only':
      return transaction(writes);
    case 'oltp_update_index':
      return [[o.indexUpdates, indexUpdate]];
    case 'oltp_update_non_index':
      return [[o.nonIndexUpdates, nonIndexUpdate]];
    case 'oltp_insert':
      return [[1, insertOnly(numbers, early, id, ids)]];
    case 'oltp_delete':
      return [[1, byId('DELETE FROM # WHERE id=?')]];
    case 'select_random_points':
    case 'select_random_ranges':
      return [[1, byK(numbers, draw)]];
  }
}

/** sysbench never prepares it. */
function insertOnly({ options, random }: Numbers, early: boolean, k: () => number, ids: UniqueIds): Kind {
  const ownId = options.autoInc ? 0 : 1;
  return {
    template: options.autoInc
      ? 'INSERT INTO # (k, c, pad) VALUES (?, ?, ?)'
      : 'INSERT INTO # (id, k, c, pad) VALUES (?, ?, ?, ?)',
    types: [],
    asText: true,
    fill(values) {
      if (ownId === 1) values[0] = ids.next();
      values[ownId] = early ? 0 : k();
      values[ownId + 1] = early ? constantC : randomC(random);
      values[ownId + 2] = early ? constantPad : randomPad(random);
    },
  };
}

/** The two scripts that read the first table by `k`; each client has a slice of the values of its own. */
function byK({ options: o, number }: Numbers, draw: Draw): Kind {
  const name = tableNames(o)[0];
  const slice = o.tableSize / o.threads;
  const from = Math.floor(slice * number);
  const to = Math.floor(slice * (number + 1));
  if (o.script === 'select_random_points')
    return {
      template: `SELECT id, k, c, pad FROM ${name} WHERE k IN (${Array(o.randomPoints).fill('?').join(', ')})`,
      types: Array(o.randomPoints).fill(int),
      fill(values) {
        for (let i = 0; i < o.randomPoints; i += 1) values[i] = draw(from, to);
      },
    };
  const ranges = Array(o.numberOfRanges).fill('k BETWEEN ? AND ?').join(' OR ');
  return {
    template: `SELECT count(k) FROM ${name} WHERE ${ranges}`,
    types: Array(o.numberOfRanges * 2).fill(int),
    fill(values) {
      for (let i = 0; i < o.numberOfRanges; i += 1) {
        const low = draw(from, to);
        values[i * 2] = low;
        values[i * 2 + 1] = low + o.delta;
      }
    },
  };
}

function nothing(): void {
  // a statement without values
}
